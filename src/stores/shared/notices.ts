import { atom, readonlyType } from 'nanostores'
import type { Millimes } from '../../rules/money.ts'
import { NOTICE_KEY, WALLET_INTRO_KEY } from '../../rules/storage-keys.ts'
import type { ReadingProblem } from '../library/reading.ts'
import { openDialog } from './dialogs.ts'
import { persistedText } from './persistence.ts'
import type { ProblemCode } from './problem.ts'

const CART_TOAST_MS = 5000

/** The recently-added notice: the final price, the moment in ms since 1970. */
export interface AddedNotice {
  documentId: number
  title: string
  price: Millimes
  timestamp: number
}

/** What the toast says for 5 seconds. */
export type Notice =
  | ({ kind: 'added' } & AddedNotice)
  | { kind: 'problem'; code: ReadingProblem }
  /** The wishlist is as it was. */
  | { kind: 'wish-problem'; code: ProblemCode }

const $shown = atom<Notice | null>(null)
export const $notice = readonlyType($shown)

let timer: ReturnType<typeof setTimeout> | undefined

function show(notice: Notice): void {
  clearTimeout(timer)
  $shown.set(notice)
  timer = setTimeout(dismissNotice, CART_TOAST_MS)
}

export function dismissNotice(): void {
  clearTimeout(timer)
  $shown.set(null)
}

/** A problem that has no better place on the page to stand at. */
export function announceProblem(code: ReadingProblem): void {
  show({ kind: 'problem', code })
}

/** A wish that the server refused. */
export function announceWishProblem(code: ProblemCode): void {
  show({ kind: 'wish-problem', code })
}

const $walletIntro = persistedText(WALLET_INTRO_KEY)

/** Says that a document is in the cart; after the very first one the wallet is introduced, once. */
export function announceAdded(added: Omit<AddedNotice, 'timestamp'>): void {
  show({ kind: 'added', ...added, timestamp: Date.now() })
  if ($walletIntro.get()) return
  $walletIntro.set('yes')
  openDialog({ kind: 'wallet-intro', item: added })
}

/** What a page has to say on the next one, after it has sent the visitor there. */
export type PageNotice =
  | { kind: 'registered'; email: string }
  | { kind: 'purchased' }
  | { kind: 'partly_purchased'; titles: string[] }

/** Leaves a notice for the next page of this tab; without storage it is simply not shown. */
export function leaveNotice(notice: PageNotice): void {
  try {
    sessionStorage.setItem(NOTICE_KEY, JSON.stringify(notice))
  } catch {}
}

/** The notice that the page before left for one of these kinds; it is gone once taken. */
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
