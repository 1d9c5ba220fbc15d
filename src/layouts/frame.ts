// What the frame of every page does with script: it works without, only less politely.
import { LANGUAGE_KEY } from '../rules/storage-keys.ts'

const root = document.documentElement
let tappedAt = 0

/** Some browsers refuse storage altogether; then nothing is remembered. */
function remembered(choice?: string): string | null {
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

// A payment comes back here: what floats over the page tells of it, and sleeps until somebody calls.
if (new URLSearchParams(location.search).has('payment')) {
  addEventListener('load', () => dispatchEvent(new Event('karras:wake')))
}

const chosen = remembered()
const offer =
  chosen !== root.lang && document.querySelector<HTMLElement>(`[data-offer="${chosen}"]`)
if (offer) offer.hidden = false

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  tappedAt = scrollY
  closeMenus(target.closest('details'))
  const choice = target.closest<HTMLElement>('[data-language]')
  if (!choice) return
  remembered(choice.dataset.language)
  // The address may have changed since the page was made (filters of the shop).
  if (choice instanceof HTMLAnchorElement) choice.search = location.search
  else if (offer) offer.hidden = true
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
