import type { HistoryEntry } from '../../contract/history-entry.ts'
import type { WaitingTopUp } from '../../contract/wallet.ts'
import { HISTORY_PAGE_SIZE } from '../../rules/pager.ts'
import { createLoader } from '../session/loader.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { $balance } from './wallet.ts'

export type { HistoryEntry } from '../../contract/history-entry.ts'
export type { WaitingTopUp } from '../../contract/wallet.ts'

/** The wallet's movements that were loaded so far. */
export interface WalletHistory {
  /** Newest first. */
  entries: readonly HistoryEntry[]
  /** Manual top-ups that wait, or that failed recently. */
  waiting: readonly WaitingTopUp[]
  /** The next page to request; null if all are shown. */
  next: number | null
  older: 'idle' | 'loading' | Problem
}

const history = createLoader<WalletHistory>('wallet history')
export const $walletHistory = history.$state

async function readPage(userId: number, page: number) {
  const query = { userId, page, size: HISTORY_PAGE_SIZE }
  const read = await ask(({ wallet }) => wallet.walletHistory, { query })
  const { content, totalPages, waiting = [] } = read
  return { content, waiting, next: page + 1 < totalPages ? page + 1 : null }
}

export function loadHistory(): Promise<void> {
  return history.load(async (userId) => {
    const { content, waiting, next } = await readPage(userId, 0)
    return { entries: content, waiting, next, older: 'idle' }
  })
}

/** Reads the newest movements again whenever the balance has changed. Returns what ends it. */
export const followBalance = () => $balance.listen(() => void refreshHistory())

async function refreshHistory(): Promise<void> {
  if ($walletHistory.get().phase !== 'ready') return
  await history.refresh(async (userId) => {
    const { content, waiting, next } = await readPage(userId, 0)
    const state = $walletHistory.get()
    const read = new Set(content.map(({ id }) => id))
    // Older movements that were loaded stay, unless more are new than a page holds.
    const known = state.phase === 'ready' ? state.value : null
    const isJoined = known?.entries.some(({ id }) => read.has(id))
    if (!known || !isJoined) return { entries: content, waiting, next, older: 'idle' }
    const entries = [...content, ...known.entries.filter(({ id }) => !read.has(id))]
    return { ...known, entries, waiting }
  })
}

/**
 * Adds the next older page. New movements shift others onto that page, so duplicates are left out.
 */
export async function loadOlder(): Promise<void> {
  const userId = $session.get()?.userId
  const state = $walletHistory.get()
  if (userId === undefined || state.phase !== 'ready') return
  const shown = state.value
  if (shown.next === null || shown.older === 'loading') return
  const loading = { ...shown, older: 'loading' as const }
  history.show(loading)
  const result = await readPage(userId, shown.next).catch(problemOf)
  const now = $walletHistory.get()
  if (now.phase !== 'ready' || now.value !== loading) return // reloaded meanwhile
  if ('code' in result) return history.show({ ...shown, older: result })
  const known = new Set(shown.entries.map(({ id }) => id))
  const entries = [...shown.entries, ...result.content.filter(({ id }) => !known.has(id))]
  history.show({ ...shown, entries, next: result.next, older: 'idle' })
}
