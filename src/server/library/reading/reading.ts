import { type Kysely, sql } from 'kysely'
import type { Place, Reading } from '../../../contract/reading.ts'
import * as contract from '../../../contract/reading.ts'
import { fitsCategory } from '../../../rules/document-fields.ts'
import { readExercisePoints } from '../../../rules/exam.ts'
import { completed, type InEachLanguage } from '../../../rules/languages.ts'
import { directionOf } from '../../../rules/page-passages.ts'
import type { Schema } from '../../database/schema.ts'
import { idList } from '../../database/sql-parts.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'
import { type Customer, inTime, UnreadableFile, WorkersBusy } from '../../workers/workers.ts'
import { boughtFile } from '../sending/find-file.ts'
import { signReading } from '../sending/signed-links.ts'
import { picturesFor } from './pictures.ts'

export const readingRoutes: Route[] = [
  route(contract.openReading, async ({ input, user, deps, limits }) => {
    limits.bound('reading', user.id)
    return openReading(deps, { documentId: input.params.id, userId: user.id })
  }),
  route(contract.keepPlace, async ({ input, user, deps, limits }) => {
    limits.bound('place', user.id)
    const of = { documentId: input.params.id, userId: user.id }
    const { pageCount } = await boughtFile(deps, of)
    const now = deps.now()
    const shownAt = Date.parse(input.body.at ?? '')
    return writePlace(deps.database.kysely, of, {
      page: Math.min(input.body.page, pageCount ?? input.body.page),
      at: new Date(Number.isNaN(shownAt) ? now : Math.min(shownAt, now)),
    })
  }),
  route(contract.findInDocument, async ({ input, user, deps, limits }) => {
    limits.bound('find', user.id)
    const file = await boughtFile(deps, { documentId: input.params.id, userId: user.id })
    const pictures = picturesFor(deps, buyer(user.id))
    return readable(deps, inTime(pictures.find(file, input.query.q)))
  }),
]

/** Throws `document_not_found`, `not_permitted`, `document_unreadable`. */
async function openReading(deps: Deps, of: OwnedDocument): Promise<Reading> {
  const file = await boughtFile(deps, of)
  const pictures = picturesFor(deps, buyer(of.userId))
  const [sizes, { texts, hasText }, outline] = await readable(
    deps,
    inTime(Promise.all([pictures.sizes(file), pictures.beginning(file), pictures.outline(file)])),
  )
  await noteSeen(deps, of.userId, [{ ...of, version: file.version }])
  const place = await placeIn(deps.database.kysely, of)
  const paper = await paperOf(deps.database.kysely, of.documentId)
  const { title, version } = file
  const { token, expiresAt } = signReading(deps.secret, { ...of, reads: version }, deps.now())
  return {
    documentId: of.documentId,
    title,
    version,
    sizes,
    pages: `/api/preview/${token}/`,
    expiresAt: new Date(expiresAt).toISOString(),
    direction: directionOf(texts, title),
    outline,
    // A new version may have fewer pages.
    place: place && { ...place, page: Math.min(place.page, sizes.length) },
    hasText,
    ...(paper && { paper }),
  }
}

type Paper = NonNullable<Reading['paper']>
type PaperRow = Omit<Paper, 'matiereNames' | 'exercisePoints'> & {
  readonly exercisePoints: string | null
  readonly category: string | null
  readonly matiereNames: Partial<InEachLanguage> | null
}

/** What can be sat as an exam; the categories that a shop added have no code, and all may be. */
async function paperOf(db: Kysely<Schema>, documentId: number): Promise<Paper | undefined> {
  const { rows } = await sql<PaperRow>`
    SELECT d.minutes, d.correction_page, d.exercise_points, c.code AS category, m.id AS matiere_id,
      coalesce(m.name, '') AS matiere_name, m.code AS matiere_code, m.names AS matiere_names
    FROM documents d LEFT JOIN categories c ON c.id = d.category_id
    LEFT JOIN matieres m ON m.id = d.matiere_id WHERE d.id = ${documentId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { category, matiereNames, exercisePoints, ...paper } = row
  if (!fitsCategory('paperKind', category)) return undefined
  return {
    ...paper,
    exercisePoints: readExercisePoints(exercisePoints ?? ''),
    matiereNames: matiereNames && completed(matiereNames, ''),
  }
}

/** What a buyer reads is drawn before anybody's drafts. */
const buyer = (userId: number): Customer => ({ lane: 'bought', account: `user ${userId}` })

/**
 * Throws `document_unreadable` and tells the operator if the file cannot be read; what takes too
 * long because the storage is silent is the shop's fault, not that of many readers.
 */
export async function readable<Result>(
  { report, files }: Pick<Deps, 'report' | 'files'>,
  opened: Promise<Result>,
): Promise<Result> {
  return opened.catch(async (error: unknown) => {
    if (error instanceof WorkersBusy) await files.look()
    if (!(error instanceof UnreadableFile)) throw error
    report(`A document cannot be read: ${error.message}`)
    throw fault('document_unreadable')
  })
}

interface OwnedDocument {
  readonly userId: number
  readonly documentId: number
}

/**
 * Records that an owner got these versions of documents: none is new any more, and a bundle with one is not
 * refunded whole. Most have been got before; then nothing is written.
 */
export async function noteSeen(
  { database: { kysely } }: Pick<Deps, 'database'>,
  userId: number,
  files: readonly { readonly documentId: number; readonly version: number }[],
): Promise<void> {
  await sql`
    INSERT INTO readings AS known (user_id, document_id, seen_version)
    SELECT ${userId}::integer, got.document_id, got.version
    FROM unnest(
      ${idList(files.map(({ documentId }) => documentId))},
      ${files.map(({ version }) => version)}::integer[]
    ) AS got (document_id, version)
    LEFT JOIN readings r ON r.user_id = ${userId} AND r.document_id = got.document_id
    WHERE got.version > coalesce(r.seen_version, 0)
    ORDER BY got.document_id
    ON CONFLICT (user_id, document_id) DO UPDATE
      SET seen_version = greatest(known.seen_version, excluded.seen_version)`.execute(kysely)
}

async function placeIn(
  db: Kysely<Schema>,
  { userId, documentId }: OwnedDocument,
): Promise<Place | null> {
  const row = await db
    .selectFrom('readings')
    .select(['page', 'readAt'])
    .where('userId', '=', userId)
    .where('documentId', '=', documentId)
    .executeTakeFirst()
  return row ? presentPlace(row) : null
}

export function presentPlace({
  page,
  readAt,
}: {
  page: number | null
  readAt: Date | null
}): Place | null {
  return page === null || readAt === null ? null : { page, at: readAt.toISOString() }
}

/** Stores a place unless a later one is stored already; returns the stored one. */
async function writePlace(
  db: Kysely<Schema>,
  { userId, documentId }: OwnedDocument,
  { page, at }: { page: number; at: Date },
): Promise<Place> {
  const { rows } = await sql<{ page: number; readAt: Date }>`
    INSERT INTO readings AS known (user_id, document_id, page, read_at)
    VALUES (${userId}, ${documentId}, ${page}, ${at})
    ON CONFLICT (user_id, document_id) DO UPDATE SET
      page = CASE WHEN known.read_at > excluded.read_at THEN known.page ELSE excluded.page END,
      read_at = greatest(known.read_at, excluded.read_at)
    RETURNING page, read_at`.execute(db)
  const [kept] = rows
  return { page: kept?.page ?? page, at: (kept?.readAt ?? at).toISOString() }
}

/** If both accounts have read a document, the later position stays. */
export async function mergeReadings(
  db: Kysely<Schema>,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  await sql`
    WITH gone AS (DELETE FROM readings WHERE user_id = ${fromId} RETURNING *)
    INSERT INTO readings AS kept (user_id, document_id, seen_version, page, read_at)
    SELECT ${intoId}, document_id, seen_version, page, read_at FROM gone
    ON CONFLICT (user_id, document_id) DO UPDATE SET
      seen_version = greatest(kept.seen_version, excluded.seen_version),
      page = CASE WHEN kept.read_at >= excluded.read_at OR excluded.read_at IS NULL
        THEN kept.page ELSE excluded.page END,
      read_at = greatest(kept.read_at, excluded.read_at)`.execute(db)
}
