// Part of the page's script: the controls of documents, which are plain markup. It shows what this
// browser remembers of the visitor, answers presses (what they do is in the stores), and opens the
// questions and notices that `components/Questions.astro` has put at the end of the page.
import { bareAmount, fillText, isolate, priceParts } from '../i18n/format.ts'
import type { Locale } from '../i18n/locales.ts'
import { pathIn } from '../i18n/paths.ts'
import { accountAddress } from '../islands/parts/addresses.ts'
import { has } from '../rules/cart.ts'
import { RENEWAL_MS } from '../rules/durations.ts'
import { type Act, isPurchase, type Tap } from '../rules/taps.ts'
import { $cart } from '../stores/cart/cart.ts'
import { answerTap, askForDownload, continueAnonymously } from '../stores/purchase/shopping.ts'
import { logOut } from '../stores/session/log-in.ts'
import { $session } from '../stores/session/session.ts'
import { $dialog, callOverlays, closeDialog, type Dialog } from '../stores/shared/dialogs.ts'
import { $notice, announceProblem, dismissNotice, type Notice } from '../stores/shared/notices.ts'
import { settle } from '../stores/shared/settle.ts'
import {
  $orderedDocuments,
  $ownedIds,
  $savedBalance,
  $savedName,
  $wishedIds,
} from '../stores/user-data/user-data.ts'

const root = document.documentElement
const locale = root.lang as Locale

/** What a document is to the visitor; decides which of its controls are shown. */
type State = 'owned' | 'ordered' | 'cart' | ''

function paint(): void {
  const session = $session.get()
  const balance = $savedBalance.get()
  const cart = $cart.get()
  root.dataset.session = session ? 'in' : 'out'
  root.dataset.owns = String(Boolean($ownedIds.get()?.[0]))
  root.dataset.remembers = String(Boolean(session ?? cart.items[0]))
  write('[data-cart-count]', String(cart.items.length || ''))
  write('[data-balance]', balance === null ? '' : priceParts(locale, balance).number)
  const name = $savedName.get()
  if (name) write('[data-name]', name)
  for (const controls of document.querySelectorAll<HTMLElement>('[data-document]')) {
    paintControls(controls, stateOf(Number(controls.dataset.document)))
  }
  for (const heart of document.querySelectorAll<HTMLElement>('[data-heart]')) {
    heart.ariaPressed = String($wishedIds.get()?.includes(Number(heart.dataset.heart)) ?? false)
  }
}

function stateOf(documentId: number): State {
  // A document that has been paid for since is owned, no longer on order.
  if ($ownedIds.get()?.includes(documentId)) return 'owned'
  if ($orderedDocuments.get()?.[documentId]) return 'ordered'
  return has($cart.get(), documentId) ? 'cart' : ''
}

/** Gives a document the controls of its state, each with the title at its end for screen readers. */
function paintControls(controls: HTMLElement, state: State): void {
  const was = controls.dataset.state
  controls.dataset.state = state
  const button = controls.querySelector('[data-do=add]')
  const title = button?.lastElementChild
  // In the order of `ControlTemplates.astro`.
  const [add, inCart, owned] =
    document.querySelector<HTMLTemplateElement>('#controls')?.content.children ?? []
  if (was === state || !button || !title || !add || !inCart || !owned) return
  const model = state === 'cart' ? inCart : add
  button.className = model.className
  button.replaceChildren(...model.cloneNode(true).childNodes, title)
  if (state === 'owned' && !controls.querySelector('.when-owned')) {
    const buttons = owned.cloneNode(true) as Element
    for (const each of buttons.children) each.append(title.cloneNode(true))
    controls.prepend(buttons)
  }
}

function write(selector: string, text: string): void {
  for (const element of document.querySelectorAll(selector)) {
    if (element.textContent !== text) element.textContent = text
  }
}

for (const $store of [
  $session,
  $savedName,
  $savedBalance,
  $cart,
  $ownedIds,
  $orderedDocuments,
  $wishedIds,
]) {
  $store.listen(paint)
}
paint()
// The shop has replaced its results: `components/shop/swap.ts`.
document.addEventListener('catalogue:swapped', paint)

/** How long the log-out waits for its call (ms). */
const LOG_OUT_MS = 1500

function tapOf(control: HTMLElement): Tap | undefined {
  const controls = control.closest<HTMLElement>('[data-document]')
  if (!controls) return
  const { document: id, price, discount, subject, color, picture } = controls.dataset
  const title = controls.querySelector('[data-do=add]')?.lastElementChild?.textContent
  return {
    act: control.dataset.do as Act,
    item: {
      documentId: Number(id),
      title: title?.trim() ?? '',
      price: Number(price),
      priceDiscount: discount ? Number(discount) : undefined,
      subject,
      color,
      picture,
    },
    isOnDetails: controls.matches('.add-to-cart--details'),
  }
}

/**
 * `clicks` is 2 for the second click of a double click, which would open the cart, or take the wish
 * back.
 */
async function press(control: HTMLElement, clicks: number): Promise<void> {
  if (control.dataset.do === 'log-out') return leave(control)
  const tap = tapOf(control)
  if (!tap || clicks > 1) return
  // The prices of a kept copy may be outdated.
  if (isPurchase(tap.act) && root.dataset.kept !== undefined) return
  const answer = answerTap(tap)
  if (answer === 'open-cart') return location.assign(pathIn(locale, '/checkout'))
  if (answer === 'download') askForDownload({ item: tap.item, control })
  if (answer === 'buy' || answer === 'read' || answer === 'download') {
    control.ariaBusy = 'true'
    await callOverlays().catch(() => announceProblem('not_loaded'))
    control.ariaBusy = null
  }
}

async function leave(button: HTMLElement): Promise<void> {
  button.ariaBusy = 'true'
  await settle([logOut()], LOG_OUT_MS)
  location.assign(pathIn(locale, '/'))
}

let hasSync = false
let hasOverlays = false

/** The first touch of a customer loads what the next press may need. */
function touch(): void {
  if ((hasSync && hasOverlays) || $session.get()?.role !== 'PARENT') return
  hasOverlays = true
  callOverlays().catch(() => undefined) // the press that needs them says so
  void bringTogether()
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

// Not captured, so that a slider can stop the click at the end of a drag.
document.onclick = ({ target, detail }) => {
  const control = target instanceof Element && target.closest<HTMLElement>('[data-do]')
  if (control && !control.ariaBusy) void press(control, detail)
}
for (const pressed of document.querySelectorAll<HTMLElement>('[data-do][aria-busy]')) {
  pressed.ariaBusy = null
  void press(pressed, 1)
}
for (const type of ['pointerdown', 'focusin', 'keydown']) addEventListener(type, touch, true)
setTimeout(() => document.visibilityState === 'visible' && void bringTogether(), RENEWAL_MS)

const questions = document.querySelectorAll<HTMLDialogElement>('[data-question]')

function ask(asked: Dialog | null): void {
  for (const question of questions) {
    if (asked && question.dataset.question === asked.kind) open(question, asked)
    else question.close()
  }
  // The other dialogs are React's.
  const isHere = [...questions].some(({ open }) => open)
  if (asked && !isHere) callOverlays().catch(closeDialog)
}

function open(question: HTMLDialogElement, { item }: Dialog): void {
  if (question.open) return
  const logIn = question.querySelector<HTMLAnchorElement>('a[data-log-in]')
  if (logIn) logIn.href = accountAddress(locale)
  const added = question.querySelector<HTMLElement>('[data-added]')
  if (added) {
    added.textContent = fillText(added.dataset.added ?? '', { title: isolate(`${item?.title}`) })
  }
  question.showModal()
}

for (const question of questions) {
  // After Escape, a press beside it or on one of its buttons.
  question.addEventListener('close', () => {
    // The event comes late: the question may have been asked again meanwhile.
    if (!question.open && $dialog.get()?.kind === question.dataset.question) closeDialog()
  })
  question.addEventListener('click', ({ target, detail }) => {
    // Not the second click of a double click on the control that asked.
    if (target === question && detail < 2) question.close()
  })
  question.querySelector('[data-continue]')?.addEventListener('click', continueAnonymously)
}

function show(notice: Notice | null): void {
  for (const toast of document.querySelectorAll<HTMLElement>('[data-toast]')) {
    toast.hidden = toast.dataset.toast !== notice?.kind
    if (!notice || toast.hidden) continue
    if (notice.kind === 'added') writeAdded(toast, notice)
    else {
      for (const problem of toast.querySelectorAll<HTMLElement>('[data-problem]')) {
        problem.hidden = problem.dataset.problem !== notice.code
      }
    }
  }
}

function writeAdded(toast: HTMLElement, { title, price }: Notice & { kind: 'added' }): void {
  const name = toast.querySelector('[dir]')
  if (name) name.textContent = title
  const amount = toast.querySelector<HTMLElement>('.price')
  if (!amount) return
  amount.textContent = price === 0 ? (amount.dataset.free ?? '') : bareAmount(locale, price)
  amount.classList.toggle('price--free', price === 0)
}

for (const link of document.querySelectorAll('[data-toast] a')) {
  link.addEventListener('click', (event) => {
    // The notice may come below the finger between the two clicks of a double click.
    if ((event as MouseEvent).detail > 1) event.preventDefault()
  })
}
for (const button of document.querySelectorAll('[data-dismiss]')) {
  button.addEventListener('click', dismissNotice)
}

$dialog.subscribe(ask)
$notice.subscribe(show)
