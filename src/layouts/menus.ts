// Closes the menus of the shop's and the office's pages, and remembers the chosen language.
import { LANGUAGE_KEY } from '../rules/storage-keys.ts'

let tappedAt = 0

/**
 * Saves `choice`, if given, and returns the remembered language; null if the browser refuses
 * storage.
 */
export function rememberedLanguage(choice?: string): string | null {
  try {
    if (choice) localStorage.setItem(LANGUAGE_KEY, choice)
    return localStorage.getItem(LANGUAGE_KEY)
  } catch {
    return null
  }
}

function closeMenus(except?: Element | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-closes][open]')) {
    if (menu !== except) menu.open = false
  }
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  tappedAt = scrollY
  closeMenus(target.closest('details'))
  const choice = target.closest<HTMLElement>('[data-language]')
  if (!choice) return
  rememberedLanguage(choice.dataset.language)
  // The shop's filters may have changed the URL since the page was rendered.
  if (choice instanceof HTMLAnchorElement) choice.search = location.search
})
// A scroll that is still running at the tap moves the page slightly further; it must not close a
// menu.
const DELIBERATE_SCROLL_PX = 8
document.addEventListener(
  'scroll',
  () => {
    if (Math.abs(scrollY - tappedAt) > DELIBERATE_SCROLL_PX) closeMenus()
  },
  { passive: true },
)
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  const open = document.querySelector('details[data-closes][open] summary')
  closeMenus()
  if (open instanceof HTMLElement) open.focus()
})
