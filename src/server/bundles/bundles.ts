import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { BundlePart } from '../../contract/bundle-part.ts'
import { BUNDLES_SHOWN, isBundlePrice, sharesOf } from '../../rules/bundles.ts'
import type { Millimes } from '../../rules/money.ts'
import { KEPT_COLUMNS, KEPT_TABLES, type KeptDocument } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { idList } from '../database/sql-parts.ts'

export { bundleMailWriters, tellOfBundles } from './resting.ts'

export interface BundleDocument extends KeptDocument {
  readonly isOwned: boolean
  readonly bundle: BundlePart
}

/** A bundle for sale, at the prices of this moment. */
export interface SellingBundle {
  readonly id: number
  readonly price: Millimes
  readonly documents: readonly BundleDocument[]
}

type Row = KeptDocument & {
  bundleId: number
  bundlePrice: Millimes
  size: number
  finalPrice: Millimes
  /** What its teachers agreed that it costs singly; null in a bundle of one teacher. */
  agreedPrice: Millimes | null
  isOwned: boolean
}

/**
 * Those of these bundles that are for sale, the cheapest first, and what of them a buyer owns: none of their
 * documents is free or off sale, together they cost less than singly, and several teachers agree.
 */
async function read(
  db: Kysely<Schema>,
  which: RawBuilder<unknown>,
  buyerId: number | null,
): Promise<SellingBundle[]> {
  const { rows } = await sql<Row>`
    SELECT ${KEPT_COLUMNS}, b.id AS bundle_id, b.price AS bundle_price, price_now(d) AS final_price,
      item.price AS agreed_price,
      (SELECT count(*)::integer FROM bundle_documents WHERE bundle_id = b.id) AS size,
      EXISTS (SELECT FROM purchases
        WHERE user_id = ${buyerId}::integer AND document_id = d.id) AS is_owned
    FROM bundles b JOIN bundle_documents item ON item.bundle_id = b.id ${KEPT_TABLES}
    WHERE b.stopped_at IS NULL AND b.id IN (${which})
    ORDER BY b.price, b.id, d.id`.execute(db)
  return [...Map.groupBy(rows, ({ bundleId }) => bundleId).values()].flatMap(sellingOf)
}

function sellingOf(rows: readonly Row[]): SellingBundle[] {
  const [first] = rows
  const prices = rows.map(({ finalPrice }) => finalPrice)
  // By another price of one document, the shares of all would be others than their teachers agreed to.
  if (rows.some((row) => (row.agreedPrice ?? row.finalPrice) !== row.finalPrice)) return []
  if (!first || rows.length < first.size || !isBundlePrice(first.bundlePrice, prices)) return []
  const { bundleId: id, bundlePrice: price } = first
  const shares = sharesOf(price, prices)
  const documentIds = rows.map((row) => row.id)
  const documents = rows.map((row, at) => ({
    ...row,
    bundle: { id, share: shares[at] ?? 0, documentIds },
  }))
  return [{ id, price, documents }]
}

/** Those of these bundles that are for sale; without a buyer, nothing of them is owned. */
export const sellingBundles = async (
  db: Kysely<Schema>,
  ids: readonly number[],
  buyerId: number | null = null,
): Promise<SellingBundle[]> =>
  ids.length === 0 ? [] : read(db, sql`SELECT unnest(${idList(ids)})`, buyerId)

/** The cheapest bundles for sale that have a document: no more are read, since a teacher may make hundreds. */
export const bundlesWith = (db: Kysely<Schema>, documentId: number): Promise<SellingBundle[]> =>
  read(
    db,
    sql`SELECT o.id FROM bundles o JOIN bundle_documents its ON its.bundle_id = o.id
      JOIN documents d ON d.id = its.document_id
      WHERE o.stopped_at IS NULL
        AND o.id IN (SELECT bundle_id FROM bundle_documents WHERE document_id = ${documentId})
      GROUP BY o.id
      HAVING bool_and(d.is_published AND price_now(d) > 0
          AND price_now(d) = coalesce(its.price, price_now(d))) AND o.price < sum(price_now(d))
      ORDER BY o.price, o.id LIMIT ${BUNDLES_SHOWN}`,
    null,
  )

/** The parts of these bundles, as long as they are for sale, by bundle and document. */
export async function partsOf(
  db: Kysely<Schema>,
  items: readonly { readonly id: number; readonly bundleId: number | null }[],
): Promise<(BundlePart | undefined)[]> {
  const ids = new Set(items.flatMap(({ bundleId }) => bundleId ?? []))
  const documents = (await sellingBundles(db, [...ids])).flatMap((bundle) => bundle.documents)
  return items.map(
    ({ id, bundleId }) =>
      documents.find((each) => each.id === id && each.bundle.id === bundleId)?.bundle,
  )
}
