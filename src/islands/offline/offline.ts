import { bar as arabic } from '../../../locales/ar/offline.json' with { type: 'json' }
import { bar as english } from '../../../locales/en/offline.json' with { type: 'json' }
import { bar as french } from '../../../locales/fr/offline.json' with { type: 'json' }
import { formatDate } from '../../i18n/dates.ts'
import { fillText, isolate } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { type ToWorker, WORKER_ADDRESS, WORKER_POLICY } from '../../rules/offline.ts'
import { CLOCK_KEY, TOKEN_KEY } from '../../rules/storage-keys.ts'
import { readToken, serverTime } from '../../rules/token.ts'
import { dropForeignDocuments } from '../../stores/user-data/phone.ts'
import sheet from './offline-bar.css?inline'

// Loaded by `layouts/page.ts` a second after the page, not on a first visit: registers the service
// worker, and shows the bar that says that a page is a kept copy or that the network is down.

type Texts = (typeof TEXTS)['ar']

/** So few texts that the script contains them in all languages. */
const TEXTS = { ar: arabic, fr: french, en: english } satisfies Record<Locale, typeof arabic>

/** How often a kept copy checks whether the shop can be reached again (ms). */
const CHECK_EVERY_MS = 15_000

const root = document.documentElement
const locale = root.lang as Locale
/** When the server sent this copy; '' on the "offline" page, undefined without a copy. */
const { kept } = root.dataset

const bar = document.createElement('div')
bar.className = 'offline-bar'
bar.role = 'status'

function showBar(text: string, action?: string): void {
  const line = document.createElement('p')
  line.textContent = text
  bar.replaceChildren(line)
  if (!action) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  button.textContent = action
  button.addEventListener('click', () => location.reload())
  bar.append(button)
}

function showState(texts: Texts): void {
  if (kept) {
    const date = formatDate(locale, new Date(kept).toISOString())
    showBar(fillText(texts.kept, { date: isolate(date) }), texts.reload)
  } else if (kept === undefined && !navigator.onLine) showBar(texts.offline)
  else bar.replaceChildren()
}

/** Whether a reload would disturb the visitor: a field has the focus, or a dialog is open. */
const isInUse = () =>
  document.activeElement?.matches('input, textarea, select') ||
  document.querySelector('dialog[open]')

/** Replaces a kept copy with the page as soon as the shop can be reached. */
async function renew(): Promise<void> {
  if (document.hidden || isInUse()) return
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => null)
  if (answer?.ok && !isInUse()) location.reload()
}

const userIdOf = (token: string) =>
  readToken(token, serverTime(Date.now(), localStorage.getItem(CLOCK_KEY)))?.userId

function start(): void {
  void dropForeignDocuments(userIdOf(localStorage.getItem(TOKEN_KEY) ?? ''))
  const texts = TEXTS[locale]
  const style = new CSSStyleSheet()
  style.replaceSync(sheet)
  document.adoptedStyleSheets.push(style)
  document.body.append(bar)
  showState(texts)
  addEventListener('online', () => showState(texts))
  addEventListener('offline', () => showState(texts))
  if (kept === undefined) return
  document.addEventListener('click', ({ target }) => {
    const control = target instanceof Element && target.closest('[data-do=add], [data-do=buy]')
    if (control) showBar(texts.refused, texts.reload)
  })
  addEventListener('online', renew)
  addEventListener('visibilitychange', renew, true)
  setInterval(renew, CHECK_EVERY_MS)
}

interface Navigated extends PerformanceEntry {
  deliveryType?: string
  activationStart?: number
}

/** Reports pages that the worker did not see: opened before it was active, or prefetched. */
async function tellVisited(): Promise<void> {
  const { controller, ready } = navigator.serviceWorker
  const [entry] = performance.getEntriesByType('navigation') as Navigated[]
  const wasAhead = entry?.deliveryType === 'navigational-prefetch' || entry?.activationStart
  if (controller && !wasAhead) return
  const here = { url: location.href, since: performance.timeOrigin }
  // Nothing says when the page before was opened: before any log-out, for all that is known.
  const before = { url: document.referrer, since: 0 }
  const message: ToWorker = { visited: controller ? [here] : [before, here] }
  const { active } = await ready
  active?.postMessage(message)
}

void registerWorker()
void tellVisited()
start()

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(address: string): string }
}

/** Registers the service worker; if the browser refuses, the shop works without it. */
async function registerWorker(): Promise<void> {
  // The only policy that the page's CSP allows; it returns nothing but the worker's URL.
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy(WORKER_POLICY, {
    createScriptURL: () => WORKER_ADDRESS,
  })
  const address = policy?.createScriptURL(WORKER_ADDRESS) ?? WORKER_ADDRESS
  await navigator.serviceWorker.register(address).catch(() => {})
}
