import { type Options, Splide } from '@splidejs/splide'

/** Widths, in pixels, at which sliders and grids change. */
const BREAKPOINTS = [640, 768, 1024, 1280] as const

/** The number of cards in view from each breakpoint on. */
const SHOWN = [3, 4, 5, 6]
const GAP = '1.25rem'

// Wait until the row is painted at its scroll position: if it came into view and changed in the
// same frame, browsers would count a layout shift of all its cards.
document.addEventListener('karras:slider', ({ target }) =>
  requestAnimationFrame(() => setTimeout(() => enhanceSlider(target as HTMLElement))),
)

/** Turns a row of cards into a slider that advances by itself, starting at the card in view. */
function enhanceSlider(root: HTMLElement): void {
  const track = root.querySelector<HTMLElement>('.splide__track')
  const controls = root.querySelector<HTMLTemplateElement>('[data-controls]')
  if (!track || !controls) return
  // Wait while a finger is dragging the list.
  if (track.matches(':active')) {
    addEventListener('pointerup', () => enhanceSlider(root), { once: true })
    return
  }
  const start = cardAt(track)
  track.scrollTo({ left: 0, behavior: 'instant' })
  // Its links, buttons and arrows handle the keyboard from now on.
  track.removeAttribute('tabindex')
  controls.replaceWith(controls.content)

  const slider = new Splide(root, options(root, start))
  slider.mount()
  playWhileSeen(slider, root)
}

/** The index of the first card in view; a right-to-left list has negative scroll positions. */
function cardAt(track: HTMLElement): number {
  const [first, second] = track.querySelectorAll<HTMLElement>('.splide__slide')
  if (!first || !second) return 0
  return Math.round(Math.abs(track.scrollLeft / (second.offsetLeft - first.offsetLeft)))
}

function options(root: HTMLElement, start: number): Options {
  const isFromRight = document.documentElement.dir === 'rtl'
  const side = { left: '1rem', right: '1rem', [isFromRight ? 'left' : 'right']: '3rem' }
  const { previous, ...texts } = JSON.parse(root.dataset.texts ?? '{}')
  return {
    direction: isFromRight ? 'rtl' : 'ltr',
    start,
    rewind: true,
    perMove: 1,
    perPage: 2,
    padding: side,
    gap: GAP,
    mediaQuery: 'min',
    breakpoints: Object.fromEntries(
      BREAKPOINTS.map((width, at) => [
        width,
        { perPage: SHOWN[at], padding: { left: '0.5rem', right: '0.5rem' } },
      ]),
    ),
    autoplay: true,
    interval: Number(root.dataset.interval),
    speed: 180,
    pagination: false,
    keyboard: 'focused',
    live: false,
    // A mouse that moves slightly during a click must not drag.
    dragMinThreshold: { mouse: 6, touch: 10 },
    labelledby: root.getAttribute('aria-labelledby') ?? '',
    i18n: { ...texts, prev: previous },
  }
}

/**
 * Pauses the slider while it is out of sight, and leaves it alone once the visitor has stopped it.
 */
function playWhileSeen({ Components, root }: Splide, element: HTMLElement): void {
  const { Autoplay } = Components
  // `false` pauses without stopping, so that it may resume; the types leave this parameter out.
  const pause = Autoplay.pause as (isStopped: boolean) => void
  const isStopped = () => !root.querySelector('.splide__toggle')?.classList.contains('is-active')
  new IntersectionObserver(([entry]) => {
    if (!entry || isStopped()) return
    if (entry.isIntersecting) Autoplay.play()
    else pause(false)
  }).observe(element)
}
