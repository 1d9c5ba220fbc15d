import { map, onMount, readonlyType } from 'nanostores'
import { KEPT_MS } from '../../rules/download-tries.ts'
import { downloadName } from '../../rules/file-name.ts'
import { $session } from '../account/session.ts'
import { $hasDownloads } from '../account/user-data.ts'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'
import { saveFile } from '../shared/save-file.ts'
import {
  ALL_STORES,
  type DownloadItem,
  type DownloadJob,
  type DownloadKey,
  downloadStorage,
  type ReadingPlace,
  StorageFull,
} from './download-storage.ts'
import type { Readable, ReadingProblem } from './reading.ts'
import { type Arrived, DISCARDED, readKept, transfer } from './transfer.ts'

export type { ReadingPlace } from './download-storage.ts'

/** What can go wrong with a download; each has a sentence of its own. */
export type DownloadProblem =
  | Extract<ReadingProblem, 'not_logged_in' | `download_${string}`>
  | 'download_no_space'
  | 'download_gone'

/** A download of this page: one runs at a time, since two on a slow line would both be late. */
export type Download = { item: DownloadItem; title: string } & Arrived &
  (
    | { phase: 'waiting' | 'paused' | 'done' }
    /** `isCut`: the line is cut, and it goes on by itself. */
    | { phase: 'running'; isCut: boolean }
    | { phase: 'failed'; problem: DownloadProblem }
  )

type Phase = Download extends infer D
  ? D extends Download
    ? Omit<D, 'item' | 'title' | keyof Arrived>
    : never
  : never

const $states = map<Record<string, Download | undefined>>({})
/** The downloads by `downloadId`. */
export const $downloads = readonlyType($states)

/** What tells downloads of one customer apart. */
export const downloadId = ({ documentId, version }: DownloadItem): string =>
  version ? `${documentId}-${version}` : String(documentId)

/** The jobs that wait, and first the one that runs. */
let queue: readonly DownloadJob[] = []
let running: { job: DownloadJob; stop: AbortController } | null = null

const UNKNOWN: Arrived = { received: 0, total: null }

/** Shows a phase of a download; what has arrived stays as it was unless it is given. */
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

/**
 * Downloads a bought document, after those that were started before, and lets the browser save it; one
 * that was paused or failed goes on where it stopped.
 */
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
    dequeue(job)
    return show(job, failed(problemIn(error, place)))
  }
  await runQueue()
}

function enqueue(job: DownloadJob): void {
  queue = [...queue, job]
  const before = shownOf(job)
  show(job, { phase: 'waiting' }, before?.phase === 'done' ? UNKNOWN : before)
}

function dequeue(item: DownloadItem): DownloadJob | undefined {
  const job = queue.find(isOf(item))
  queue = queue.filter((other) => other !== job)
  return job
}

const failed = (problem: DownloadProblem) => ({ phase: 'failed' as const, problem })

/** Stores the job, so that a reload or another page of the shop goes on with it. */
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

/** Stops a download, and keeps what has arrived. */
export function pauseDownload(item: DownloadItem): void {
  const job = dequeue(item)
  if (!job) return
  show(job, { phase: 'paused' })
  if (running?.job === job) running.stop.abort()
  void keep({ ...job, isPaused: true }).catch(logOnly('downloads'))
}

/** Stops a download, and drops what has arrived. */
export async function cancelDownload(item: DownloadItem): Promise<void> {
  const job = dequeue(item)
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
  // Whatever is first once the other tabs of the shop have none that runs.
  while (queue.length > 0) await alone(() => (queue[0] ? perform(queue[0]) : undefined))
  isRunning = false
}

/** Does work that one tab does at a time. */
async function alone(work: () => Promise<void> | undefined): Promise<void> {
  if (globalThis.navigator?.locks) await navigator.locks.request('karras-downloads', work)
  else await work()
}

async function perform(job: DownloadJob): Promise<void> {
  const { title, fileType } = job
  const stop = new AbortController()
  running = { job, stop }
  const report = (arrived: Arrived, isCut: boolean) => {
    if (queue[0] === job) show(job, { phase: 'running', isCut }, arrived)
  }
  try {
    const storage = await downloadStorage()
    const [isThere] = await storage.all('jobs', job)
    if (isThere) {
      report(await readKept(storage, job), false)
      const file = await transfer(storage, job, { signal: stop.signal, report })
      saveFile(file, downloadName(title, fileType ?? file.type).utf8)
      await forget(job)
    }
    // Otherwise another tab has ended it.
    if (queue[0] !== job) return
    if (isThere) show(job, { phase: 'done' })
    else $states.setKey(downloadId(job), undefined)
  } catch (error) {
    // It may have been started anew by then.
    const isAgain = queue.some((other) => other !== job && isOf(job)(other))
    if (stop.signal.reason === DISCARDED) await forget(job, isAgain ? ['parts'] : ALL_STORES)
    else if (!stop.signal.aborted) {
      show(job, failed(problemIn(error, job.place)))
      const hasSome = (shownOf(job)?.received ?? 0) > 0
      await (hasSome ? keep({ ...job, isPaused: true }) : forget(job))
    }
  } finally {
    running = null
    queue = queue.filter((other) => other !== job)
  }
}

function problemIn(error: unknown, place: ReadingPlace): DownloadProblem {
  if (error instanceof StorageFull) return 'download_no_space'
  return downloadProblem(problemOf(error), place)
}

function downloadProblem({ status }: Problem, place: ReadingPlace): DownloadProblem {
  if (status === 410) return 'download_gone'
  if (place === 'details') return status === 500 ? 'download_file_missing' : 'download_failed'
  if (status === 403) return 'download_forbidden'
  if (status === 404) return 'download_not_found'
  return status === 500 ? 'download_server_error' : 'download_failed'
}

/** Goes on with what an earlier page has left, once no other tab is at it. */
async function adopt(): Promise<void> {
  const userId = $session.get()?.userId
  if (!$hasDownloads.get() || userId === undefined) return
  await alone(async () => {
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

/** What was another user's ends here; `forgetUserData` drops what is stored. */
function leave(): void {
  running?.stop.abort(DISCARDED)
  queue = []
  $states.set({})
}

onMount($states, () => {
  void adopt().catch(logOnly('downloads'))
  let userId = $session.get()?.userId
  return $session.listen((session) => {
    if (session?.userId !== userId) leave()
    userId = session?.userId
  })
})
