// Part of the paint script: requests what a page needs after it is painted, and holds the visitor's
// events until the intent script can handle them.
import { fetchModule } from '../islands/intent/fetch-module.ts'
import { heldControl } from '../islands/intent/held-control.ts'
import { early } from './remembered.ts'

/**
 * The events that request the intent script and are held for it: those of the visitor, of which a
 * hover and a scroll come before the first touch, and the one by which islands wake the sleeping
 * ones.
 */
const HELD = 'pointerover scroll pointerdown focusin keydown click submit input change karras:wake'

const linkOf = (id: string) => document.querySelector<HTMLLinkElement>(`#${id}`)

/** Fetches the script of a link in the head and runs it, once; later calls do nothing. */
const run = async (id: string) => {
  const link = linkOf(id)
  if (!link) return
  link.id = ''
  await fetchModule(link.href)
}

/** Requests what answers the visitor: the intent script, and the styles of what is hidden at first. */
const requestAnswers = () => {
  const style = document.querySelector<HTMLLinkElement>('[as=style]')
  if (style && linkOf('intent-script')) {
    // Better unstyled than never.
    style.onerror = () => style.remove()
    style.rel = 'stylesheet'
    style.media = ''
  }
  // Without the script, let presses work as they do without scripts.
  run('intent-script').catch(() => delete early.events)
}

const hold = (event: Event) => {
  if (!early.events) return
  const target = event.target as Element
  const island = target.closest?.('astro-island[ssr][client=intent]')
  const isForScript = island || /:/.test(event.type) || target.closest?.('[data-do]')
  // A mouse that lies still over a page that opens is reported as a hover.
  if (isForScript || event.type !== 'pointerover') requestAnswers()
  if (!isForScript) return
  early.events.push(event)
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

/** A page whose first bytes took longer than this (ms) comes over a slow connection. */
const SLOW_MS = 300
const isSlow = performance.now() > SLOW_MS
// There, the script would answer too late if it were requested at the first touch; requested now, it
// arrives right after the page.
if (isSlow) {
  for (const link of document.querySelectorAll<HTMLLinkElement>('[as=style],#intent-script'))
    link.media = ''
}

// A prerendered page is not painted before it is opened, so nothing waits for that.
early.painted = document.prerendering
  ? undefined
  : new Promise((resolve) =>
      new PerformanceObserver((paints) => {
        if (paints.getEntriesByName('first-contentful-paint')[0]) resolve()
      }).observe({ type: 'paint', buffered: true }),
    )

// Once the whole page has arrived and, unless the connection is slow, has been painted: on a fast
// one, the scripts would otherwise arrive before the text is painted.
const onArrival = async () => {
  if (!isSlow) await early.painted
  // Forms, islands that do not wait for a touch, and the pages of the development server.
  const isForScript =
    linkOf('intent-script')?.media === '' ||
    document.querySelector('astro-island:not([client=intent])') ||
    !early.events
  if (isForScript) requestAnswers()
  run('page-script').catch(() => {})
}
addEventListener('readystatechange', onArrival, { capture: true, once: true })
