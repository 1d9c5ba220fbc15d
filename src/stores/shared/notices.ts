import { atom, readonlyType } from 'nanostores'
import { cleanItem, type NewItem } from '../../rules/cart.ts'
import { finalPrice } from '../../rules/discount.ts'
import type { Millimes } from '../../rules/money.ts'
import { WALLET_INTRO_KEY } from '../../rules/storage-keys.ts'
import { NOTICE_MS, type NoticeProblem } from '../../rules/taps.ts'
import { $dialog, openDialog } from './dialogs.ts'
import { persistedText } from './persistence.ts'

/** What the toast shows for `NOTICE_MS`. */
export type Notice =
  /** A document that was just put into the cart, and its final price. */
  | { kind: 'added'; documentId: number; title: string; price: Millimes }
  | { kind: 'problem'; code: NoticeProblem }

const $shown = atom<Notice | null>(null)
export const $notice = readonlyType($shown)

let timer: ReturnType<typeof setTimeout> | undefined

function showNotice(notice: Notice): void {
  clearTimeout(timer)
  $shown.set(notice)
  timer = setTimeout(dismissNotice, NOTICE_MS)
}

export function dismissNotice(): void {
  clearTimeout(timer)
  $shown.set(null)
}

/** Announces a problem for which the page has no better place. */
export function announceProblem(code: NoticeProblem): void {
  showNotice({ kind: 'problem', code })
}

const $walletIntro = persistedText(WALLET_INTRO_KEY)

/**
 * Announces that a document is in the cart; after the very first one, `introduction` introduces the
 * wallet, once.
 */
export function announceAdded(
  item: NewItem,
  introduction: 'wallet-intro' | 'first-purchase',
): void {
  const { documentId, title, ...priced } = cleanItem(item)
  const added = { documentId, title, price: finalPrice(priced) }
  showNotice({ kind: 'added', ...added })
  if ($walletIntro.get()) return
  $walletIntro.set('yes')
  openDialog({ kind: introduction, item: added })
  // The introduction covers the notice, so its time begins afterwards.
  const stop = $dialog.listen((dialog) => {
    stop()
    if (dialog === null) showNotice({ kind: 'added', ...added })
  })
}
