// Runs in the head of the shop's and the office's pages, so that no press comes before it: closes
// open menus; at a press on a language, keeps the page's query and remembers the language.
import { LANGUAGE_KEY } from '../rules/storage-keys.ts'
import { attempt } from './remembered.ts'

const OPEN = '[data-closes][open]'
/**
 * A scroll that is still running at the tap moves the page slightly further; it must not close a
 * menu.
 */
const DELIBERATE_SCROLL_PX = 8
let tappedAt = 0

const closeMenus = (except?: Element | null) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN)) {
    if (menu !== except) menu.open = false
  }
}

addEventListener(
  'click',
  ({ target }) => {
    const pressed = target as Element
    tappedAt = scrollY
    closeMenus(pressed.closest?.('details'))
    const choice = pressed.closest?.<HTMLAnchorElement>('[data-language]')
    if (!choice) return
    // The shop's filters may have changed the URL since the page was rendered.
    choice.search = location.search
    attempt(() => (localStorage[LANGUAGE_KEY] = choice.dataset.language))
  },
  true,
)
addEventListener(
  'scroll',
  () => {
    if (Math.abs(scrollY - tappedAt) > DELIBERATE_SCROLL_PX) closeMenus()
  },
  { passive: true },
)
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  const summary = document.querySelector<HTMLElement>(`${OPEN}>summary`)
  closeMenus()
  summary?.focus()
})
