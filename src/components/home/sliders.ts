// Makes sliders of the rows of cards. They are scroll-snap lists until the visitor first does something,
// so that they cost nothing on the first page; then each becomes a slider when it comes into view. With
// reduced motion or saved data they stay lists.
export {}

const { connection } = navigator as { connection?: { saveData?: boolean } }
const SIGNS = ['pointerdown', 'keydown', 'scroll', 'wheel'] as const

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue
    seen.unobserve(target)
    import('./enhance-slider.ts').then(({ enhanceSlider }) => enhanceSlider(target as HTMLElement))
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
