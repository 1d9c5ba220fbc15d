// Loaded by `layouts/frame.ts` when the page is there and idle, not on a first visit: the service worker, and the
// bar that says when a page is a kept copy, or that the network is gone.
import { bar as arabic } from '../../../locales/ar/offline.json' with { type: 'json' }
import { bar as english } from '../../../locales/en/offline.json' with { type: 'json' }
import { bar as french } from '../../../locales/fr/offline.json' with { type: 'json' }
import { fillText, formatDate } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import type { ToWorker } from '../../rules/offline.ts'
import { TOKEN_KEY } from '../../rules/storage-keys.ts'
import { readToken } from '../../rules/token.ts'
import { dropForeignDocuments } from '../../stores/offline/phone.ts'
import sheet from './offline-bar.css?inline'
import { registerWorker } from './register.ts'

type Texts = (typeof TEXTS)['ar']

/** Few enough to come in all languages with the script. */
const TEXTS = { ar: arabic, fr: french, en: english }

/** How often a page that is a copy asks whether its shop can be reached again (ms). */
const ASK_EVERY_MS = 15_000

const root = document.documentElement
const locale = root.lang as Locale
/** When the server sent this copy; '' in place of a page, undefined for a page from the network. */
const { kept } = root.dataset

const bar = document.createElement('div')
bar.className = 'offline-bar'
bar.role = 'status'

function show(text: string, action?: string): void {
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

function showState(said: Texts): void {
  if (kept) {
    const date = formatDate(locale, new Date(kept).toISOString())
    show(fillText(said.kept, { date: `\u2068${date}\u2069` }), said.reload)
  } else if (kept === undefined && !navigator.onLine) show(said.offline)
  else bar.replaceChildren()
}

/** Whether a reload would take something away from under the visitor's hands. */
const isInUse = () =>
  document.activeElement?.matches('input, textarea, select') ||
  document.querySelector('dialog[open]')

/** Replaces a copy by the page as soon as the shop can be reached. */
async function renew(): Promise<void> {
  if (document.hidden || isInUse()) return
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => null)
  if (answer?.ok && !isInUse()) location.reload()
}

const userIdOf = (token: string) => readToken(token, Date.now())?.userId

function start(): void {
  void dropForeignDocuments(userIdOf(localStorage.getItem(TOKEN_KEY) ?? ''))
  const said = TEXTS[locale]
  const style = new CSSStyleSheet()
  style.replaceSync(sheet)
  document.adoptedStyleSheets.push(style)
  document.body.append(bar)
  showState(said)
  addEventListener('online', () => showState(said))
  addEventListener('offline', () => showState(said))
  if (kept === undefined) return
  document.addEventListener('click', ({ target }) => {
    const control = target instanceof Element && target.closest('[data-do=add], [data-do=buy]')
    if (control) show(said.refused, said.reload)
  })
  addEventListener('online', renew)
  addEventListener('visibilitychange', renew, true)
  setInterval(renew, ASK_EVERY_MS)
}

interface Navigated extends PerformanceEntry {
  deliveryType?: string
  activationStart?: number
}

/** Tells the worker of pages that were opened past it: those before it was there, and what was fetched ahead. */
async function tellVisited(): Promise<void> {
  const { controller, ready } = navigator.serviceWorker
  const [entry] = performance.getEntriesByType('navigation') as Navigated[]
  const wasAhead = entry?.deliveryType === 'navigational-prefetch' || entry?.activationStart
  if (controller && !wasAhead) return
  const visited = controller ? [location.href] : [document.referrer, location.href]
  const message: ToWorker = { visited }
  const { active } = await ready
  active?.postMessage(message)
}

void registerWorker()
void tellVisited()
start()
