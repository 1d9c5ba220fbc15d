import { Worker } from 'node:worker_threads'
import type { OfficeErrorCode } from '../../../contract/office-errors.ts'
import { MINUTE_MS, SECOND_MS } from '../../../rules/durations.ts'
import type { MadeTail } from '../tails/make-tail.ts'
import type { OutlineEntry } from './outline.ts'

/** The size of a page's picture, in pixels. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** A page by its number from 1: the size of its picture, and its text in reading order. */
export interface ReadPage extends PageSize {
  readonly page: number
  readonly text: string
}

export type PageFormat = 'webp' | 'avif'

/** How a page is drawn. */
export interface PictureLook {
  /** In pixels. */
  readonly width: number
  readonly format: PageFormat
  /** A text that is repeated, faintly and diagonally, all over the picture. */
  readonly watermark?: string
  /** The largest size of the picture in bytes: its quality is lowered until it fits. */
  readonly maxBytes?: number
}

export type Job =
  /** The sizes of the first `most` pages. */
  | { readonly kind: 'sizes'; readonly path: string; readonly most: number }
  /** The picture of a page, counted from 1. */
  | ({ readonly kind: 'picture'; readonly path: string; readonly page: number } & PictureLook)
  /**
   * The text of each of `most` pages from the index `from`, in reading order; '' for a page without
   * text.
   */
  | { readonly kind: 'texts'; readonly path: string; readonly from: number; readonly most: number }
  /** The PDF's own table of contents. */
  | { readonly kind: 'outline'; readonly path: string }
  /** The sizes and texts of the existing pages among these, counted from 1. */
  | { readonly kind: 'read'; readonly path: string; readonly pages: readonly number[] }
  /** Checks whether a file is a PDF that the shop accepts. */
  | { readonly kind: 'check'; readonly path: string }
  /** The bytes to append to a PDF for a footer on each page. */
  | { readonly kind: 'stamp'; readonly path: string }

/** Why a file is refused, by the codes of the contract. */
export type PdfFault = Extract<OfficeErrorCode, 'not_a_pdf' | `pdf_${string}`>

export interface CheckedPdf {
  readonly pages: number
}

export type Answer =
  | { readonly kind: 'sizes'; readonly sizes: PageSize[] }
  | { readonly kind: 'picture'; readonly bytes: Uint8Array }
  | { readonly kind: 'texts'; readonly texts: string[] }
  | { readonly kind: 'read'; readonly pages: ReadPage[] }
  | { readonly kind: 'outline'; readonly entries: OutlineEntry[] }
  | ({ readonly kind: 'check' } & (
      | { readonly fault: PdfFault }
      | ({ readonly fault: null } & CheckedPdf)
    ))
  | ({ readonly kind: 'stamp' } & MadeTail)
  | { readonly kind: 'failed'; readonly isExhausted: boolean; readonly reason: string }

/** The PDF cannot be drawn: it is damaged, locked, or too much work. */
export class UnreadablePdf extends Error {}

/** The PDF took more time or memory than allowed, and its thread was ended. */
export class ExhaustingPdf extends UnreadablePdf {}

/** Too many jobs are already waiting. */
export class RendererBusy extends Error {}

/** Too many jobs of this account are already waiting. */
export class AccountBusy extends RendererBusy {}

export type Renderer = ReturnType<typeof createRenderer>

/**
 * How many jobs of one account may be under way: fast scrolling through a preview requests dozens
 * of pages.
 */
const ACCOUNT_MAX = 40

const LIMITS = {
  /** How many jobs may wait. */
  waiting: 200,
  /** Milliseconds after which a job is given up and its thread ended. */
  patience: 20 * SECOND_MS,
  /** Milliseconds after which an idle thread is ended, to release its memory. */
  idle: MINUTE_MS,
}

interface Task {
  readonly job: Job
  /** null for a job without an account. */
  readonly account: number | null
  /** The round in which the job runs; each account has one job per round. */
  readonly round: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/**
 * Draws PDFs in a separate thread, one job at a time, the accounts in turn. The thread starts with
 * the first job; `close` it with the server. `isBehind` lowers its priority, for work that nobody
 * waits for.
 */
export function createRenderer(limits = LIMITS, { isBehind = false } = {}) {
  const queue: Task[] = []
  let worker: Worker | null = null
  let current: Task | null = null
  let timer: NodeJS.Timeout | undefined

  /** Queues a job for the next round in which its account has none. Throws `RendererBusy`. */
  function enqueue(task: Omit<Task, 'round'>): void {
    const ofAccount = [current, ...queue].filter((other) => other?.account === task.account)
    if (task.account !== null && ofAccount.length >= ACCOUNT_MAX) throw new AccountBusy()
    if (queue.length >= limits.waiting) makePlaceFor(task.account)
    const round = Math.max(current?.round ?? 0, (ofAccount.at(-1)?.round ?? -1) + 1)
    const later = queue.findIndex((other) => other.round > round)
    queue.splice(later < 0 ? queue.length : later, 0, { ...task, round })
  }

  /**
   * Makes room for an account by refusing the newest job of the account with the most waiting jobs,
   * so that each gets its share under any load. Throws `RendererBusy` if no account has more than
   * its share.
   */
  function makePlaceFor(account: number | null): void {
    const waiting = Map.groupBy(queue, (task) => task.account)
    const most = [...waiting.values()].reduce(
      (longest, tasks) => (tasks.length > longest.length ? tasks : longest),
      [],
    )
    const newest = most.at(-1)
    if (!newest || most.length <= (waiting.get(account)?.length ?? 0) + 1) throw new RendererBusy()
    queue.splice(queue.indexOf(newest), 1)
    newest.reject(newest.account === null ? new RendererBusy() : new AccountBusy())
  }

  function next(): void {
    clearTimeout(timer)
    current = queue.shift() ?? null
    if (!current) {
      timer = setTimeout(endWorker, limits.idle).unref()
      return
    }
    worker ??= startWorker()
    worker.ref()
    worker.postMessage(current.job)
    timer = setTimeout(() => {
      endWorker()
      finish(new ExhaustingPdf('the PDF took too long'))
    }, limits.patience)
  }

  function finish(outcome: Answer | Error): void {
    const task = current
    current = null
    worker?.unref()
    if (outcome instanceof Error) task?.reject(outcome)
    else if (outcome.kind === 'failed') {
      // The failed job may have left the thread in an unknown state.
      endWorker()
      const Failure = outcome.isExhausted ? ExhaustingPdf : UnreadablePdf
      task?.reject(new Failure(outcome.reason))
    } else task?.resolve(outcome)
    next()
  }

  function startWorker(): Worker {
    const started = new Worker(new URL('./render-worker.ts', import.meta.url), {
      workerData: { isBehind },
    })
    const lost = (reason: string) => {
      // Threads that were ended on purpose also report their end; only the current one matters.
      if (worker !== started) return
      worker = null
      if (current) finish(new ExhaustingPdf(reason))
    }
    started.on('message', (answer: Answer) => worker === started && finish(answer))
    started.on('error', (error) => lost(error instanceof Error ? error.message : String(error)))
    started.on('exit', () => lost('the drawing thread ended'))
    return started
  }

  function endWorker(): Promise<unknown> {
    clearTimeout(timer)
    const ended = worker
    worker = null
    return ended?.terminate() ?? Promise.resolve()
  }

  return {
    /** Does a job, for an account if one is given. */
    run<K extends Job['kind']>(
      job: Extract<Job, { kind: K }>,
      account: number | null = null,
    ): Promise<Extract<Answer, { kind: K }>> {
      return new Promise((resolve, reject) => {
        enqueue({ job, account, resolve: resolve as Task['resolve'], reject })
        if (!current) next()
      })
    },
    async close(): Promise<void> {
      const given = [current, ...queue.splice(0)]
      current = null
      await endWorker()
      for (const task of given) task?.reject(new RendererBusy())
    },
  }
}
