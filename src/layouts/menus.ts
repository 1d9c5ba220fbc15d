// Closes the menus of the shop's and the office's pages.

let tappedAt = 0

function closeMenus(except?: Element | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-closes][open]')) {
    if (menu !== except) menu.open = false
  }
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  tappedAt = scrollY
  closeMenus(target.closest('details'))
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
