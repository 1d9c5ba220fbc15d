import { sql } from 'kysely'
import { SUBMISSIONS_MAX, SUBMISSIONS_WINDOW_MS } from '../../rules/document-life.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

/** Throws `too_many_submissions` if an actor submits more than reviewers can handle. */
export async function refuseTooManySubmissions(tx: Tx, actor: string, now: number): Promise<void> {
  const since = new Date(now - SUBMISSIONS_WINDOW_MS)
  const { rows } = await sql<{ count: number; first: Date | null }>`
    SELECT count(*) AS count, min(made_at) AS first FROM document_events
    WHERE actor = ${actor} AND made_at > ${since} AND action IN ('submit', 'submit version')
    `.execute(tx)
  const { count = 0, first = null } = rows[0] ?? {}
  if (count < SUBMISSIONS_MAX || !first) return
  const retryAfter = Math.ceil((first.getTime() - since.getTime()) / 1000)
  throw fault('too_many_submissions', { retryAfter })
}
