// Part of the page's script: the frame of every page, which also works without it.
import { OPENED_HEADER } from '../rules/visits.ts'
import { callOverlays } from '../stores/shared/dialogs.ts'
import { $language } from '../stores/shared/language.ts'

interface FetchedAhead extends PerformanceEntry {
  deliveryType?: string
}

declare global {
  interface Document {
    readonly prerendering?: boolean
  }
}

const later = document.querySelector<HTMLLinkElement>('#later')
if (later) later.media = 'all'

// The payer has returned from a gateway: the overlays show the payment's state, and so do the
// orders and the wallet, where they cannot be loaded.
if (new URLSearchParams(location.search).has('payment')) callOverlays().catch(() => undefined)

// Offers the language that the visitor chose earlier, if the page is in another.
const offer = document.querySelector<HTMLTemplateElement>(
  `[data-offer="${CSS.escape($language.get())}"]`,
)
const shown = offer?.content.firstElementChild
if (offer && shown) {
  offer.replaceWith(shown)
  shown.querySelector('button')?.addEventListener('click', () => shown.remove())
}

/** For how long after a page's load event its islands have the connection to themselves (ms). */
const ISLANDS_FIRST_MS = 1000

// The offline script is not loaded on a first visit, whose bytes matter most, but from the second
// page on, and for visitors who are logged in, have a filled cart or have the worker already.
const { remembers } = document.documentElement.dataset
const isKnown = remembers === 'true' || document.referrer.startsWith(location.origin)
if (import.meta.env.PROD && (navigator.serviceWorker?.controller || isKnown)) {
  // Waiting for idle time would not do, since a slow connection leaves the processor idle.
  const loadLater = () => setTimeout(loadOffline, ISLANDS_FIRST_MS)
  if (document.readyState === 'complete') loadLater()
  else addEventListener('load', loadLater)
}

function loadOffline(): void {
  if (!navigator.serviceWorker) return
  // If it fails, the page works as on a first visit.
  import('../islands/offline/offline.ts').catch(() => undefined)
}

// A prefetched page counts as viewed only once it is opened.
function countView(): void {
  fetch(location.href, { method: 'HEAD', headers: { [OPENED_HEADER]: '1' } }).catch(() => undefined)
}
const [navigation] = performance.getEntriesByType('navigation') as FetchedAhead[]
if (document.prerendering) document.addEventListener('prerenderingchange', countView)
else if (navigation?.deliveryType === 'navigational-prefetch') countView()
