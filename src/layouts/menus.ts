// The script of menus, in the shop's and the office's pages: closes open ones; says which way the page
// is scrolled; at a press on a language, keeps the page's query and remembers the language.
import { chooseLanguage } from '../stores/shared/language.ts'

const OPEN = '[data-closes][open]'
/** A scroll still running at the tap moves the page slightly further; it must not close a menu. */
const DELIBERATE_SCROLL_PX = 8
/** Where the page was at the last tap or deliberate scroll. */
let heldAt = 0

function closeMenus(except?: Element | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN)) {
    if (menu !== except) menu.open = false
  }
}

const onClick = ({ target }: MouseEvent) => {
  heldAt = scrollY
  if (!(target instanceof Element)) return
  closeMenus(target.closest('details'))
  const choice = target.closest<HTMLElement>('[data-language]')
  if (!choice) return
  // The shop's filters may have changed the URL since the page was rendered.
  if (choice instanceof HTMLAnchorElement) choice.search = location.search
  chooseLanguage(choice.dataset.language ?? '')
}
// Captured, since other scripts may stop the event.
addEventListener('click', onClick, true)

addEventListener('scroll', () => {
  const moved = scrollY - heldAt
  if (Math.abs(moved) <= DELIBERATE_SCROLL_PX) return
  closeMenus()
  heldAt = scrollY
  // A phone's header leaves and comes back (`components/header.css`); not before it is scrolled past.
  document.body.toggleAttribute('data-down', moved > 0 && scrollY > 99)
})

addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  const summary = document.querySelector<HTMLElement>(`${OPEN}>summary`)
  closeMenus()
  summary?.focus()
})
