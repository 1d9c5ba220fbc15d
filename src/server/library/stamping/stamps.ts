import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { latinName } from '../../../rules/brand.ts'
import { MINUTE_MS } from '../../../rules/durations.ts'
import { pageCodePath, stampText, type UnstampableReason } from '../../../rules/stamp.ts'
import type { Deps } from '../../deps.ts'
import { readSetting } from '../../money/money.ts'
import { readBrand } from '../../site-texts/site-texts.ts'
import {
  type Customer,
  ExhaustingFile,
  inTime,
  tasksOf,
  UnreadableFile,
  WorkersBusy,
} from '../../workers/workers.ts'
import { writeFooter } from './footer.ts'

/** Part of the name of each blank tail; increase it to have them made again. */
const LAYOUT = 3

const task = tasksOf<typeof import('./make-tail.ts')>(new URL('./make-tail.ts', import.meta.url))
/** A thick book has thousands of pages to write and to compare. */
const BLANK_FOOTERS = task('blankFooters', { processorMs: MINUTE_MS })

interface StampedFile {
  readonly storageKey: string
  readonly sha256: string
}

interface OwnedFile extends StampedFile {
  readonly documentId: number
  readonly mediaType: string
}

/** Appended to one buyer's copy; read only when sent, since it may be megabytes. */
interface Tail {
  /** In bytes. */
  readonly size: number
  /** Returns null if the tail is missing and cannot be made again. */
  read(): Promise<Buffer | null>
}

/**
 * The tails of a buyer's copies of these files, by document; they print the order on each page. A
 * file is left out, and sent unchanged, if it was free, is not a PDF or cannot be stamped, or if
 * stamping is switched off. Throws `WorkersBusy` where a tail is not ready in time: a later call
 * finds it. Another error while stamping never makes the download fail.
 */
export async function stampsFor(
  deps: Deps,
  { userId, files }: { userId: number; files: readonly OwnedFile[] },
): Promise<Map<number, Tail>> {
  const tails = new Map<number, Tail>()
  const pdfs = files.filter(({ mediaType }) => mediaType === 'application/pdf')
  if (pdfs.length === 0 || !(await isStamping(deps))) return tails
  const orders = await readOrders(deps, userId, pdfs)
  const customer: Customer = { lane: 'bought', account: `user ${userId}` }
  const make = async () => {
    const shop = latinName(await readBrand(deps.database.kysely))
    for (const file of pdfs) {
      const order = orders.get(file.documentId)
      const size = order && (await tailSize(deps, file, customer))
      if (!size) continue
      const footer = {
        text: stampText(shop, order.orderId, order.contact),
        address: order.hasCode ? `${deps.config.siteUrl}${pageCodePath(order.documentId)}` : null,
      }
      const read = async () => {
        const blank = await blankTailOf(deps, file, customer)
        return blank && writeFooter(blank, footer)
      }
      tails.set(file.documentId, { size, read })
    }
  }
  await inTime(make())
  return tails
}

/** The tail of a buyer's copy of one file; null if it is sent unchanged. Throws `WorkersBusy`. */
export async function stampFor(
  deps: Deps,
  { userId, ...file }: OwnedFile & { userId: number },
): Promise<Buffer | null> {
  const tails = await stampsFor(deps, { userId, files: [file] })
  return (await tails.get(file.documentId)?.read()) ?? null
}

interface Order {
  readonly documentId: number
  readonly orderId: number
  /** The e-mail address, else the phone number. */
  readonly contact: string
  /** Whether its teacher wants the code on the pages. */
  readonly hasCode: boolean
}

/** The paid orders of these documents, without those whose file is known to be unstampable. */
async function readOrders(
  { database }: Deps,
  userId: number,
  files: readonly OwnedFile[],
): Promise<Map<number, Order>> {
  const ids = files.map(({ documentId }) => documentId)
  const hashes = files.map(({ sha256 }) => sha256)
  const { rows } = await sql<Order>`
    SELECT p.document_id, p.order_id, coalesce(u.email, u.phone, '') AS contact,
      t.has_page_code AS has_code
    FROM unnest(${ids}::integer[], ${hashes}::text[]) AS wanted (document_id, sha256)
    JOIN purchases p ON p.document_id = wanted.document_id AND p.user_id = ${userId}
    JOIN users u ON u.id = p.user_id
    JOIN documents d ON d.id = p.document_id
    JOIN teachers t ON t.id = d.teacher_id
    -- The rest of a bundle, and what a code lowered, may have cost nothing, and is no free document.
    WHERE (p.price > 0 OR p.is_freed OR EXISTS (SELECT FROM order_items i WHERE i.order_id = p.order_id
        AND i.document_id = p.document_id AND i.bundle_id IS NOT NULL))
      AND NOT EXISTS (SELECT FROM unstamped_files x WHERE x.sha256 = wanted.sha256)`.execute(
    database.kysely,
  )
  return new Map(rows.map((row) => [row.documentId, row]))
}

/** The name of a file's blank tail among what is made. */
export const tailName = ({ sha256 }: Pick<StampedFile, 'sha256'>): string =>
  `stamps/${sha256}/${LAYOUT}.tail`

/** In bytes; makes the tail if there is none yet. */
async function tailSize(
  deps: Deps,
  file: OwnedFile,
  customer: Customer,
): Promise<number | undefined> {
  const kept = await stat(deps.files.made.pathOf(tailName(file))).catch(() => null)
  return kept?.size ?? (await blankTailOf(deps, file, customer))?.length
}

type Stamping = Pick<Deps, 'database' | 'files' | 'workers' | 'now' | 'report'>

/** Makes the tail of a file before somebody downloads it; leaves it to the download if it fails. */
export async function makeTailAhead(deps: Stamping, file: StampedFile): Promise<void> {
  if (!(await isStamping(deps))) return
  const isKnown = await deps.database.kysely
    .selectFrom('unstampedFiles')
    .select('sha256')
    .where('sha256', '=', file.sha256)
    .executeTakeFirst()
  if (isKnown) return
  await blankTailOf(deps, file, { lane: 'behind', account: 'footers' }).catch(() => {})
}

/**
 * The tail of a file, made once for all its buyers and kept. Null
 * if the file is missing, or if the tail cannot be made, which is recorded for the operator. Throws
 * `WorkersBusy`.
 */
function blankTailOf(
  deps: Stamping,
  file: StampedFile,
  customer: Customer,
): Promise<Buffer | null> {
  return deps.files.made
    .kept(tailName(file), () => makeBlankTail(deps, file, customer))
    .catch((error: unknown) => {
      if (error instanceof WorkersBusy) throw error
      deps.report(`A download goes without its stamp: ${error}`)
      return null
    })
}

async function makeBlankTail(
  deps: Stamping,
  { storageKey, sha256 }: StampedFile,
  customer: Customer,
): Promise<Buffer | null> {
  const path = await deps.files.localPath(storageKey)
  if (path === null) return null
  const made = await deps.workers
    .run(BLANK_FOOTERS, { path }, { ...customer, file: { sha256 } })
    .catch((error: unknown) => {
      if (!(error instanceof UnreadableFile)) throw error
      const reason = error instanceof ExhaustingFile ? 'too_slow' : 'unusual'
      return { reason, detail: error.message } as const
    })
  if (made.reason === null) return Buffer.from(made.tail)
  await noteUnstamped(deps, { sha256, reason: made.reason, detail: made.detail })
  return null
}

interface Unstamped {
  readonly sha256: string
  readonly reason: UnstampableReason
  /** For the operator, in English. */
  readonly detail: string
}

/** Records once that a file is sent to its buyers unstamped, and notifies the operator. */
async function noteUnstamped(
  { database, now, report }: Pick<Deps, 'database' | 'now' | 'report'>,
  { sha256, reason, detail }: Unstamped,
): Promise<void> {
  const noted = await database.kysely
    .insertInto('unstampedFiles')
    .values({ sha256, reason, detail, notedAt: new Date(now()) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('sha256')
    .execute()
  if (noted.length > 0) report(`The file ${sha256} goes out without a stamp: ${reason}, ${detail}`)
}

/** Whether bought PDFs are delivered with a footer. */
export async function isStamping({ database }: Pick<Deps, 'database'>): Promise<boolean> {
  return (await readSetting(database.kysely, 'stamp')) === 1
}
