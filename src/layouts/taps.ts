// Comes with `paint.ts` in the head: answers presses on the controls of documents, which are plain markup.
import type { Act, Tap } from '../rules/taps.ts'

const early: NonNullable<Window['early']> = { held: [] }
window.early = early

const tapOf = (control: HTMLElement): Tap | undefined => {
  const controls = control.closest<HTMLElement>('[data-document]')
  if (!controls) return
  const { document: id, price, discount, ...cover } = controls.dataset
  return {
    act: control.dataset.do as Act,
    item: {
      documentId: Number(id),
      title: controls.querySelector('[data-do=add]')?.lastElementChild?.textContent?.trim() ?? '',
      price: Number(price),
      priceDiscount: discount ? Number(discount) : undefined,
      ...cover,
    },
    isOnDetails: controls.classList.contains('add-to-cart--details'),
  }
}

const hold = (tap: Tap, control: HTMLElement) => {
  // An impatient second tap counts as one.
  if (control.ariaBusy) return
  control.ariaBusy = 'true'
  early.held.push([tap, control])
  dispatchEvent(new Event('karras:wake'))
}

// Not captured: a slider stops the click at the end of a drag.
document.addEventListener('click', ({ target }) => {
  const control = (target as Element).closest<HTMLElement>('[data-do]')
  const tap = control && tapOf(control)
  if (tap) (early.answer ?? hold)(tap, control)
})
