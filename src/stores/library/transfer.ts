import type { IncomingFile } from '../../client/files.ts'
import { PART_BYTES, waitAfterCut } from '../../rules/downloads.ts'
import { withToken } from '../shared/backend.ts'
import { problemOf, Refusal } from '../shared/problem.ts'
import {
  type DownloadJob,
  type DownloadStorage,
  StorageFull,
} from '../user-data/download-storage.ts'

/** In bytes. */
export interface Arrived {
  received: number
  /** Null until the server has sent it. */
  total: number | null
}

interface Kept extends Arrived {
  etag: string | null
  mediaType: string
}

/** The reason of an abort after which nothing of the download is kept. */
export const DISCARDED = Symbol('discarded')

/** The answers for a range that the file lacks, and for a part that does not say which it is. */
const NO_SUCH_PART: readonly number[] = [206, 416]

interface Watch {
  /** Aborts the transfer, which then throws; what has arrived is kept. */
  signal: AbortSignal
  /** Called when another percent has arrived, and when the connection is cut. */
  report: (arrived: Arrived, isCut: boolean) => void
}

/** Reads what is stored of a download; deletes parts that are not contiguous. */
export async function readKept(storage: DownloadStorage, job: DownloadJob): Promise<Kept> {
  const parts = await storage.all('parts', job)
  const last = parts.at(-1)
  let received = 0
  for (const { start, etag, bytes } of parts) {
    if (start !== received || etag === null || etag !== last?.etag) {
      await storage.remove(['parts'], job)
      return nothing()
    }
    received += bytes.size
  }
  if (!last) return nothing()
  const { total, etag, mediaType } = last
  return { received, total, etag, mediaType }
}

const nothing = (): Kept => ({ received: 0, total: null, etag: null, mediaType: '' })

/**
 * Downloads a document's file, resuming after the part that is already stored. After a cut it
 * resumes by itself, as often as `waitAfterCut` allows; if the file has changed meanwhile, it
 * restarts. Throws `StorageFull`, an error for `problemOf`, or the reason of the abort. The
 * returned blob consists of the stored parts.
 */
export async function transfer(
  storage: DownloadStorage,
  job: DownloadJob,
  { signal, report }: Watch,
): Promise<Blob> {
  const kept = await readKept(storage, job)
  let hasBegun = kept.received > 0
  let tries = 0
  let mostReceived = kept.received
  while (kept.total === null || kept.received < kept.total) {
    try {
      const file = await open(job, kept, signal)
      hasBegun = true
      await keepOrDropStored(storage, job, kept, file)
      await receive(storage, job, kept, file, { signal, report })
      break
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof StorageFull) throw error
      const { status } = problemOf(error)
      if (kept.received > 0 && NO_SUCH_PART.includes(status)) {
        await storage.remove(['parts'], job)
        Object.assign(kept, nothing())
        continue
      }
      if (kept.received > mostReceived) tries = 0
      mostReceived = Math.max(mostReceived, kept.received)
      // 503 before the first byte: the shop is still writing the footer into the file.
      const wait = hasBegun || status === 503 ? waitAfterCut(status, tries++) : null
      if (wait === null) throw error
      report(kept, true)
      await waitToResume(wait, signal)
    }
  }
  const parts = await storage.all('parts', job)
  const file = new Blob(
    parts.map(({ bytes }) => bytes),
    { type: kept.mediaType },
  )
  // Detects a part that the browser has lost.
  if (file.size !== kept.received || file.size === 0) {
    await storage.remove(['parts'], job)
    throw new Refusal('bad_answer', 200)
  }
  return file
}

async function open(job: DownloadJob, kept: Kept, signal: AbortSignal): Promise<IncomingFile> {
  const { received, etag } = kept
  const { openFile } = await import('../../client/files.ts')
  return withToken(({ library }, token) =>
    openFile(
      library.downloadDocument,
      {
        params: { id: job.documentId, userId: job.userId },
        query: { t: String(Date.now()), ...(job.version > 0 && { version: job.version }) },
      },
      { token, signal, from: received > 0 && etag ? { start: received, etag } : undefined },
    ),
  )
}

async function keepOrDropStored(
  storage: DownloadStorage,
  job: DownloadJob,
  kept: Kept,
  file: IncomingFile,
): Promise<void> {
  const { start, total, etag, mediaType } = file
  const continues = start === kept.received && (start === 0 || etag === kept.etag)
  if (!continues) {
    await storage.remove(['parts'], job)
    kept.received = 0
  }
  if (!continues && start > 0) {
    // The server sent another range than requested; the next request is for the whole file.
    file.cancel()
    throw new Refusal('network', 0)
  }
  Object.assign(kept, { total, etag, mediaType })
  if (total !== null && (await exceedsQuota(total - kept.received))) {
    file.cancel()
    throw new StorageFull()
  }
}

/** Reads to the end and stores part by part; what has arrived before a cut is stored as well. */
async function receive(
  storage: DownloadStorage,
  { userId, documentId, version }: DownloadJob,
  kept: Kept,
  file: IncomingFile,
  { signal, report }: Watch,
): Promise<void> {
  const { total, etag, mediaType } = kept
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  let percent = -1
  const store = async () => {
    if (size === 0) return
    const of = { userId, documentId, version, start: kept.received }
    const bytes = new Blob(pieces)
    pieces = []
    size = 0
    await storage.put('parts', { ...of, bytes, total, etag, mediaType })
    kept.received += bytes.size
  }
  const reportProgress = () => {
    const received = kept.received + size
    const current = total === null ? received : Math.floor((received / total) * 100)
    if (current !== percent) report({ received, total }, false)
    percent = current
  }
  try {
    reportProgress()
    for (let piece = await file.read(); piece; piece = await file.read()) {
      pieces.push(piece)
      size += piece.length
      if (size >= PART_BYTES) await store()
      reportProgress()
    }
  } finally {
    if (signal.reason !== DISCARDED) await store()
  }
  if (total === null) return
  if (kept.received < total) throw new Refusal('network', 0)
  if (kept.received > total) throw new Refusal('bad_answer', 200)
}

/** Whether that many more bytes exceed the browser's storage quota, as far as it is known. */
async function exceedsQuota(bytes: number): Promise<boolean> {
  const { quota, usage } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {}
  return quota !== undefined && usage !== undefined && bytes > quota - usage
}

/** In ms, or until the browser is online again; while it is offline, only the latter counts. */
function waitToResume(wait: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = navigator.onLine === false ? undefined : setTimeout(end, wait)
    function end() {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    globalThis.addEventListener?.('online', end)
    signal.addEventListener('abort', end)
  })
}
