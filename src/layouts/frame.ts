// Part of the page's script: the frame of every page, which also works without it.
import { OPENED_HEADER } from '../rules/fetched-ahead.ts'
import { LANGUAGE_KEY } from '../rules/storage-keys.ts'
import { attempt } from './remembered.ts'

interface FetchedAhead extends PerformanceEntry {
  deliveryType?: string
}

declare global {
  interface Document {
    readonly prerendering?: boolean
  }
}

const whenLoaded = (run: () => void) =>
  document.readyState === 'complete' ? run() : addEventListener('load', run)

// The payer has returned from a gateway: wake the overlays, which show the payment's state.
if (new URLSearchParams(location.search).has('payment')) {
  whenLoaded(() => dispatchEvent(new Event('karras:wake')))
}

const { lang, dataset } = document.documentElement
const chosen = attempt(() => localStorage[LANGUAGE_KEY])
const offer =
  chosen === lang ? null : document.querySelector<HTMLTemplateElement>(`[data-offer="${chosen}"]`)
const shown = offer?.content.firstElementChild
if (offer && shown) {
  offer.replaceWith(shown)
  document.addEventListener('click', ({ target }) => {
    const choice = target instanceof Element && target.closest('[data-language]')
    // The link opens the other language; the button dismisses the offer.
    if (choice && !(choice instanceof HTMLAnchorElement)) shown.remove()
  })
}

/** For how long after a page's load event its islands have the connection to themselves (ms). */
const ISLANDS_FIRST_MS = 1000

// The offline script is not loaded on a first visit, whose bytes matter most, but from the second
// page on, and for visitors who are logged in, have a filled cart or have the worker already.
const { serviceWorker } = navigator
const isKnown = dataset.remembers === 'true' || document.referrer.startsWith(location.origin)
const offlineScript = document.querySelector<HTMLElement>('[data-offline]')?.dataset.offline
if (offlineScript && serviceWorker && (serviceWorker.controller || isKnown)) {
  // If it fails, the page works as on a first visit.
  const load = () => void import(offlineScript).catch(() => {})
  // Wait for the islands, which may load after the load event. Waiting for idle time would not do,
  // since a slow connection leaves the processor idle.
  whenLoaded(() => setTimeout(load, ISLANDS_FIRST_MS))
}

// A prefetched page counts as viewed only once it is opened.
const count = () =>
  void fetch(location.href, { method: 'HEAD', headers: { [OPENED_HEADER]: '1' } }).catch(() => {})
const [entry] = performance.getEntriesByType('navigation') as FetchedAhead[]
if (document.prerendering) document.addEventListener('prerenderingchange', count)
else if (entry?.deliveryType === 'navigational-prefetch') count()
