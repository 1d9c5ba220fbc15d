// Part of the paint script: requests what a page needs once it is painted, and holds what the visitor does
// before the page's script can answer.
import { fetchModule } from '../islands/intent/fetch-module.ts'
import { heldControl } from '../islands/intent/held-control.ts'
import { early } from './remembered.ts'

/** What visitors do, and what islands that do not sleep tell those that do. */
const HELD = 'pointerdown focusin keydown click submit input change karras:wake'

const preload = (kind: string) => document.querySelector<HTMLLinkElement>(`[as=${kind}]`)

let script: Promise<unknown> | undefined

/** Requests the page's script and the styles of what is hidden at first, once. */
const requestScript = () => {
  const style = preload('style')
  const link = preload('script')
  if (script || !link) return script
  if (style) {
    // Plain is better than never.
    style.onerror = () => style.remove()
    style.rel = 'stylesheet'
    style.media = ''
  }
  // Without the script, presses do what they do where no script runs.
  script = fetchModule(link.href).catch(() => delete early.events)
  return script
}

const hold = (event: Event) => {
  const target = event.target as Element
  const island = target.closest?.('astro-island[ssr][client=intent]')
  const isForScript = island || /:/.test(event.type) || target.closest?.('[data-do]')
  if (!early.events || !isForScript) return
  early.events.push(event)
  requestScript()
  if (island && /click|submit/.test(event.type) && heldControl(target, event)) {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
}

/** The development server's pages have the scripts of islands in them. */
if (import.meta.env.PROD) {
  early.events = []
  for (const type of HELD.split(' ')) addEventListener(type, hold, true)
}

/** A page that took longer to arrive came over a line on which each request takes long (ms). */
const SLOW_MS = 500

/**
 * Requests the script once all of the page is there and, unless the line is slow, has been painted: where an answer
 * comes soon, it would come before the text. The fonts are requested after both. A page that is rendered ahead is not
 * painted before it is opened.
 */
export const requestAfterPaint = (requestFonts: (() => void) | undefined) => {
  const whenThere = async () => {
    const painted =
      document.prerendering ||
      new Promise<void>((resolve) =>
        new PerformanceObserver((paints) => {
          if (paints.getEntriesByName('first-contentful-paint')[0]) resolve()
        }).observe({ type: 'paint', buffered: true }),
      )
    if (performance.now() < SLOW_MS) await painted
    await requestScript()
    await painted
    requestFonts?.()
  }
  addEventListener('readystatechange', whenThere, { capture: true, once: true })
}
