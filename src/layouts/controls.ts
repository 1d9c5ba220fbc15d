// Part of the page's script: answers the controls of documents, and the log-out. They are plain
// markup; what they do is in the stores.
import type { Locale } from '../i18n/locales.ts'
import { pathIn } from '../i18n/paths.ts'
import { type Act, isPurchase, type Tap } from '../rules/taps.ts'
import { answerTap, askForDownload } from '../stores/purchase/shopping.ts'
import { logOut } from '../stores/session/log-in.ts'
import { $session } from '../stores/session/session.ts'
import { callOverlays } from '../stores/shared/dialogs.ts'
import { announceProblem } from '../stores/shared/notices.ts'
import { settle } from '../stores/shared/settle.ts'

const root = document.documentElement
const locale = root.lang as Locale

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

/** At the first touch of a customer, the page asks the server for what it shows of them. */
async function touch(): Promise<void> {
  if (hasSync || $session.get()?.role !== 'PARENT') return
  hasSync = true
  callOverlays().catch(() => undefined) // the press that needs them says so
  try {
    const { startSync } = await import('../stores/sync.ts')
    startSync()
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
