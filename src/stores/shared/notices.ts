import { atom, readonlyType } from 'nanostores'
import { cleanItem, type NewItem } from '../../rules/cart.ts'
import { finalPrice } from '../../rules/discount.ts'
import type { Millimes } from '../../rules/money.ts'
import { NOTICE_KEY, WALLET_INTRO_KEY } from '../../rules/storage-keys.ts'
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

function show(notice: Notice): void {
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
  show({ kind: 'problem', code })
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
  show({ kind: 'added', ...added })
  if ($walletIntro.get()) return
  $walletIntro.set('yes')
  openDialog({ kind: introduction, item: added })
  // Behind the introduction the notice cannot be pressed, so that its time begins afterwards.
  const stop = $dialog.listen((dialog) => {
    stop()
    if (dialog === null) show({ kind: 'added', ...added })
  })
}

/** A notice that a page leaves for the next page, to which it sends the visitor. */
export type PageNotice =
  | { kind: 'registered'; email: string }
  | { kind: 'purchased' }
  | { kind: 'partly_purchased'; titles: string[] }

/** Leaves a notice for the next page of this tab; without storage it is not shown. */
export function leaveNotice(notice: PageNotice): void {
  try {
    sessionStorage.setItem(NOTICE_KEY, JSON.stringify(notice))
  } catch {}
}

/** The notice of one of these kinds that the previous page left; taking it removes it. */
export function takeNotice<K extends PageNotice['kind']>(
  kinds: readonly K[],
): Extract<PageNotice, { kind: K }> | null {
  try {
    const notice: unknown = JSON.parse(sessionStorage.getItem(NOTICE_KEY) ?? 'null')
    if (!isPageNotice(notice) || !kinds.includes(notice.kind as K)) return null
    sessionStorage.removeItem(NOTICE_KEY)
    return notice as Extract<PageNotice, { kind: K }>
  } catch {
    return null
  }
}

function isPageNotice(value: unknown): value is PageNotice {
  if (typeof value !== 'object' || value === null) return false
  const { kind, titles, email } = value as Record<string, unknown>
  if (kind === 'purchased') return true
  if (kind === 'registered') return typeof email === 'string'
  const areTexts = Array.isArray(titles) && titles.every((title) => typeof title === 'string')
  return kind === 'partly_purchased' && areTexts
}
