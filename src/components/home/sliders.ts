// Turns the rows of cards into sliders. They are scroll-snap lists until the visitor first does
// something, so that they cost nothing at first; then each becomes a slider when it comes into
// view. With reduced motion or data saving they stay lists.
import enhanceSlider from './enhance-slider.ts?worker&url'

const { connection } = navigator as { connection?: { saveData?: boolean } }
const SIGNS = ['pointerdown', 'keydown', 'scroll', 'wheel'] as const

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue
    seen.unobserve(target)
    // A separate file, which loads without the helper that other imports share.
    import(/* @vite-ignore */ enhanceSlider).then(() =>
      target.dispatchEvent(new Event('karras:slider', { bubbles: true })),
    )
  }
})

function begin(): void {
  for (const sign of SIGNS) removeEventListener(sign, begin, true)
  for (const track of document.querySelectorAll('.splide__track')) {
    const slider = track.closest('.splide')
    if (slider) seen.observe(slider)
  }
}

if (!connection?.saveData && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
  for (const sign of SIGNS) addEventListener(sign, begin, { capture: true, passive: true })
}
