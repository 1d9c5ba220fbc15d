// Part of the page's script: what stands around every page, which works without it.
import './loader.ts'
import './taps.ts'
import { OPENED_HEADER } from '../rules/fetched-ahead.ts'
import { rememberedLanguage } from './menus.ts'

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

// The payer has come back from a gateway: wakes the overlays, which show the payment's state.
if (new URLSearchParams(location.search).has('payment')) {
  whenLoaded(() => dispatchEvent(new Event('karras:wake')))
}

const { lang, dataset } = document.documentElement
const chosen = rememberedLanguage()
const offer =
  chosen === lang ? null : document.querySelector<HTMLTemplateElement>(`[data-offer="${chosen}"]`)
const shown = offer?.content.firstElementChild
if (offer && shown) {
  offer.replaceWith(shown)
  document.addEventListener('click', ({ target }) => {
    const choice = target instanceof Element && target.closest('[data-language]')
    // A link leads to the other language; the button dismisses the offer.
    if (choice && !(choice instanceof HTMLAnchorElement)) shown.remove()
  })
}

/** For how long after the load of a page its islands have the line to themselves (ms). */
const ISLANDS_FIRST_MS = 1000

// What is kept for the time without a network is not loaded on a first visit, whose bytes count most, but from the
// second page on, for who has logged in or filled a cart, and for who has the worker already.
const { serviceWorker } = navigator
const isKnown = dataset.remembers === 'true' || document.referrer.startsWith(location.origin)
const offlineScript = document.querySelector<HTMLElement>('[data-offline]')?.dataset.offline
if (offlineScript && serviceWorker && (serviceWorker.controller || isKnown)) {
  // Without it, the page is as it would be on a first visit.
  const load = () => void import(offlineScript).catch(() => {})
  // After the islands, which may come after the load: a slow line leaves the processor idle meanwhile.
  whenLoaded(() => setTimeout(load, ISLANDS_FIRST_MS))
}

// A page that was fetched ahead counts as looked at only now that it is open.
const count = () =>
  void fetch(location.href, { method: 'HEAD', headers: { [OPENED_HEADER]: '1' } }).catch(() => {})
const [entry] = performance.getEntriesByType('navigation') as FetchedAhead[]
if (document.prerendering) document.addEventListener('prerenderingchange', count)
else if (entry?.deliveryType === 'navigational-prefetch') count()
