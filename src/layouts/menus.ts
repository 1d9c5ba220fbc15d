// What the frames of the shop's and the office's pages do with their menus and their language picker.
import { LANGUAGE_KEY } from '../rules/storage-keys.ts'

let tappedAt = 0

/** Some browsers refuse storage altogether; then nothing is remembered. */
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
  // The address may have changed since the page was made (filters of the shop).
  if (choice instanceof HTMLAnchorElement) choice.search = location.search
})
// The scroll that brought a menu under the finger ends after the tap; it is not meant.
const MEANT_SCROLL_PX = 8
document.addEventListener(
  'scroll',
  () => {
    if (Math.abs(scrollY - tappedAt) > MEANT_SCROLL_PX) closeMenus()
  },
  { passive: true },
)
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  const open = document.querySelector('details[data-closes][open] summary')
  closeMenus()
  if (open instanceof HTMLElement) open.focus()
})
