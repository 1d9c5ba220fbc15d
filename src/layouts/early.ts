// Part of the paint script: requests what a page needs after it is painted, and holds the visitor's
// events until the page's script can handle them.
import { fetchModule } from '../islands/intent/fetch-module.ts'
import { heldControl } from '../islands/intent/held-control.ts'
import { early } from './remembered.ts'

/**
 * The events to hold: those of the visitor, and the one by which islands wake the sleeping ones.
 */
const HELD = 'pointerdown focusin keydown click submit input change karras:wake'

const preload = (kind: string) => document.querySelector<HTMLLinkElement>(`[as=${kind}]`)

let isRequested = false

/** Requests the page's script and the styles of what is hidden at first, once. */
const requestScript = () => {
  const style = preload('style')
  const link = preload('script')
  if (isRequested || !link) return
  isRequested = true
  if (style) {
    // Better unstyled than never.
    style.onerror = () => style.remove()
    style.rel = 'stylesheet'
    style.media = ''
  }
  // Without the script, let presses work as they do without scripts.
  fetchModule(link.href).catch(() => delete early.events)
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

/** The development server's pages contain the islands' scripts themselves. */
if (import.meta.env.PROD) {
  early.events = []
  for (const type of HELD.split(' ')) addEventListener(type, hold, true)
}

/** A page that took longer than this to arrive (ms) came over a slow connection. */
const SLOW_MS = 500

// A prerendered page is not painted before it is opened, so nothing waits for that.
early.painted = document.prerendering
  ? undefined
  : new Promise((resolve) =>
      new PerformanceObserver((paints) => {
        if (paints.getEntriesByName('first-contentful-paint')[0]) resolve()
      }).observe({ type: 'paint', buffered: true }),
    )

// Requests the script once the whole page has arrived and, unless the connection is slow, has been
// painted: on a fast one, the script would otherwise arrive before the text is painted.
const onArrival = async () => {
  if (performance.now() < SLOW_MS) await early.painted
  requestScript()
}
addEventListener('readystatechange', onArrival, { capture: true, once: true })
