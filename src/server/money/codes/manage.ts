import { type Kysely, sql } from 'kysely'
import type { NewCode, OwnCode } from '../../../contract/office-discount-codes.ts'
import { bareAmount } from '../../../i18n/format.ts'
import {
  CODES_MAX,
  type CodeScope,
  type CodeState,
  mostCost,
  type Reduction,
} from '../../../rules/discount-codes.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'
import { fullNameIn, idList, isApproved } from '../../database/sql-parts.ts'
import { lock, type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { ApiFault, fault } from '../../http/errors.ts'
import { logStaff } from '../../staff-log/staff-log.ts'
import { type Acting, act } from '../acting.ts'
import { type Executors, propose } from '../two-people/acts.ts'

interface Maker {
  readonly actor: string
  /** null: the shop. */
  readonly teacherId: number | null
  readonly at: Date
}

/**
 * Throws `invalid_input` for terms of which each is right, but not together. A code of the shop is bounded for an order
 * and a person: it pays teachers for what nobody may have wanted but their own second accounts.
 */
function requireWhole(
  { percent, atMost, amount, startsAt, endsAt, usesPerPerson, scope }: NewCode,
  { teacherId, at }: Pick<Maker, 'teacherId' | 'at'>,
): void {
  const isOfShop = teacherId === null
  const wrong = [
    (percent === null) === (amount === null) && 'percent',
    (percent === null ? atMost !== null : isOfShop && atMost === null) && 'atMost',
    isOfShop && usesPerPerson === null && 'usesPerPerson',
    endsAt !== null &&
      Date.parse(endsAt) <= Math.max(Date.parse(startsAt), at.getTime()) &&
      'endsAt',
    (scope.kind === 'all') !== (scope.ids.length === 0) && 'scope',
  ].find((name) => name !== false)
  if (wrong) throw fault('invalid_input', { fields: { [wrong]: 'invalid' } })
}

/**
 * Makes a code, and returns its id. Throws `code_taken`, `codes_full` where the giver has as many as may work at a
 * time, `document_not_found` where something that it is for does not exist, or is not the teacher's, and
 * `account_not_approved`, so that strangers do not use up good codes.
 */
export async function makeCode(
  tx: Tx,
  { actor, teacherId, at }: Maker,
  { scope, ...code }: NewCode,
): Promise<number> {
  requireWhole({ scope, ...code }, { teacherId, at })
  if (teacherId !== null && !(await isApproved(tx, teacherId))) throw fault('account_not_approved')
  // Two calls at once would both find room.
  await lock(tx, `codes of ${teacherId}`)
  const { rows } = await sql<{ open: number }>`
    SELECT count(*)::integer AS open FROM discount_codes
    WHERE teacher_id IS NOT DISTINCT FROM ${teacherId} AND ${isOpen(at)}`.execute(tx)
  if ((rows[0]?.open ?? 0) >= CODES_MAX) throw fault('codes_full')
  const targets = await findTargets(tx, scope.kind, { ids: scope.ids, teacherId })
  if (targets.length < new Set(scope.ids).size) throw fault('document_not_found')
  const made = await tx
    .insertInto('discountCodes')
    .values({ ...code, teacherId, scope: scope.kind, createdAt: at })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw fault('code_taken')
  if (targets.length > 0) {
    const column = (
      { documents: 'documentId', classes: 'niveauId', teachers: 'teacherId' } as const
    )[scope.kind as Exclude<CodeScope, 'all'>]
    const rowsOf = targets.map((id) => ({ codeId: made.id, [column]: id }))
    await tx.insertInto('discountCodeTargets').values(rowsOf).execute()
  }
  await logStaff(tx, { actor, action: 'make code', ...inLog(teacherId, code.code) })
  return made.id
}

const isOpen = (at: Date) => sql`stopped_at IS NULL AND coalesce(ends_at > ${at}, true)`

const inLog = (teacherId: number | null, code: string) => ({
  subject: teacherId === null ? { kind: 'shop' } : { kind: 'teacher', id: teacherId },
  reason: code,
})

async function findTargets(
  tx: Tx,
  kind: CodeScope,
  { ids, teacherId }: { ids: readonly number[]; teacherId: number | null },
): Promise<number[]> {
  if (kind === 'all') return []
  const found = {
    documents: sql`documents WHERE teacher_id = coalesce(${teacherId}::integer, teacher_id)`,
    classes: sql`niveaux WHERE true`,
    teachers: sql`teachers WHERE ${teacherId}::integer IS NULL`,
  }[kind]
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM ${found} AND id = ANY (${idList(ids)})`.execute(tx)
  return rows.map(({ id }) => id)
}

type Parts = Pick<Deps, 'database' | 'jobs' | 'now'>

/**
 * Makes a code of the shop; above what one administrator does alone, or if it may cost any sum, once a second has
 * confirmed. Returns the id of the act that waits, or null.
 */
export function makeShopCode(
  deps: Parts,
  { reason, ...code }: NewCode & { reason: string },
  acting: Acting,
): Promise<number | null> {
  return act(deps, acting, async (tx) => {
    const maker = { actor: acting.actor, teacherId: null, at: new Date(deps.now()) }
    requireWhole(code, maker)
    const cost = mostCost(code as Reduction, code.usesMax)
    const waits = await propose(tx, deps, acting, {
      kind: 'discount',
      subject: `code ${code.code}`,
      amount: cost ?? 0,
      reason,
      input: code,
      detail: await detailOf(tx, code),
      alwaysTwo: cost === null,
    })
    if (waits === null) await makeCode(tx, maker, code)
    // Refused now rather than when a second confirms it.
    else if (await isTaken(tx, code.code)) throw fault('code_taken')
    return waits
  })
}

const isTaken = async (tx: Tx, code: string) =>
  (await tx.selectFrom('discountCodes').select('id').where('code', '=', code).execute()).length > 0

/** A code in signs that need no words: `RENTREE −20 % ≤ 5.00 × 100 (1) · Maths 7 · 2026-12-01 – 2026-12-31`. */
async function detailOf(tx: Tx, code: NewCode): Promise<string> {
  const { percent, atMost, amount, usesMax, usesPerPerson, leastTotal, startsAt, endsAt } = code
  const off = percent === null ? bareAmount('en', amount ?? 0) : `${percent} %`
  const bound = atMost === null ? '' : ` ≤ ${bareAmount('en', atMost)}`
  const day = (moment: string) => tunisianDay(new Date(moment))
  return [
    `${code.code} −${off}${bound} × ${usesMax ?? '∞'} (${usesPerPerson ?? '∞'})`,
    ...(await targetNames(tx, code.scope)),
    ...(leastTotal ? [`≥ ${bareAmount('en', leastTotal)}`] : []),
    `${day(startsAt)} – ${endsAt === null ? '∞' : day(endsAt)}`,
  ]
    .join(' · ')
    .slice(0, DETAIL_LENGTH)
}

/** How much of what a code is for a second is shown. */
const DETAIL_LENGTH = 300

async function targetNames(tx: Tx, { kind, ids }: NewCode['scope']): Promise<string[]> {
  if (kind === 'all') return []
  const named = {
    documents: sql`SELECT id, title AS name FROM documents`,
    classes: sql`SELECT id, name FROM niveaux`,
    teachers: sql`SELECT t.id, ${fullNameIn('t')} AS name FROM teachers t`,
  }[kind]
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM (${named}) AS named WHERE id = ANY (${idList(ids)}) ORDER BY id`.execute(tx)
  return rows.map(({ name }) => name)
}

/** Makes the code that a second has confirmed; throws `act_changed` where it cannot be made by now. */
export function discountAct({ now }: Pick<Deps, 'now'>): Executors['discount'] {
  return async (tx, { input, decider }) => {
    const maker = { actor: decider, teacherId: null, at: new Date(now()) }
    await makeCode(tx, maker, input).catch((error) => {
      throw error instanceof ApiFault ? fault('act_changed') : error
    })
    return undefined
  }
}

/** Ends a code for good. Throws `discount_code_not_found`; a teacher finds the own ones alone. */
export async function stopCode(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  { id, actor, teacherId }: { id: number; actor: string; teacherId?: number },
): Promise<OwnCode> {
  const at = new Date(now())
  return transaction(database, async (tx) => {
    const before = await readCode(tx, { id, teacherId, at })
    // So that repeated calls do not fill the log.
    if (before.state === 'ended') return before
    await tx
      .updateTable('discountCodes')
      .set({ stoppedAt: at })
      .where('id', '=', id)
      .where('stoppedAt', 'is', null)
      .execute()
    await logStaff(tx, {
      actor,
      action: 'stop code',
      ...inLog(before.teacher?.id ?? null, before.code),
    })
    return readCode(tx, { id, teacherId, at })
  })
}

export async function readCode(
  db: Kysely<Schema>,
  { id, teacherId, at }: { id: number; teacherId?: number | undefined; at: Date },
): Promise<OwnCode> {
  const { rows } = await sql<Row>`${CODES} WHERE c.id = ${id}
    AND (${teacherId ?? null}::integer IS NULL OR c.teacher_id = ${teacherId ?? null})`.execute(db)
  if (!rows[0]) throw fault('discount_code_not_found')
  return present(rows[0], at)
}

/** A page of codes, those that work first, the newest before older ones; with a teacher, the own ones. */
export async function listCodes(
  { database: { kysely }, now }: Pick<Deps, 'database' | 'now'>,
  { teacherId = null, page, size }: { teacherId?: number | null; page: number; size: number },
): Promise<{ codes: OwnCode[]; total: number }> {
  const at = new Date(now())
  const own = sql`(${teacherId}::integer IS NULL OR c.teacher_id = ${teacherId})`
  const { rows } = await sql<Row>`${CODES} WHERE ${own}
    ORDER BY NOT (${isOpen(at)}), c.id DESC LIMIT ${size} OFFSET ${page * size}`.execute(kysely)
  const { rows: counts } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM discount_codes c WHERE ${own}`.execute(kysely)
  return { codes: rows.map((row) => present(row, at)), total: counts[0]?.total ?? 0 }
}

type Row = Omit<OwnCode, 'state' | 'scope' | 'createdAt' | 'startsAt' | 'endsAt' | 'teacher'> & {
  startsAt: Date
  endsAt: Date | null
  createdAt: Date
  stoppedAt: Date | null
  scope: CodeScope
  targets: { id: number; name: string }[] | null
  teacherId: number | null
  teacherName: string | null
}

// Sums of the items that a code lowered and that were not refunded.
const lowered = (sum: ReturnType<typeof sql>) => sql`(SELECT coalesce(${sum}, 0)::bigint
  FROM orders o JOIN order_items i ON i.order_id = o.id
  WHERE o.code_id = c.id AND o.status = 'paid' AND i.refunded_at IS NULL
    AND (i.price_before IS NOT NULL OR i.code_off > 0))`

const CODES = sql`
  SELECT c.id, c.code, c.percent, c.at_most, c.amount, c.starts_at, c.ends_at, c.uses_max, c.uses_per_person,
    c.least_total, c.created_at, c.stopped_at, c.scope, c.teacher_id, ${fullNameIn('g')} AS teacher_name,
    (SELECT json_agg(json_build_object('id', coalesce(d.id, n.id, t.id),
        'name', coalesce(d.title, n.name, ${fullNameIn('t')})))
      FROM discount_code_targets x LEFT JOIN documents d ON d.id = x.document_id
      LEFT JOIN niveaux n ON n.id = x.niveau_id LEFT JOIN teachers t ON t.id = x.teacher_id
      WHERE x.code_id = c.id) AS targets,
    (SELECT count(*)::integer FROM orders o
      WHERE o.code_id = c.id AND o.status IN ('pending', 'paid')) AS uses,
    ${lowered(sql`sum(i.price - i.code_off)`)} AS paid,
    ${lowered(sql`sum(coalesce(i.price_before, i.price) - (i.price - i.code_off))`)} AS taken_off
  FROM discount_codes c LEFT JOIN teachers g ON g.id = c.teacher_id`

function present(row: Row, at: Date): OwnCode {
  const {
    startsAt,
    endsAt,
    createdAt,
    stoppedAt,
    scope,
    targets,
    teacherId,
    teacherName,
    ...rest
  } = row
  return {
    ...rest,
    state: stateOf(row, at),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    scope: { kind: scope, targets: targets ?? [] },
    teacher: teacherId === null ? null : { id: teacherId, name: teacherName ?? '' },
  }
}

function stateOf({ stoppedAt, startsAt, endsAt, uses, usesMax }: Row, at: Date): CodeState {
  if (stoppedAt || (endsAt && endsAt <= at)) return 'ended'
  if (usesMax !== null && uses >= usesMax) return 'used_up'
  return startsAt > at ? 'coming' : 'running'
}
