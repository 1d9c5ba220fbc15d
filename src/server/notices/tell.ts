import { type Kysely, sql } from 'kysely'
import { NOTICE_AGAIN_MS, NOTICE_EVERY_MS, NOTICES, type NoticeKind } from '../../rules/upkeep.ts'
import type { Schema } from '../database/schema.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { enqueueMail } from '../mail/mail.ts'
import { readTroubles } from '../troubles/troubles.ts'
import { queuesFor, readUpkeep } from '../waiting/waiting.ts'
import { noticesOn } from './switches.ts'

/** An id that no administrator has: of the conversations, only those of the common inbox count. */
const NOBODY = 0

/**
 * Queues a mail to each administrator about what has come to wait since the last one; each kind at
 * most once an hour. What lasts is told again a day later. Processes that do this at the same time
 * wait for each other, and only the first one tells.
 */
export async function tellAdministrators(
  deps: Pick<Deps, 'database' | 'jobs' | 'now'>,
): Promise<void> {
  const wanted = await noticesOn(deps)
  if (wanted.length === 0) return
  await transaction(deps.database, async (tx) => {
    await lock(tx, 'notices')
    const now = deps.now()
    const kinds: NoticeKind[] = []
    for (const kind of wanted) {
      if (await isDue(tx, kind, now)) kinds.push(kind)
    }
    if (kinds.length === 0) return
    for (const kind of kinds) await noteTold(tx, kind, now)
    for (const { id } of await administrators(tx)) {
      await enqueueMail(tx, deps.jobs, 'owner_notice', { userId: id, kinds })
    }
  })
}

async function isDue(tx: Tx, kind: NoticeKind, now: number): Promise<boolean> {
  const last = await tx
    .selectFrom('toldNotices')
    .selectAll()
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (last && now - last.toldAt.getTime() < NOTICE_EVERY_MS) return false
  const until = now - NOTICES[kind].afterMs
  const isNew = (since: Date) =>
    since.getTime() <= until && (!last || since.getTime() > last.toldUntil.getTime())
  const lasts = await lastingSince(tx, kind, now)
  if (lasts) {
    const isDaily = !last || now - last.toldAt.getTime() >= NOTICE_AGAIN_MS
    if (isNew(lasts) || (isDaily && lasts.getTime() <= until)) return true
  }
  const queue = QUEUES[kind]
  if (!queue) return false
  const { rows } = await sql<{ isNew: boolean }>`
    SELECT EXISTS (
      SELECT FROM (${queuesFor({ userId: NOBODY, now })[queue]}) AS waits (id, name, amount, since)
      WHERE since <= ${new Date(until)} AND since > ${last?.toldUntil ?? new Date(0)}
    ) AS "isNew"`.execute(tx)
  return rows[0]?.isNew ?? false
}

/** The list of waiting things that a notice is about. */
const QUEUES = {
  transfers: 'transfers',
  documents: 'documents',
  conversations: 'conversations',
  mail: 'mails',
  gateway: null,
  disk: null,
  backup: null,
} as const satisfies Readonly<Record<NoticeKind, string | null>>

/** Since when the one thing lasts that a notice is about; null: it is about a list, or all is well. */
async function lastingSince(
  db: Kysely<Schema>,
  kind: NoticeKind,
  now: number,
): Promise<Date | null> {
  if (kind === 'backup') return (await readUpkeep(db, now)).backupWaits
  return (await readTroubles(db)).find(({ what }) => what === kind)?.since ?? null
}

async function noteTold(tx: Tx, kind: NoticeKind, now: number): Promise<void> {
  const told = { toldAt: new Date(now), toldUntil: new Date(now - NOTICES[kind].afterMs) }
  await tx
    .insertInto('toldNotices')
    .values({ kind, ...told })
    .onConflict((row) => row.column('kind').doUpdateSet(told))
    .execute()
}

/** Those who can log in to the office. */
function administrators(tx: Tx) {
  return tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('passwordHash', 'is not', null)
    .where('blockedAt', 'is', null)
    .orderBy('id')
    .execute()
}
