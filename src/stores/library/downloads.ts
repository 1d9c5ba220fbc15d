import { map, onMount, readonlyType } from 'nanostores'
import { downloadName, KEPT_MS } from '../../rules/downloads.ts'
import type { Language } from '../../rules/languages.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { saveFile } from '../shared/browser.ts'
import { logOnly, type Problem, problemOf, type ReadingProblem } from '../shared/problem.ts'
import {
  ALL_STORES,
  type DownloadItem,
  type DownloadJob,
  type DownloadKey,
  downloadStorage,
  type ReadingPlace,
  StorageFull,
} from '../user-data/download-storage.ts'
import { $hasDownloads } from '../user-data/user-data.ts'
import type { Readable } from './reading.ts'
import { type Arrived, DISCARDED, readKept, transfer } from './transfer.ts'

export type { ReadingPlace } from '../user-data/download-storage.ts'

/** Why a download failed; each problem has a sentence of its own. */
export type DownloadProblem =
  | Extract<ReadingProblem, 'not_logged_in' | `download_${string}`>
  | 'download_no_space'
  | 'download_gone'

/** A download on this page. One runs at a time: two on a slow connection would both be late. */
export type Download = { item: DownloadItem; title: string } & Arrived &
  (
    | { phase: 'waiting' | 'paused' | 'done' }
    /** `isCut`: the connection is cut; the download resumes by itself. */
    | { phase: 'running'; isCut: boolean }
    | { phase: 'failed'; problem: DownloadProblem }
  )

type Phase = Download extends infer D
  ? D extends Download
    ? Omit<D, 'item' | 'title' | keyof Arrived>
    : never
  : never

const $states = map<Record<string, Download | undefined>>({})
/** By `downloadId`. */
export const $downloads = readonlyType($states)

/** The key of a download among those of one customer. */
export const downloadId = ({ documentId, version }: DownloadItem): string =>
  version ? `${documentId}-${version}` : String(documentId)

/** The running job, followed by the waiting ones. */
let queue: readonly DownloadJob[] = []
let running: { job: DownloadJob; stop: AbortController } | null = null

const UNKNOWN: Arrived = { received: 0, total: null }

/** Shows a phase of a download; the amount that has arrived is unchanged unless it is given. */
function show(
  { documentId, version, title }: DownloadItem & { title: string },
  phase: Phase,
  { received, total }: Arrived = shownOf({ documentId, version }) ?? UNKNOWN,
): void {
  const item = { documentId, version }
  $states.setKey(downloadId(item), { item, title, received, total, ...phase } as Download)
}

const shownOf = (item: DownloadItem) => $states.get()[downloadId(item)]

const isOf = (item: DownloadItem) => (job: DownloadJob) => downloadId(job) === downloadId(item)

/** Downloads after earlier downloads have ended; resumes a paused or failed one. */
export async function download(
  wanted: Readable & DownloadItem,
  place: ReadingPlace,
): Promise<void> {
  const { documentId, version = 0, title, fileType } = wanted
  const userId = $session.get()?.userId
  if (userId === undefined) return show(wanted, failed('not_logged_in'))
  if (queue.some(isOf(wanted))) return
  const job: DownloadJob = {
    userId,
    documentId,
    version,
    title,
    ...(fileType && { fileType }),
    place,
    isPaused: false,
    addedAt: Date.now(),
  }
  enqueue(job)
  try {
    await keep(job)
  } catch (error) {
    dequeue(isOf(job))
    return show(job, failed(problemIn(error, place)))
  }
  await runQueue()
}

function enqueue(job: DownloadJob): void {
  queue = [...queue, job]
  const before = shownOf(job)
  show(job, { phase: 'waiting' }, before?.phase === 'done' ? UNKNOWN : before)
}

function dequeue(isWanted: (job: DownloadJob) => boolean): DownloadJob | undefined {
  const job = queue.find(isWanted)
  queue = queue.filter((other) => other !== job)
  return job
}

const failed = (problem: DownloadProblem) => ({ phase: 'failed' as const, problem })

/** Stores the job, so that it continues after a reload or on another page of the shop. */
async function keep(job: DownloadJob): Promise<void> {
  $hasDownloads.set(true)
  const storage = await downloadStorage()
  await storage.put('jobs', job)
}

async function forget(job: DownloadKey, stores = ALL_STORES): Promise<void> {
  const storage = await downloadStorage()
  await storage.remove(stores, job)
  if ((await storage.all('jobs')).length === 0) $hasDownloads.set(false)
}

export function pauseDownload(item: DownloadItem): void {
  const job = dequeue(isOf(item))
  if (!job) return
  show(job, { phase: 'paused' })
  if (running?.job === job) running.stop.abort()
  void keep({ ...job, isPaused: true }).catch(logOnly('downloads'))
}

/** Deletes what has arrived. */
export async function cancelDownload(item: DownloadItem): Promise<void> {
  const job = dequeue(isOf(item))
  $states.setKey(downloadId(item), undefined)
  const userId = job?.userId ?? $session.get()?.userId
  const { documentId, version = 0 } = item
  if (job && running?.job === job) running.stop.abort(DISCARDED)
  else if (userId !== undefined) await forget({ userId, documentId, version })
}

let isRunning = false

async function runQueue(): Promise<void> {
  if (isRunning) return
  isRunning = true
  // Take the first job only once no other tab of the shop has a running download.
  while (queue.length > 0) await inOneTab(() => (queue[0] ? perform(queue[0]) : undefined))
  isRunning = false
}

async function inOneTab(work: () => Promise<void> | undefined): Promise<void> {
  if (globalThis.navigator?.locks) await navigator.locks.request('karras-downloads', work)
  else await work()
}

async function perform(job: DownloadJob): Promise<void> {
  const { title, fileType } = job
  const stop = new AbortController()
  const isSame = (other: DownloadJob) => other === job
  running = { job, stop }
  const report = (arrived: Arrived, isCut: boolean) => {
    if (queue[0] === job) show(job, { phase: 'running', isCut }, arrived)
  }
  try {
    const storage = await downloadStorage()
    const [isStored] = await storage.all('jobs', job)
    if (isStored) {
      report(await readKept(storage, job), false)
      const file = await transfer(storage, job, { signal: stop.signal, report })
      saveFile(file, downloadName(title, fileType ?? file.type).utf8)
      await forget(job)
    }
    // If the job is gone, another tab has finished or cancelled it.
    if (queue[0] !== job) return
    if (isStored) show(job, { phase: 'done' })
    else $states.setKey(downloadId(job), undefined)
  } catch (error) {
    if (!stop.signal.aborted) {
      // Stored before the failure is shown: the next press stores the download anew.
      const hasSome = (shownOf(job)?.received ?? 0) > 0
      const stored = hasSome ? keep({ ...job, isPaused: true }) : forget(job)
      await stored.catch(logOnly('downloads'))
      if (dequeue(isSame)) return show(job, failed(problemIn(error, job.place)))
    }
    // The download may have been restarted by then.
    const wasRestarted = queue.some((other) => other !== job && isOf(job)(other))
    if (stop.signal.reason === DISCARDED) await forget(job, wasRestarted ? ['parts'] : ALL_STORES)
  } finally {
    running = null
    dequeue(isSame)
  }
}

function problemIn(error: unknown, place: ReadingPlace): DownloadProblem {
  if (error instanceof StorageFull) return 'download_no_space'
  const { status } = problemOf(error)
  if (status === 410) return 'download_gone'
  const isShopsFault = status >= 500
  if (place === 'details') return isShopsFault ? 'download_file_missing' : 'download_failed'
  if (status === 403) return 'download_forbidden'
  if (status === 404) return 'download_not_found'
  return isShopsFault ? 'download_server_error' : 'download_failed'
}

/** Continues what earlier pages left unfinished, once no other tab has a running download. */
async function resumeEarlier(): Promise<void> {
  const userId = $session.get()?.userId
  if (!$hasDownloads.get() || userId === undefined) return
  await inOneTab(async () => {
    const storage = await downloadStorage()
    const jobs = await storage.all('jobs')
    for (const job of jobs.toSorted((a, b) => a.addedAt - b.addedAt)) {
      if (job.userId !== userId || Date.now() - job.addedAt > KEPT_MS) await forget(job)
      else if (!shownOf(job)) {
        show(job, { phase: 'paused' }, await readKept(storage, job))
        if (!job.isPaused) enqueue(job)
      }
    }
  })
  await runQueue()
}

/** Ends the downloads of the previous user; `forgetUserData` deletes what is stored. */
function endAll(): void {
  running?.stop.abort(DISCARDED)
  queue = []
  $states.set({})
}

onMount($states, () => {
  void resumeEarlier().catch(logOnly('downloads'))
  let userId = $session.get()?.userId
  return $session.listen((session) => {
    if (session?.userId !== userId) endAll()
    userId = session?.userId
  })
})

export function downloadEach(documents: readonly Readable[]): void {
  for (const document of documents) void download(document, 'library')
}

/**
 * Makes the browser download a ZIP of these documents, or of all that the user bought if null;
 * returns the problem, if any. The browser navigates to a signed address, so that the ZIP does not
 * pass through memory.
 */
export async function downloadZip(
  locale: Language,
  documentIds: number[] | null,
): Promise<Problem | null> {
  try {
    const { zipLink } = await import('../../contract/archive.ts')
    const body = { locale, ...(documentIds && { documentIds }) }
    const { path } = await ask(() => zipLink, { body })
    if (!/^\/api\/archive\/[\w.-]+$/.test(path)) throw new Error(path)
    location.assign(path)
    return null
  } catch (error) {
    return problemOf(error)
  }
}
