import { type Kysely, sql } from 'kysely'
import type { Commissions, TeacherShare } from '../../../contract/office-commissions.ts'
import { DEFAULT_SHARE_PERCENT } from '../../../rules/payouts.ts'
import { containsFolded } from '../../../rules/search-fold.ts'
import type { Schema } from '../../database/schema.ts'
import { actorNames } from '../../staff-log/staff-log.ts'
import { readSetting, settingHistory } from '../settings.ts'

const SHARE = 'share_percent'

/** The shop's share, and the last changes of all shares. */
export async function readCommissions(db: Kysely<Schema>): Promise<Commissions> {
  const percent = await readSetting(db, SHARE)
  const history = await settingHistory(db, SHARE)
  const who = await actorNames(
    db,
    history.map(({ actor }) => actor),
  )
  const { rows: teachers } = await sql<{ id: number; name: string }>`
    SELECT id, first_name || ' ' || last_name AS name FROM teachers
    WHERE id = ANY (${history.flatMap(({ teacherId }) => teacherId ?? [])}::integer[])`.execute(db)
  const names = new Map(teachers.map(({ id, name }) => [id, name]))
  return {
    shop: { percent, isSet: percent !== DEFAULT_SHARE_PERCENT, seen: await lastOfShop(db) },
    history: history.map(({ id, teacherId, value, reason, actor, setAt }) => ({
      id,
      teacher: teacherId === null ? null : { id: teacherId, name: names.get(teacherId) ?? '' },
      percent: value,
      reason,
      by: who.get(actor) ?? actor,
      at: setAt.toISOString(),
    })),
  }
}

async function lastOfShop(db: Kysely<Schema>): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT max(id) AS id FROM settings WHERE name = ${SHARE} AND teacher_id IS NULL`.execute(db)
  return rows[0]?.id ?? null
}

interface Row extends Omit<TeacherShare, 'percent' | 'isSet'> {
  readonly latinName: string
  readonly own: number | null
}

/** A page of the teachers with their shares, and how many there are; `q` is part of a name. */
export async function listTeacherShares(
  db: Kysely<Schema>,
  { q = '', page, size }: { q?: string | undefined; page: number; size: number },
): Promise<{ teachers: TeacherShare[]; total: number }> {
  const usual = await readSetting(db, SHARE)
  const { rows } = await sql<Row>`
    SELECT t.id AS teacher_id, t.first_name || ' ' || t.last_name AS name, t.latin_name,
      last.id AS seen, last.value AS own
    FROM teachers t LEFT JOIN LATERAL (
      SELECT id, value FROM settings WHERE name = ${SHARE} AND teacher_id = t.id
      ORDER BY id DESC LIMIT 1
    ) AS last ON true
    ORDER BY last.value IS NULL, name, t.id`.execute(db)
  // Names are folded here, not in the database; there are only hundreds of teachers.
  const found =
    q.trim() === '' ? rows : rows.filter((row) => containsFolded(`${row.name} ${row.latinName}`, q))
  return {
    teachers: found.slice(page * size, (page + 1) * size).map(({ teacherId, name, own, seen }) => ({
      teacherId,
      name,
      percent: own ?? usual,
      isSet: own !== null,
      seen,
    })),
    total: found.length,
  }
}
