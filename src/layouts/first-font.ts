// Part of the page's script: on a first visit, requests the site's font once the text is painted in
// the system's, and then lays the page out in it part by part. At once, that keeps a slow phone
// from answering for a quarter of a second.
import { locale, root } from '../components/painted.ts'
import { FONT_KEY } from '../rules/storage-keys.ts'

/** How many elements are laid out again in one frame: a slow phone takes some 30 ms for these. */
const ELEMENTS_A_FRAME = 60

// A prerendered page is not painted before it is opened, so nothing waits for that.
const painted = document.prerendering
  ? undefined
  : new Promise<void>((resolve) =>
      new PerformanceObserver((paints) => {
        if (paints.getEntriesByName('first-contentful-paint')[0]) resolve()
      }).observe({ type: 'paint', buffered: true }),
    )

const nextFrame = () => new Promise(requestAnimationFrame)

const sizeOf = (element: Element) => 1 + element.getElementsByTagName('*').length

/**
 * The element, or where it is large its children's parts; in the order of the page, without those
 * that are not rendered, for which the browser has no styles to change yet.
 */
const partsOf = (element: HTMLElement): HTMLElement[] => {
  if (!element.checkVisibility({ contentVisibilityAuto: true })) return []
  return sizeOf(element) > ELEMENTS_A_FRAME ? partsIn(element) : [element]
}

const partsIn = (element: HTMLElement) =>
  [...element.children].flatMap((child) => partsOf(child as HTMLElement))

const showInFont = async (fontFamily: string) => {
  const { body } = document
  const parts = partsIn(body)
  let elements = 0
  for (const part of parts) {
    if (elements + sizeOf(part) > ELEMENTS_A_FRAME) {
      await nextFrame()
      elements = 0
    }
    elements += sizeOf(part)
    part.style.fontFamily = fontFamily
  }
  await nextFrame()
  // Not `data-font`: its custom property would change the style of every element once more. So only
  // those around the parts change.
  body.style.fontFamily = fontFamily
  for (const part of parts) part.style.fontFamily = ''
}

const showOnceLoaded = async () => {
  await painted
  const { fontFamily } = getComputedStyle(document.body)
  // A font of the system's is shown where the visitor saves data.
  if (root.dataset.font === '' || !fontFamily.includes('Readex')) return
  // All the files that pages in this language need.
  await document.fonts.load('1em Readex Pro', locale === 'ar' ? 'ا0a' : '0a')
  await showInFont(`"Readex Pro",${fontFamily}`)
  localStorage[FONT_KEY] = 1
}

// Without the font the page stays as it is; the next page requests it again.
showOnceLoaded().catch(() => {})
