import { type Kysely, sql } from 'kysely'
import type { PurchasedDocument } from '../../../contract/library.ts'
import { EARLIER_VERSION_MS } from '../../../rules/downloads.ts'
import type { Schema } from '../../database/schema.ts'
import { presentPlace } from './readings.ts'

interface Row {
  readonly documentId: number
  readonly number: number | null
  readonly decidedAt: Date | null
  readonly isNew: boolean | null
  readonly changes: string | null
  /** The previous version, if the customer had it. */
  readonly earlier: number | null
  readonly page: number | null
  readonly readAt: Date | null
}

/** A customer's place in a document, and the version that they get. */
export type OwnedVersion = Pick<
  PurchasedDocument,
  'place' | 'version' | 'newVersion' | 'earlierVersion'
>

/**
 * Versions and places of a customer's documents, by document, for all of them or for one. `now` is
 * in milliseconds since 1970.
 */
export async function ownedVersions(
  db: Kysely<Schema>,
  { userId, documentId = null }: { userId: number; documentId?: number | null },
  now: number,
): Promise<ReadonlyMap<number, OwnedVersion>> {
  const { rows } = await sql<Row>`
    SELECT p.document_id, newest.number, newest.decided_at, r.page, r.read_at,
      newest.decided_at > p.purchased_at AND newest.number > coalesce(r.seen_version, 0) AS is_new,
      (SELECT string_agg(note, E'\n' ORDER BY number DESC) FROM document_versions
        WHERE document_id = p.document_id AND state = 'accepted' AND note <> ''
          AND decided_at > p.purchased_at AND number > coalesce(r.seen_version, 0)) AS changes,
      (SELECT number FROM document_versions
        WHERE document_id = p.document_id AND state = 'accepted' AND file_id IS NOT NULL
          AND number < newest.number AND newest.decided_at > p.purchased_at
        ORDER BY number DESC LIMIT 1) AS earlier
    FROM purchases p
    LEFT JOIN readings r ON r.document_id = p.document_id AND r.user_id = p.user_id
    LEFT JOIN LATERAL (
      SELECT number, decided_at FROM document_versions
      WHERE document_id = p.document_id AND state = 'accepted' ORDER BY number DESC LIMIT 1
    ) AS newest ON true
    WHERE p.user_id = ${userId}
      AND (${documentId}::integer IS NULL OR p.document_id = ${documentId})`.execute(db)
  return new Map(rows.map((row) => [row.documentId, presentOwned(row, now)]))
}

function presentOwned(row: Row, now: number): OwnedVersion {
  const { number, decidedAt, earlier } = row
  const place = presentPlace(row)
  const until = decidedAt && new Date(decidedAt.getTime() + EARLIER_VERSION_MS)
  return {
    version: number ?? 1,
    ...(place && { place }),
    ...(row.isNew &&
      number !== null &&
      decidedAt && {
        newVersion: { number, at: decidedAt.toISOString(), changes: row.changes ?? '' },
      }),
    ...(earlier !== null &&
      until &&
      until.getTime() > now && {
        earlierVersion: { number: earlier, until: until.toISOString() },
      }),
  }
}
