import { type Kysely, sql } from 'kysely'
import * as calls from '../../contract/office-stamp.ts'
import type { UnstampableReason } from '../../rules/stamp.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { type Route, route } from '../http/route.ts'
import { changeSetting, settingHistory } from '../money/money.ts'
import { actorNames } from '../staff-log/staff-log.ts'
import { forgetFaults } from '../workers/workers.ts'
import { isStamping } from './stamps.ts'

export const stampRoutes: Route[] = [
  route(calls.getStamp, ({ deps }) => readStamp(deps)),

  route(calls.setStamp, async ({ input: { body }, user, deps }) => {
    const { isOn, ...change } = { ...body, actor: user.actor }
    await changeSetting(deps, { name: 'stamp', value: isOn ? 1 : 0, ...change })
    return readStamp(deps)
  }),

  route(calls.retryFiles, async ({ input: { body }, deps }) => {
    const { kysely } = deps.database
    if (body.what === 'unstamped') await retryUnstamped(kysely)
    else await retryUndrawn(kysely, deps.now())
    return readStamp(deps)
  }),
]

async function readStamp(deps: Deps): Promise<calls.Stamp> {
  const { kysely } = deps.database
  const isOn = await isStamping(deps)
  const [last] = await settingHistory(kysely, 'stamp')
  const names = await actorNames(kysely, last ? [last.actor] : [])
  const unstamped = await listUnstamped(kysely)
  const undrawn = await listUndrawn(kysely)
  return {
    isOn,
    changed: last
      ? { by: names.get(last.actor) ?? last.actor, at: last.setAt.toISOString() }
      : null,
    seen: last?.id ?? null,
    unstamped: {
      total: unstamped.length,
      newest: unstamped
        .slice(0, calls.TROUBLES_SHOWN)
        .map(({ documentId, title, teacher, reason, notedAt }) => {
          return { documentId, title, teacher, reason, at: notedAt.toISOString() }
        }),
    },
    undrawn: {
      total: undrawn.length,
      newest: undrawn
        .slice(0, calls.TROUBLES_SHOWN)
        .map(({ documentId, title, teacher, failedAt, isDue }) => {
          return { documentId, title, teacher, at: failedAt.toISOString(), isTriedAgain: isDue }
        }),
    },
  }
}

interface UnstampedFile {
  readonly documentId: number
  readonly title: string
  readonly teacher: string
  readonly reason: UnstampableReason
  readonly detail: string
  readonly notedAt: Date
}

/** The documents whose file is sent to buyers unstamped, the latest first. */
async function listUnstamped(db: Kysely<Schema>): Promise<UnstampedFile[]> {
  const { rows } = await sql<UnstampedFile>`
    SELECT d.id AS document_id, d.title, trim(t.first_name || ' ' || t.last_name) AS teacher,
      x.reason, x.detail, x.noted_at
    FROM unstamped_files x
    JOIN files f ON f.sha256 = x.sha256
    JOIN documents d ON d.file_id = f.id
    JOIN teachers t ON t.id = d.teacher_id
    ORDER BY x.noted_at DESC, d.id`.execute(db)
  return rows
}

/** The next download of each file tries again. */
async function retryUnstamped(db: Kysely<Schema>): Promise<number> {
  await forgetFaults(db, { task: 'blankFooters' })
  const { numDeletedRows } = await db.deleteFrom('unstampedFiles').executeTakeFirst()
  return Number(numDeletedRows)
}

interface UndrawnSample {
  readonly documentId: number
  readonly title: string
  readonly teacher: string
  readonly failedAt: Date
  /** For the operator, in English. */
  readonly trouble: string
  readonly isDue: boolean
}

/** The documents on sale whose pages cannot be drawn, the latest first. */
async function listUndrawn(db: Kysely<Schema>): Promise<UndrawnSample[]> {
  const { rows } = await sql<UndrawnSample>`
    SELECT d.id AS document_id, d.title, trim(t.first_name || ' ' || t.last_name) AS teacher,
      s.failed_at, s.trouble, s.due_at IS NOT NULL AS is_due
    FROM samples s
    JOIN documents d ON d.id = s.document_id
    JOIN teachers t ON t.id = d.teacher_id
    WHERE s.failed_at IS NOT NULL AND d.state = 'published'
    ORDER BY s.failed_at DESC, d.id`.execute(db)
  return rows
}

/** Makes the samples that cannot be drawn due again. */
async function retryUndrawn(db: Kysely<Schema>, now: number): Promise<void> {
  for (const task of ['pagePicture', 'readPages']) await forgetFaults(db, { task })
  await sql`UPDATE samples SET due_at = ${new Date(now)}, tries = 0
    WHERE failed_at IS NOT NULL AND due_at IS NULL`.execute(db)
}
