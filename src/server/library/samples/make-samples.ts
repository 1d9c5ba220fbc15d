import { availableParallelism, loadavg } from 'node:os'
import { type Kysely, sql } from 'kysely'
import { MINUTE_MS, SECOND_MS } from '../../../rules/durations.ts'
import { documentTag } from '../../../rules/page-tags.ts'
import { SAMPLE_WIDTHS, samplePagesOf } from '../../../rules/reading.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { changePages } from '../../publishing/publishing.ts'
import { readBrand } from '../../site-texts/site-texts.ts'
import { UnreadableFile, WorkersBusy } from '../../workers/workers.ts'
import { type Pictures, picturesFor } from '../reading/pictures.ts'
import { makeTailAhead } from '../stamping/stamps.ts'
import {
  dropPictures,
  findSample,
  keyOfSample,
  type Sampled,
  type SampleRow,
  samplePictureOf,
  watermarkOf,
} from './sample.ts'

export const SAMPLES_EVERY_MS = 10 * SECOND_MS

/** After this time a turn begins no other document. */
const TURN_MS = 8 * SECOND_MS
const TRIES = 3
const RETRY_AFTER_MS = 10 * MINUTE_MS
/** How much is kept of why a page cannot be drawn, in characters. */
const TROUBLE_MAX_LENGTH = 500

type Parts = Pick<Deps, 'database' | 'publisher' | 'report' | 'now'>
type Shop = Parts & Pick<Deps, 'files' | 'workers'>

/** Whether more work is running on the machine than it has processors for. */
export const isBusy = () => (loadavg()[0] ?? 0) > availableParallelism()

/**
 * Reads the pages of due samples, which makes the samples available, and then draws their pictures
 * ahead, the newest first, until the turn's time is over; the next turn continues. On a busy
 * machine it draws none; they are then drawn when they are first requested.
 */
export async function makeSamples(shop: Shop, { mayDraw = !isBusy() } = {}): Promise<void> {
  const pictures = picturesFor(shop, { lane: 'behind', account: 'samples' })
  const until = performance.now() + TURN_MS
  const isOver = () => performance.now() > until
  while (!isOver() && (await readNext(shop, pictures)));
  while (mayDraw && !isOver() && (await drawNext(shop, pictures)));
}

interface Due {
  readonly documentId: number
  /** As text, since the database's times are more precise than a `Date`. */
  readonly dueAt: string | null
  readonly tries: number
}

/** Returns false if none is due. */
async function readNext(shop: Shop, pictures: Pictures): Promise<boolean> {
  const { kysely } = shop.database
  const { rows } = await sql<Due>`
    SELECT document_id AS "documentId", due_at::text AS "dueAt", tries FROM samples
    WHERE due_at <= greatest(now(), ${new Date(shop.now())})
    ORDER BY due_at DESC, document_id DESC LIMIT 1`.execute(kysely)
  const [due] = rows
  if (!due) return false
  const sample = await findSample(kysely, due.documentId)
  if (!sample) await settle(kysely, due)
  else {
    await readSample(shop, pictures, sample, due).catch((error: unknown) =>
      postpone(shop, sample, due, error),
    )
  }
  return true
}

/** Its document is no longer for sale; publishing it makes the sample due again. */
async function settle(db: Kysely<Schema>, { documentId, dueAt }: Due): Promise<void> {
  await sql`UPDATE samples SET due_at = NULL
    WHERE document_id = ${documentId} AND due_at::text = ${dueAt}`.execute(db)
}

async function readSample(
  shop: Shop,
  pictures: Pictures,
  sample: SampleRow,
  due: Due,
): Promise<void> {
  const { documentId } = sample
  const wanted = samplePagesOf(sample.chosen, sample.pageCount ?? 0)
  const pages = wanted.length > 0 ? await pictures.shown(sample, wanted) : []
  const { name } = await readBrand(shop.database.kysely)
  const watermark = watermarkOf(name, { title: sample.title, pages })
  const key = pages.length > 0 ? keyOfSample(sample, pages, watermark) : null
  await writeSample(shop, documentId, async (tx) => {
    const { numAffectedRows } = await sql`
      UPDATE samples SET due_at = NULL, key = ${key},
        pages = ${key === null ? null : JSON.stringify(pages)}::jsonb,
        is_drawn = is_drawn AND key IS NOT DISTINCT FROM ${key}, trouble = NULL, failed_at = NULL
      -- Unless it has become due again meanwhile, by another file or other pages.
      WHERE document_id = ${documentId} AND due_at::text = ${due.dueAt}`.execute(tx)
    return numAffectedRows === 1n
  })
  if (sample.key && sample.key !== key) {
    await dropPictures(shop.files, { documentId, key: sample.key })
  }
}

/** Writes a sample and, if `change` reports a change, has the pages that show it rendered again. */
async function writeSample(
  shop: Pick<Shop, 'database' | 'publisher'>,
  documentId: number,
  change: (tx: Kysely<Schema>) => Promise<boolean>,
): Promise<void> {
  await changePages(shop, async (tx, markStale) => {
    if (await change(tx)) markStale([documentTag(documentId)])
  })
}

/**
 * Postpones a sample after a failure, which a busy machine or a full disk may have caused; removes
 * the sample if the PDF is the cause, or after `TRIES` attempts.
 */
async function postpone(
  shop: Parts,
  { documentId }: Pick<SampleRow, 'documentId'>,
  { dueAt, tries }: Pick<Due, 'dueAt' | 'tries'>,
  error: unknown,
): Promise<void> {
  // Busy workers say nothing about the file, however often it happens.
  const triesNow = error instanceof WorkersBusy ? tries : tries + 1
  if (error instanceof UnreadableFile || triesNow >= TRIES) {
    return await noteTrouble(shop, documentId, error)
  }
  await sql`
    UPDATE samples SET tries = ${triesNow}, due_at = ${new Date(shop.now() + RETRY_AFTER_MS)}
    WHERE document_id = ${documentId}
      AND due_at::text IS NOT DISTINCT FROM ${dueAt}`.execute(shop.database.kysely)
}

/** Removes a sample that cannot be drawn, and tells the operator. */
async function noteTrouble(shop: Parts, documentId: number, error: unknown): Promise<void> {
  const trouble = error instanceof Error ? error.message : String(error)
  await writeSample(shop, documentId, async (tx) => {
    await sql`
      UPDATE samples SET due_at = NULL, key = NULL, pages = NULL, is_drawn = false,
        trouble = ${trouble.slice(0, TROUBLE_MAX_LENGTH)}, failed_at = ${new Date(shop.now())}
      WHERE document_id = ${documentId}`.execute(tx)
    return true
  })
  shop.report(`The pages of document ${documentId} cannot be drawn; it has no sample: ${trouble}`)
}

/** Returns false if all are drawn. */
async function drawNext(shop: Shop, pictures: Pictures): Promise<boolean> {
  const { kysely } = shop.database
  const { rows } = await sql<{ documentId: number }>`
    SELECT document_id AS "documentId" FROM samples
    WHERE NOT is_drawn AND due_at IS NULL AND pages IS NOT NULL
    ORDER BY document_id DESC LIMIT 1`.execute(kysely)
  const [next] = rows
  if (!next) return false
  const { documentId } = next
  const sample = await findSample(kysely, documentId)
  try {
    if (sample && !sample.isDue) {
      // A sample that has lost a page is drawn by the next turn.
      if (!(await drawAll(shop, pictures, sample))) return true
      await readAhead(shop, pictures, sample)
    }
    await sql`UPDATE samples SET is_drawn = true, tries = 0
      WHERE document_id = ${documentId} AND due_at IS NULL`.execute(kysely)
  } catch (error) {
    await postpone(shop, { documentId }, { dueAt: null, tries: sample?.tries ?? 0 }, error)
  }
  return true
}

/** Draws all pages; false if one of them cannot be drawn and was left out of the sample. */
async function drawAll(shop: Shop, pictures: Pictures, sample: SampleRow): Promise<boolean> {
  const { files } = shop
  const { key, pages } = sample
  if (key === null || pages === null) return true
  const sampled = { ...sample, key, pages }
  const { name } = await readBrand(shop.database.kysely)
  for (const { page } of pages) {
    for (const width of SAMPLE_WIDTHS) {
      try {
        await samplePictureOf({ pictures, files, name }, sampled, page, width)
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error
        await leaveOut(shop, sampled, page, error)
        return false
      }
    }
  }
  return true
}

/** Leaves out a page that cannot be drawn; without its last page, there is no sample. */
export async function leaveOut(
  shop: Parts & Pick<Deps, 'files'>,
  sample: Sampled,
  page: number,
  error: UnreadableFile,
): Promise<void> {
  const { documentId, key } = sample
  const pages = sample.pages.filter((one) => one.page !== page)
  if (pages.length === 0) return await noteTrouble(shop, documentId, error)
  const trouble = `page ${page}: ${error.message}`
  const { name } = await readBrand(shop.database.kysely)
  await writeSample(shop, documentId, async (tx) => {
    const { numAffectedRows } = await sql`
      UPDATE samples SET pages = ${JSON.stringify(pages)}::jsonb, is_drawn = false,
        key = ${keyOfSample(sample, pages, watermarkOf(name, { ...sample, pages }))},
        trouble = ${trouble.slice(0, TROUBLE_MAX_LENGTH)}, failed_at = ${new Date(shop.now())}
      -- Unless it was made again meanwhile.
      WHERE document_id = ${documentId} AND key = ${key}`.execute(tx)
    return numAffectedRows === 1n
  })
  await dropPictures(shop.files, sample)
  shop.report(`A page of document ${documentId} cannot be drawn; its sample lacks it: ${trouble}`)
}

/** Makes what reader and download need first, so that nobody waits for a long document. */
async function readAhead(shop: Shop, pictures: Pictures, sample: SampleRow): Promise<void> {
  const { sizes, beginning, outline, textFiles } = pictures
  // A failure does not affect the sample; the reader reports it when the document is opened.
  for (const read of [sizes, beginning, outline, textFiles]) await read(sample).catch(() => {})
  if (sample.isPriced) await makeTailAhead(shop, sample)
}
