import { sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import { DEFAULT_SHARE_PERCENT, teacherShare } from '../../rules/shares.ts'
import { idList } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import type { Entry } from './ledger.ts'

/** The price that a buyer pays for a teacher's document. */
interface Priced {
  readonly teacherId: number
  readonly price: Millimes
  /** What of it the shop's code pays. */
  readonly codeOff?: Millimes | undefined
}

export interface Shared extends Priced {
  /** The teacher's part of the price; null for a sale before prices were shared, when the teacher got all of it. */
  readonly share: Millimes | null
}

/** The shares of a sale: its items with their teachers' shares, and the ledger entries that book them. */
interface SharedSale<T> {
  readonly items: (T & { share: Millimes })[]
  readonly entries: Entry[]
}

/** Shares each price between the teacher and the shop, by the percentages in force now. */
export async function shareSale<T extends Priced>(
  tx: Tx,
  items: readonly T[],
): Promise<SharedSale<T>> {
  const sellers = await readSellers(tx, items)
  const shared = items.map((item) => ({
    ...item,
    share: teacherShare(item.price, sellers.percentOf(item.teacherId)),
  }))
  return { items: shared, entries: entriesOf(shared, sellers) }
}

/** The entries that take the shares of these items back from teachers and shop. */
export async function reverseShares(tx: Tx, items: readonly Shared[]): Promise<Entry[]> {
  const entries = entriesOf(items, await readSellers(tx, items))
  return entries.map(({ accountId, amount }) => ({ accountId, amount: -amount }))
}

function entriesOf(items: readonly Shared[], { accountOf }: Sellers): Entry[] {
  const sums = new Map<number, Millimes>()
  const add = (accountId: number, amount: Millimes) =>
    sums.set(accountId, (sums.get(accountId) ?? 0) + amount)
  for (const { teacherId, price, codeOff = 0, share } of items) {
    if (price === 0) continue
    if (codeOff > 0) add(accountOf('codes', null), -codeOff)
    if (share === null) add(accountOf('teacher_sales', teacherId), price)
    else {
      add(accountOf('teacher_earnings', teacherId), share)
      add(accountOf('revenue', null), price - share)
    }
  }
  return [...sums].map(([accountId, amount]) => ({ accountId, amount }))
}

interface Sellers {
  percentOf(teacherId: number): number
  accountOf(kind: string, teacherId: number | null): number
}

interface SellerRow {
  readonly teacherId: number | null
  readonly percent: number | null
  readonly accountId: number | null
  readonly kind: string | null
}

/** The percentages of these teachers and the accounts of their sales, opened where one is missing. */
async function readSellers(tx: Tx, items: readonly Priced[]): Promise<Sellers> {
  // Free documents move no money.
  const priced = items.filter(({ price }) => price > 0)
  const ids = [...new Set(priced.map(({ teacherId }) => teacherId))].sort((a, b) => a - b)
  let rows = ids.length > 0 ? await readRows(tx, ids) : []
  const opened = rows.filter(({ kind }) => kind === 'teacher_earnings')
  if (opened.length < ids.length) {
    // In the order of ids, so that two purchases that open the same two accounts never deadlock.
    await sql`
      INSERT INTO accounts (kind, teacher_id)
      SELECT 'teacher_earnings', id FROM unnest(${ids}::integer[]) AS sellers (id) ORDER BY id
      ON CONFLICT (teacher_id, kind) WHERE teacher_id IS NOT NULL DO NOTHING`.execute(tx)
    rows = await readRows(tx, ids)
  }
  return {
    percentOf: (teacherId) =>
      rows.find((row) => row.teacherId === teacherId)?.percent ?? DEFAULT_SHARE_PERCENT,
    accountOf(kind, teacherId) {
      const row = rows.find((each) => each.kind === kind && each.teacherId === teacherId)
      if (!row?.accountId) throw new Error(`there is no account ${kind} of teacher ${teacherId}`)
      return row.accountId
    },
  }
}

async function readRows(tx: Tx, teacherIds: readonly number[]): Promise<SellerRow[]> {
  const { rows } = await sql<SellerRow>`
    SELECT t.id AS teacher_id, a.id AS account_id, a.kind, coalesce(
      (SELECT value FROM settings WHERE name = 'share_percent' AND teacher_id = t.id
        ORDER BY id DESC LIMIT 1),
      (SELECT value FROM settings WHERE name = 'share_percent' AND teacher_id IS NULL
        ORDER BY id DESC LIMIT 1)) AS percent
    FROM unnest(${idList(teacherIds)}) AS t (id)
    LEFT JOIN accounts a ON a.teacher_id = t.id
    UNION ALL
    SELECT NULL, id, kind, NULL FROM accounts WHERE kind IN ('revenue', 'codes')`.execute(tx)
  return rows
}
