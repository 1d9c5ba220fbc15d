// The script of the shop's pages, loaded deferred: the elements that many pages have, and what
// concerns the page as a whole. Nothing here needs React or a call.
import '../components/add-to-cart.ts'
import '../components/language-offer.ts'
import '../components/menu.ts'
import '../components/loader.ts'
import '../components/log-out.ts'
import '../components/own-class.ts'
import '../components/questions.ts'
import '../components/toast.ts'
import '../components/visitor-text.ts'
import './first-font.ts'
import { root } from '../components/painted.ts'
import { RENEWAL_MS } from '../rules/durations.ts'
import { CODE_PARAMETER, OPENED_HEADER } from '../rules/visits.ts'
import { $cart } from '../stores/cart/cart.ts'
import { $session } from '../stores/session/session.ts'
import { callOverlays } from '../stores/shared/dialogs.ts'
import { $keptCode } from '../stores/user-data/kept-cart.ts'
import { $following, $ownedIds } from '../stores/user-data/user-data.ts'

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

/** Keeps what `head.ts` has decided by what was stored: which parts the styles show to whom. */
function paintRoot(): void {
  const session = $session.get()
  root.dataset.session = session ? 'in' : 'out'
  root.dataset.owns = String(Boolean($ownedIds.get()?.[0]))
  root.dataset.news = String($following.get()?.hasNews)
  root.dataset.remembers = String(Boolean(session ?? $cart.get().items[0]))
}
for (const $store of [$session, $cart, $ownedIds, $following]) $store.listen(paintRoot)
paintRoot()

// Answers what `head.ts` has marked: controls that were pressed before their elements were there.
document.onclick = null
for (const pressed of document.querySelectorAll<HTMLElement>('[data-do][aria-busy]')) {
  pressed.ariaBusy = null
  pressed.click()
}

let hasSync = false
let hasOverlays = false

/** The first touch of a customer loads what the next press may need. */
function touch(): void {
  if ($session.get()?.role !== 'PARENT') return
  void bringTogether()
  if (hasOverlays) return
  hasOverlays = true
  callOverlays().catch(() => undefined) // the press that needs them says so
}

/** From the first touch on, or once the page has been open for a while, it asks for what it shows. */
async function bringTogether(): Promise<void> {
  if (hasSync || $session.get()?.role !== 'PARENT') return
  hasSync = true
  try {
    const sync = await import('../stores/sync.ts')
    sync.startSync()
  } catch {
    hasSync = false // probably offline
  }
}
for (const type of ['pointerdown', 'focusin', 'keydown']) addEventListener(type, touch, true)
setTimeout(() => document.hidden || void bringTogether(), RENEWAL_MS)

/** A shorter scroll says nothing about where the visitor wants to go. */
const DELIBERATE_SCROLL_PX = 8
let scrolledTo = 0

// A phone's header leaves and comes back (`components/header.css`); not before it is scrolled past.
addEventListener('scroll', () => {
  const moved = scrollY - scrolledTo
  if (Math.abs(moved) <= DELIBERATE_SCROLL_PX) return
  scrolledTo = scrollY
  document.body.toggleAttribute('data-down', moved > 0 && scrollY > 99)
})

const address = new URL(location.href)
const { searchParams } = address

// A link's code waits for a purchase in this browser, not in the address that may be passed on.
const code = searchParams.get(CODE_PARAMETER)
if (code) {
  // Roughly `isCode`, whose file every page would load.
  if (/^[\w-]{3,20}$/.test(code)) $keptCode.set(code)
  searchParams.delete(CODE_PARAMETER)
  history.replaceState(history.state, '', address)
}

// The payer has returned from a gateway: the overlays show the payment's state, and so do the
// orders and the wallet, where they cannot be loaded.
if (searchParams.has('payment')) callOverlays().catch(() => undefined)

/** For how long after a page's load event its islands have the connection to themselves (ms). */
const ISLANDS_FIRST_MS = 1000

// The offline script is not loaded on a first visit, whose bytes matter most, but from the second
// page on, and for visitors who are logged in, have a filled cart or have the worker already.
const { serviceWorker: worker } = navigator
const isKnown = root.dataset.remembers === 'true' || document.referrer.startsWith(location.origin)
if (import.meta.env.PROD && worker && (worker.controller || isKnown)) {
  // Waiting for idle time would not do, since a slow connection leaves the processor idle.
  addEventListener('load', () => setTimeout(loadOffline, ISLANDS_FIRST_MS))
}

function loadOffline(): void {
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
