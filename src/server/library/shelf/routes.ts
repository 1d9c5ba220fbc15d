import { type Kysely, sql } from 'kysely'
import {
  downloadDocument,
  getPurchased,
  listPurchased,
  type PurchasedDocument,
} from '../../../contract/library.ts'
import { EARLIER_VERSION_MS } from '../../../rules/downloads.ts'
import { fullName } from '../../../rules/full-name.ts'
import { completed } from '../../../rules/languages.ts'
import { presentMappingOf, searchedNames } from '../../catalogue/catalogue.ts'
import type { Schema } from '../../database/schema.ts'
import { fault } from '../../http/errors.ts'
import { requireSelf } from '../../http/identity.ts'
import { type Route, route } from '../../http/route.ts'
import { noteSeen, presentPlace } from '../reading/reading.ts'
import { boughtFile } from '../sending/find-file.ts'
import { sendFile } from '../sending/send-file.ts'
import { signPreview } from '../sending/signed-links.ts'
import { stampFor } from '../stamping/stamps.ts'

export const libraryRoutes: Route[] = [
  route(listPurchased, async ({ user, deps }) => {
    const { kysely } = deps.database
    const rows = await purchasesOf(kysely, user.id)
    const owned = await ownedVersions(kysely, { userId: user.id }, deps.now())
    return rows.map((row) => ({ ...presentPurchased(row), ...owned.get(row.documentId) }))
  }),
  route(getPurchased, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    const { kysely } = deps.database
    const row = await findPurchase(kysely, input.params)
    if (!row) throw fault('document_not_found')
    const owned = await ownedVersions(kysely, input.params, deps.now())
    return { ...presentPurchased(row), ...owned.get(row.documentId) }
  }),
  route(downloadDocument, async ({ input, user, deps, reply }) => {
    const { id: documentId, userId } = input.params
    if (user.id !== userId) throw fault('not_permitted')
    const { version } = input.query
    const file = await boughtFile(deps, { userId, documentId, version })
    await noteSeen(deps, userId, [{ documentId, version: file.version }])

    if (input.query.preview === 'true') {
      const token = signPreview(deps.secret, { documentId, userId }, deps.now())
      return reply.type('text/plain; charset=utf-8').send(`/preview/${token}`)
    }
    const tail = await stampFor(deps, { ...file, documentId, userId })
    return sendFile(reply, deps.files, { ...file, tail })
  }),
]

function selectPurchases(db: Kysely<Schema>, userId: number) {
  return db
    .selectFrom('purchases as p')
    .innerJoin('documents as d', 'd.id', 'p.documentId')
    .innerJoin('categories as c', 'c.id', 'd.categoryId')
    .innerJoin('matieres as m', 'm.id', 'd.matiereId')
    .innerJoin('niveaux as n', 'n.id', 'd.niveauId')
    .innerJoin('teachers as t', 't.id', 'd.teacherId')
    .innerJoin('files as f', 'f.id', 'd.fileId')
    .leftJoin('coverMappings as k', 'k.id', 'd.coverMappingId')
    .leftJoin('ratings as own', (join) =>
      join
        .onRef('own.documentId', '=', 'd.id')
        .on('own.userId', '=', userId)
        .on('own.withdrawnAt', 'is', null),
    )
    .where('p.userId', '=', userId)
    .select(['p.documentId', 'p.price', 'p.purchasedAt', 'd.title', 'd.rating', 'd.salesCount'])
    .select(['c.id as categoryId', 'c.name as categoryName', 'c.code as categoryCode'])
    .select(['m.id as matiereId', 'm.name as matiereName', 'm.code as matiereCode'])
    .select(['n.id as niveauId', 'n.name as niveauName', 'n.code as niveauCode'])
    .select(['c.names as categoryNames', 'm.names as matiereNames', 'n.names as niveauNames'])
    .select([
      'd.teacherId',
      't.firstName',
      't.lastName',
      't.latinName',
      'f.fileType',
      'f.pageCount',
      'f.size',
    ])
    .select(['d.coverPath', 'd.coverMappingId', 'k.color as mappingColor'])
    .select(['k.coverPath as mappingCoverPath', 'k.livrePath as mappingLivrePath'])
    .select('own.stars as ownRating')
}

type PurchasedRow = Awaited<ReturnType<typeof purchasesOf>>[number]

/** All purchases of a customer, newest first; unpublished documents still belong to them. */
function purchasesOf(db: Kysely<Schema>, userId: number) {
  return selectPurchases(db, userId)
    .orderBy('p.purchasedAt', 'desc')
    .orderBy('p.id', 'desc')
    .execute()
}

function findPurchase(
  db: Kysely<Schema>,
  { userId, documentId }: { userId: number; documentId: number },
): Promise<PurchasedRow | undefined> {
  return selectPurchases(db, userId).where('p.documentId', '=', documentId).executeTakeFirst()
}

function presentPurchased(row: PurchasedRow): PurchasedDocument {
  return {
    documentId: row.documentId,
    documentTitle: row.title,
    amount: row.price,
    matiereName: row.matiereName,
    niveauName: row.niveauName,
    categoryName: row.categoryName,
    categoryId: row.categoryId,
    matiereId: row.matiereId,
    niveauId: row.niveauId,
    teacherId: row.teacherId,
    teacherName: fullName(row),
    ...(row.latinName && { teacherLatinName: row.latinName }),
    averageRating: Number(row.rating),
    salesCount: row.salesCount,
    purchaseDate: row.purchasedAt.toISOString(),
    fileType: row.fileType,
    matiereCode: row.matiereCode,
    niveauCode: row.niveauCode,
    categoryCode: row.categoryCode,
    ...(row.matiereNames && { matiereNames: completed(row.matiereNames, '') }),
    ...(row.niveauNames && { niveauNames: completed(row.niveauNames, '') }),
    ...(row.categoryNames && { categoryNames: completed(row.categoryNames, '') }),
    searchedNames: [
      ...searchedNames('subjects', entryOf(row, 'matiere')),
      ...searchedNames('kinds', entryOf(row, 'category')),
      ...searchedNames('classes', entryOf(row, 'niveau')),
    ].join(' '),
    pageCount: row.pageCount,
    fileSize: row.size,
    coverPath: row.coverPath,
    coverMapping: presentMappingOf(row),
    ownRating: row.ownRating,
  }
}

const entryOf = (row: PurchasedRow, list: 'matiere' | 'niveau' | 'category') => ({
  name: row[`${list}Name`],
  code: row[`${list}Code`],
  names: row[`${list}Names`],
})

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

type OwnedVersion = Pick<PurchasedDocument, 'place' | 'version' | 'newVersion' | 'earlierVersion'>

/** By document, for all of a customer's documents or for one; `now` in ms since 1970. */
async function ownedVersions(
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
