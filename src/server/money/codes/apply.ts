import { type Kysely, sql } from 'kysely'
import type { ErrorCode } from '../../../contract/errors.ts'
import { codePrices, type Reduction } from '../../../rules/discount-codes.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { Schema } from '../../database/schema.ts'
import { idList } from '../../database/sql-parts.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { type CodeUse, type RequestedItem, totalOf } from '../sale.ts'
import { CAN_BE_PAID } from '../waiting-orders.ts'

/** Documents at what they cost with a code; without one, or where it takes nothing off, as they were. */
export interface AtCodePrices {
  readonly items: readonly RequestedItem[]
  /** The code that is used; null: none. */
  readonly codeId: number | null
  /** Why the code takes nothing off. */
  readonly refusal: ErrorCode | null
}

type Row = Reduction & {
  id: number
  teacherId: number | null
  usesMax: number | null
  usesPerPerson: number | null
  leastTotal: Millimes | null
  hasBegun: boolean
  hasEnded: boolean
  uses: number
  ownUses: number
  hasContact: boolean
  /** Those of the requested documents that it is for. */
  documentIds: number[]
}

/**
 * Documents that a buyer does not own yet at what they cost with a code. A bundle is one document: it is lowered where
 * the code is for all of it. A transaction that takes a use holds the lock of the buyer's wallet and `lockCode`.
 */
export async function atCodePrices(
  tx: Tx,
  requested: readonly RequestedItem[],
  { buyerId, code }: { buyerId: number; code?: CodeUse | undefined },
): Promise<AtCodePrices> {
  const refused = (refusal: ErrorCode | null) => ({ items: requested, codeId: null, refusal })
  if (code === undefined) return refused(null)
  const wanted = requested.filter(({ isOwned }) => !isOwned)
  const found = await readCode(tx, wanted, { buyerId, code })
  if (!found) return refused('code_unknown')
  const isForAll = (bundleId: number) =>
    wanted.every(
      (each) => each.bundle?.id !== bundleId || found.documentIds.includes(each.documentId),
    )
  const lowered = wanted.filter(
    ({ documentId, bundle }) =>
      found.documentIds.includes(documentId) && (!bundle || isForAll(bundle.id)),
  )
  const refusal = refusalOf(found, lowered)
  if (refusal) return refused(refusal)
  const prices = codePrices(
    lowered.map(({ price, bundle }) => ({ price, bundleId: bundle?.id })),
    found,
  )
  const byId = new Map(lowered.map((item, at) => [item.documentId, prices[at] ?? item.price]))
  const isTeachers = found.teacherId !== null
  const items = requested.map((item) => {
    const price = byId.get(item.documentId)
    if (price === undefined || item.isOwned) return item
    return isTeachers
      ? { ...item, price, priceBefore: item.price }
      : { ...item, codeOff: item.price - price }
  })
  return { items: isTeachers ? atBundleTotals(items) : items, codeId: found.id, refusal: null }
}

/** Locks a code with few uses, so that each is counted once, until the transaction that takes one ends. */
export async function lockCode(tx: Tx, code: CodeUse | undefined): Promise<void> {
  if (code === undefined) return
  await sql`SELECT FROM discount_codes WHERE code = ${code.text} AND uses_max IS NOT NULL
    FOR NO KEY UPDATE`.execute(tx)
}

/** A teacher's code lowers what a bundle costs. */
const atBundleTotals = (items: readonly RequestedItem[]) =>
  items.map((item) => {
    const { bundle } = item
    if (!bundle) return item
    const total = items
      .filter((each) => each.bundle?.id === bundle.id)
      .reduce((sum, { price }) => sum + price, 0)
    return { ...item, bundle: { ...bundle, total } }
  })

async function readCode(
  db: Kysely<Schema>,
  wanted: readonly RequestedItem[],
  { buyerId, code: { text, at } }: { buyerId: number; code: CodeUse },
): Promise<Row | undefined> {
  const ids = wanted.map(({ documentId }) => documentId)
  // Not the buyer's own order of these documents that can no longer be paid: the new one takes its place.
  const isReplaced = sql`o.buyer_id = ${buyerId} AND o.status = 'pending' AND NOT ${CAN_BE_PAID}
    AND EXISTS (SELECT FROM order_items i
      WHERE i.order_id = o.id AND i.document_id = ANY (${idList(ids)}))`
  const used = sql`FROM orders o WHERE o.code_id = c.id AND o.status IN ('pending', 'paid')
    AND NOT (${isReplaced})`
  const { rows } = await sql<Row>`
    SELECT c.id, c.teacher_id, c.percent, c.at_most, c.amount, c.uses_max, c.uses_per_person,
      c.least_total, c.starts_at <= ${at} AS has_begun,
      coalesce(c.stopped_at <= ${at}, false) OR coalesce(c.ends_at <= ${at}, false) AS has_ended,
      CASE WHEN c.uses_max IS NULL THEN 0 ELSE (SELECT count(*)::integer ${used}) END AS uses,
      (SELECT count(*)::integer ${used} AND o.buyer_id = ${buyerId}) AS own_uses,
      (SELECT email_confirmed_at IS NOT NULL OR phone_confirmed_at IS NOT NULL
        FROM users WHERE id = ${buyerId}) AS has_contact,
      ARRAY(SELECT d.id FROM documents d WHERE d.id = ANY (${idList(ids)})
        AND d.teacher_id = coalesce(c.teacher_id, d.teacher_id)
        AND (c.scope = 'all' OR EXISTS (SELECT FROM discount_code_targets t WHERE t.code_id = c.id
          AND (t.document_id = d.id OR t.niveau_id = d.niveau_id OR t.teacher_id = d.teacher_id)))
      ) AS document_ids
    FROM discount_codes c WHERE c.code = ${text}`.execute(db)
  return rows[0]
}

function refusalOf(code: Row, lowered: readonly RequestedItem[]): ErrorCode | null {
  const { usesMax, usesPerPerson, leastTotal, uses, ownUses, hasContact } = code
  if (!code.hasBegun) return 'code_not_begun'
  if (code.hasEnded || (usesMax !== null && uses >= usesMax)) return 'code_ended'
  // Uses are few: each order holds one, also before it is paid.
  if ((usesPerPerson !== null || usesMax !== null) && !hasContact) return 'code_needs_contact'
  if (usesPerPerson !== null && ownUses >= usesPerPerson) return 'code_used'
  if (lowered.every(({ price }) => price === 0)) return 'code_not_for_these'
  return leastTotal !== null && totalOf(lowered) < leastTotal ? 'code_below_least' : null
}

/**
 * Throws `code_unknown` for a code that does not exist, which counts against the account and its address, and
 * `too_many_codes` where they have tried too many, whether this one exists or not.
 */
export async function requireKnown(
  { database }: Pick<Deps, 'database'>,
  limits: Limits,
  { code, userId }: { code?: string | undefined; userId: number },
): Promise<void> {
  if (code === undefined) return
  const giveBack = await limits.count('discountCode', userId)
  const known = await database.kysely
    .selectFrom('discountCodes')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirst()
  if (!known) throw fault('code_unknown')
  await giveBack()
}

/** The code of a call that pays, as it is used now. */
export const usedNow = (
  { now }: Pick<Deps, 'now'>,
  { code }: { code?: string | undefined },
): CodeUse | undefined => (code === undefined ? undefined : { text: code, at: new Date(now()) })
