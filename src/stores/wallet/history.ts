import { atom, readonlyType } from 'nanostores'
import type { HistoryEntry, WaitingTopUp } from '../../contract/wallet.ts'
import { HISTORY_PAGE_SIZE } from '../../rules/pager.ts'
import { $session } from '../account/session.ts'
import { ask } from '../shared/backend.ts'
import { type Problem, problemOf } from '../shared/problem.ts'

export type { HistoryEntry, WaitingTopUp } from '../../contract/wallet.ts'

/** The wallet's movements, newest first, in one of the list's states; an empty list is `ready`. */
export type WalletHistory =
  | { phase: 'loading' }
  | { phase: 'failed'; problem: Problem }
  | {
      phase: 'ready'
      entries: readonly HistoryEntry[]
      /** Top-ups by hand that wait, or lately came to nothing. */
      waiting: readonly WaitingTopUp[]
      /** The next page to ask for; null where all is shown. */
      next: number | null
      older: 'idle' | 'loading' | Problem
    }

const $list = atom<WalletHistory>({ phase: 'loading' })
export const $walletHistory = readonlyType($list)

async function readPage(userId: number, page: number) {
  const query = { userId, page, size: HISTORY_PAGE_SIZE }
  const read = await ask(({ wallet }) => wallet.walletHistory, { query })
  const { content, totalPages, waiting = [] } = read
  return { content, waiting, next: page + 1 < totalPages ? page + 1 : null }
}

/** Loads the newest movements; does nothing when nobody is logged in. */
export async function loadHistory(): Promise<void> {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  if ($list.get().phase === 'failed') $list.set({ phase: 'loading' })
  try {
    const { content, waiting, next } = await readPage(userId, 0)
    $list.set({ phase: 'ready', entries: content, waiting, next, older: 'idle' })
  } catch (error) {
    $list.set({ phase: 'failed', problem: problemOf(error) })
  }
}

/** Adds the next older page. A new movement pushes others on to it: none is shown twice. */
export async function loadOlder(): Promise<void> {
  const userId = $session.get()?.userId
  const list = $list.get()
  if (userId === undefined || list.phase !== 'ready') return
  if (list.next === null || list.older === 'loading') return
  const loading = { ...list, older: 'loading' as const }
  $list.set(loading)
  const result = await readPage(userId, list.next).catch(problemOf)
  if ($list.get() !== loading) return // read anew meanwhile
  if ('code' in result) return $list.set({ ...list, older: result })
  const known = new Set(list.entries.map(({ id }) => id))
  const entries = [...list.entries, ...result.content.filter(({ id }) => !known.has(id))]
  $list.set({ ...list, entries, next: result.next, older: 'idle' })
}
