import { type Kysely, sql } from 'kysely'
import type { Commissions, TeacherShare } from '../../../contract/office-commissions.ts'
import * as calls from '../../../contract/office-commissions.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { containsFolded } from '../../../rules/search-fold.ts'
import { DEFAULT_SHARE_PERCENT } from '../../../rules/shares.ts'
import type { Schema } from '../../database/schema.ts'
import { fullNameIn, inOrder } from '../../database/sql-parts.ts'
import { pageOf, type Route, route } from '../../http/route.ts'
import { actorNames } from '../../staff-log/staff-log.ts'
import { changeSetting, readSetting, settingHistory } from '../settings.ts'

export const commissionRoutes: Route[] = [
  route(calls.getCommissions, ({ deps }) => readCommissions(deps.database.kysely)),

  route(calls.listTeacherShares, async ({ input: { query }, deps }) => {
    const { q, page = 0, size = PAGE_SIZE } = query
    const { teachers, total } = await listTeacherShares(deps.database.kysely, { q, page, size })
    return pageOf(teachers, { total, page, size })
  }),

  route(calls.setCommission, async ({ input: { body }, user, deps }) => {
    const { percent: value, ...given } = body
    await changeSetting(deps, {
      name: 'share_percent',
      value,
      ...given,
      actor: user.actor,
    })
    return readCommissions(deps.database.kysely)
  }),

  route(calls.setWithholding, async ({ input: { body }, user, deps }) => {
    const { withholding, ...given } = body
    const value = Math.round(withholding * 100)
    await changeSetting(deps, { name: 'withholding', value, ...given, actor: user.actor })
  }),
]

const SHARE = 'share_percent'

async function readCommissions(db: Kysely<Schema>): Promise<Commissions> {
  const percent = await readSetting(db, SHARE)
  const history = await settingHistory(db, SHARE)
  const who = await actorNames(
    db,
    history.map(({ actor }) => actor),
  )
  const { rows: teachers } = await sql<{ id: number; name: string }>`
    SELECT id, ${fullNameIn('teachers')} AS name FROM teachers
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

interface TeacherShareRow extends Omit<TeacherShare, 'percent' | 'isSet' | 'withholding'> {
  readonly latinName: string
  readonly own: number | null
  /** In hundredths of a percent. */
  readonly withheld: number | null
  readonly withheldSeen: number | null
}

async function listTeacherShares(
  db: Kysely<Schema>,
  { q = '', page, size }: { q?: string | undefined; page: number; size: number },
): Promise<{ teachers: TeacherShare[]; total: number }> {
  const usual = await readSetting(db, SHARE)
  const { rows } = await sql<TeacherShareRow>`
    SELECT t.id AS teacher_id, ${fullNameIn('t')} AS name, t.latin_name,
      last.id AS seen, last.value AS own, tax.id AS withheld_seen, tax.value AS withheld
    FROM teachers t LEFT JOIN LATERAL (
      SELECT id, value FROM settings WHERE name = ${SHARE} AND teacher_id = t.id
      ORDER BY id DESC LIMIT 1
    ) AS last ON true
    LEFT JOIN LATERAL (
      SELECT id, value FROM settings WHERE name = 'withholding' AND teacher_id = t.id
      ORDER BY id DESC LIMIT 1
    ) AS tax ON true
    ORDER BY last.value IS NULL, ${inOrder(fullNameIn('t'))}, t.id`.execute(db)
  // Names are folded here, not in the database; there are only hundreds of teachers.
  const found =
    q.trim() === '' ? rows : rows.filter((row) => containsFolded(`${row.name} ${row.latinName}`, q))
  return {
    teachers: found.slice(page * size, (page + 1) * size).map(({ own, ...row }) => ({
      teacherId: row.teacherId,
      name: row.name,
      percent: own ?? usual,
      isSet: own !== null,
      seen: row.seen,
      withholding: { percent: (row.withheld ?? 0) / 100, seen: row.withheldSeen },
    })),
    total: found.length,
  }
}
