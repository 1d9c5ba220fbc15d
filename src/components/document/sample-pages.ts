// Loaded by `sample-strip.ts`: on the sample's own page, its pages need no script.
import { close, next, previous } from '../../parts/drawings.ts'

/** The pages of a sample in a dialog: their bar, and how they turn. */
class SamplePages extends HTMLElement {
  connectedCallback(): void {
    const dialog = this.parentElement as HTMLDialogElement
    const { title = '', close: closing = '', next: forth = '', previous: back = '' } = this.dataset
    dialog.ariaLabel = title
    const pages = this.querySelector<HTMLElement>('.look__pages')
    const items = [...(pages?.children ?? [])] as HTMLElement[]
    const forwards = pages?.dir === 'rtl' ? -1 : 1
    // The keyboard must be able to scroll it.
    if (pages) pages.tabIndex = 0

    const heading = document.createElement('h2')
    heading.className = 'one-line'
    heading.dir = 'auto'
    heading.textContent = title
    const place = document.createElement('output')
    place.dir = 'ltr'
    const nextButton = control(forth, next, true)
    const previousButton = control(back, previous, true)
    const closeButton = control(closing, close)
    const bar = document.createElement('div')
    bar.className = 'look-dialog__bar'
    bar.append(heading, place, previousButton, nextButton, closeButton)
    dialog.prepend(bar)
    closeButton.focus()

    /**
     * The distance of each item's middle from the middle of the visible part, in pixels; negative for
     * earlier items.
     */
    const offsets = () => {
      const box = pages?.getBoundingClientRect()
      const middle = box ? box.left + box.width / 2 : 0
      return items.map((item) => {
        const { left, width } = item.getBoundingClientRect()
        return (left + width / 2 - middle) * forwards
      })
    }
    const turnTo = (item: HTMLElement | undefined) => {
      const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
      const behavior = isReduced ? 'instant' : 'smooth'
      item?.scrollIntoView({ behavior, block: 'nearest', inline: 'center' })
    }
    const turn = (step: number) => {
      const distances = offsets()
      if (step > 0) turnTo(items[distances.findIndex((offset) => offset > NEAR)])
      else turnTo(items[distances.findLastIndex((offset) => offset < -NEAR)])
    }
    const showPlace = () => {
      const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0 } = pages ?? {}
      previousButton.disabled = Math.abs(scrollLeft) <= NEAR
      nextButton.disabled = Math.abs(scrollLeft) + clientWidth >= scrollWidth - NEAR
      const distances = offsets().map(Math.abs)
      const inTheMiddle = items[distances.indexOf(Math.min(...distances))]
      const shown = previousButton.disabled
        ? items[0]
        : nextButton.disabled
          ? items.at(-1)
          : inTheMiddle
      // The last item is not a page but the price, so it has no number.
      place.textContent = shown?.querySelector('.look__number')?.textContent?.trim() ?? ''
    }
    let isShowing = false
    pages?.addEventListener(
      'scroll',
      () => {
        if (isShowing) return
        isShowing = true
        requestAnimationFrame(() => {
          isShowing = false
          showPlace()
        })
      },
      { passive: true },
    )
    new ResizeObserver(showPlace).observe(dialog)

    nextButton.addEventListener('click', () => turn(1))
    previousButton.addEventListener('click', () => turn(-1))
    closeButton.addEventListener('click', () => dialog.close())
    dialog.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element)) return
      // The link leads to the page below, so closing the dialog is enough.
      const isBack = target.closest('[data-back]')
      if (target !== dialog && !isBack) return
      dialog.close()
    })
    this.querySelector('[data-back]')?.addEventListener('click', (event) => event.preventDefault())
    dialog.addEventListener('keydown', (event) => {
      const step = STEPS[event.key]
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      if (step === 'first' || step === 'last') turnTo(items.at(step === 'first' ? 0 : -1))
      else turn(event.key.startsWith('Arrow') ? step * forwards : step)
    })
  }
}

/** Smaller distances (px) count as none, since browsers round scroll positions. */
const NEAR = 4

/** How far a key turns; for arrows, in a document that is read from left to right. */
const STEPS: Readonly<Record<string, number | 'first' | 'last'>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -1,
  PageDown: 1,
  Home: 'first',
  End: 'last',
}

function control(label: string, drawing: string, isMirrored = false): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.ariaLabel = label
  const space = 'http://www.w3.org/2000/svg'
  const icon = document.createElementNS(space, 'svg')
  icon.setAttribute('class', isMirrored ? 'icon icon--mirror' : 'icon')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', drawing)
  icon.append(path)
  button.append(icon)
  return button
}

customElements.define('sample-pages', SamplePages)
