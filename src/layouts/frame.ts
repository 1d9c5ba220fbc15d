// The script of every page's frame; the page works without it.
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

// The payer has come back from a gateway: wakes the overlays, which show the payment's state.
if (new URLSearchParams(location.search).has('payment')) {
  addEventListener('load', () => dispatchEvent(new Event('karras:wake')))
}

const { lang } = document.documentElement
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

// A page that was fetched ahead counts as looked at only now that it is open.
const count = () =>
  void fetch(location.href, { method: 'HEAD', headers: { [OPENED_HEADER]: '1' } }).catch(() => {})
const [entry] = performance.getEntriesByType('navigation') as FetchedAhead[]
if (document.prerendering) document.addEventListener('prerenderingchange', count)
else if (entry?.deliveryType === 'navigational-prefetch') count()
