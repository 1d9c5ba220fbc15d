import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { MINUTE_MS, SECOND_MS } from '../../../rules/durations.ts'
import { stampText } from '../../../rules/stamp.ts'
import type { Deps } from '../../deps.ts'
import { keptFile } from '../pages/kept-files.ts'
import {
  createRenderer,
  ExhaustingPdf,
  type Renderer,
  RendererBusy,
  UnreadablePdf,
} from '../pages/renderer.ts'
import { writeFooter } from '../tails/footer.ts'
import { isStamping } from './switch.ts'
import { noteUnstamped } from './unstamped.ts'

/** Part of the name of each blank tail; increase it when the layout of the footer changes. */
const LAYOUT = 1

/**
 * How long a download waits for the file's blank tail, in milliseconds; it is then sent without a
 * stamp.
 */
const STAMP_WAIT_MS = 4 * SECOND_MS

/** No download waits longer than `STAMP_WAIT_MS`, so a large file may take its time. */
const LIMITS = { waiting: 500, patience: MINUTE_MS, idle: 10 * SECOND_MS }

/** A stored file of a document. */
interface OwnedFile {
  readonly documentId: number
  readonly storageKey: string
  readonly mediaType: string
  readonly sha256: string
}

/**
 * The bytes appended to one buyer's copy of a file; they are read only when they are sent, since
 * they may be megabytes.
 */
export interface Tail {
  /** In bytes. */
  readonly size: number
  /** Returns null if the tail is missing and cannot be made again. */
  read(): Promise<Buffer | null>
}

/**
 * The tails of a buyer's copies of these files, by document; they print the order on each page. A
 * file is left out, and sent unchanged, if it was free, is not a PDF or cannot be stamped, or if
 * stamping is switched off or takes longer than `within` milliseconds for all of them. An error
 * while stamping never makes the download fail.
 */
export async function stampsFor(
  deps: Deps,
  { userId, files }: { userId: number; files: readonly OwnedFile[] },
  within = STAMP_WAIT_MS,
): Promise<Map<number, Tail>> {
  const tails = new Map<number, Tail>()
  const pdfs = files.filter(({ mediaType }) => mediaType === 'application/pdf')
  if (pdfs.length === 0 || !(await isStamping(deps))) return tails
  const orders = await readOrders(deps, userId, pdfs)
  const over = new AbortController()
  const timeOut = wait(within, null, { signal: over.signal, ref: false }).catch(() => null)
  await Promise.all(
    pdfs.map(async (file) => {
      const order = orders.get(file.documentId)
      const size = order && (await Promise.race([tailSize(deps, file), timeOut]))
      if (!size) return
      const text = stampText(order.orderId, order.email)
      const read = async () => {
        const blank = await blankTailOf(deps, file)
        return blank && writeFooter(blank, text)
      }
      tails.set(file.documentId, { size, read })
    }),
  )
  over.abort()
  return tails
}

interface Order {
  readonly documentId: number
  readonly orderId: number
  readonly email: string
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
    SELECT p.document_id, p.order_id, u.email
    FROM unnest(${ids}::integer[], ${hashes}::text[]) AS wanted (document_id, sha256)
    JOIN purchases p ON p.document_id = wanted.document_id AND p.user_id = ${userId}
    JOIN users u ON u.id = p.user_id
    WHERE p.price > 0
      AND NOT EXISTS (SELECT FROM unstamped_files x WHERE x.sha256 = wanted.sha256)`.execute(
    database.kysely,
  )
  return new Map(rows.map((row) => [row.documentId, row]))
}

/** The path of the tail of a file. */
const pathOf = ({ config }: Deps, { sha256 }: OwnedFile) =>
  join(config.dataDir, 'stamps', sha256, `${LAYOUT}.tail`)

/** The size of a file's tail in bytes; makes the tail if there is none yet. */
async function tailSize(deps: Deps, file: OwnedFile): Promise<number | undefined> {
  const kept = await stat(pathOf(deps, file)).catch(() => null)
  return kept?.size ?? (await blankTailOf(deps, file))?.length
}

/**
 * The tail of a file, made once for all its buyers and stored in `DATA_DIR/stamps/<sha256>`. Null
 * if the file is missing, or if the tail cannot be made, which is recorded for the operator.
 */
function blankTailOf(deps: Deps, file: OwnedFile): Promise<Buffer | null> {
  return keptFile(pathOf(deps, file), () => makeBlankTail(deps, file)).catch((error: unknown) => {
    deps.report(`A download goes without its stamp: ${error}`)
    return null
  })
}

async function makeBlankTail(
  deps: Deps,
  { storageKey, sha256 }: OwnedFile,
): Promise<Buffer | null> {
  const path = await deps.files.localPath(storageKey)
  if (path === null) return null
  const made = await threadOf(deps)
    .run<'stamp'>({ kind: 'stamp', path })
    .catch((error: unknown) => {
      if (error instanceof ExhaustingPdf)
        return { reason: 'too_slow', detail: error.message } as const
      if (error instanceof UnreadablePdf)
        return { reason: 'unusual', detail: error.message } as const
      throw error
    })
    .catch((error: unknown) => {
      // A later download of the file will make the tail.
      if (error instanceof RendererBusy) return null
      throw error
    })
  if (!made) return null
  if (made.reason === null) return Buffer.from(made.tail)
  await noteUnstamped(deps, { sha256, reason: made.reason, detail: made.detail })
  return null
}

const threads = new WeakMap<Deps, Renderer>()

/** One thread per server; it ends by itself when idle. */
function threadOf(deps: Deps): Renderer {
  const known = threads.get(deps)
  if (known) return known
  const thread = createRenderer(LIMITS, { isBehind: true })
  threads.set(deps, thread)
  return thread
}
