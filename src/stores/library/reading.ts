import { atom, readonlyType } from 'nanostores'
import { fetchPicture, waitBefore } from '../../client/page-pictures.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { lacks } from '../shared/features.ts'
import type { ReadingProblem } from '../shared/problem.ts'
import { pause } from '../shared/queue.ts'
import { $lastRead } from '../user-data/user-data.ts'

/** A document to read; only some pages know its type. */
export interface Readable {
  documentId: number
  title: string
  fileType?: string
}

export type Preview = Readable &
  (
    | { phase: 'loading' }
    /** In the reader or, if that does not open, as the plain pages at this address. */
    | { phase: 'shown'; address: string; isPlain: boolean }
    | { phase: 'failed'; problem: ReadingProblem }
  )

const $open = atom<Preview | null>(null)
export const $preview = readonlyType($open)

/** Opens the preview modal and requests the signed address of the frame. */
export async function openPreview({ documentId, title }: Readable): Promise<void> {
  const document = { documentId, title }
  const requested: Preview = { ...document, phase: 'loading' }
  $open.set(requested)
  const answer = await askForPreview(documentId)
  // The modal was closed or shows another document, so the answer is obsolete.
  if ($open.get() !== requested) return
  $open.set({ ...document, ...answer })
  if (answer.phase === 'shown') $lastRead.set(documentId)
}

async function askForPreview(documentId: number) {
  const userId = $session.get()?.userId
  if (userId === undefined) return failed('not_logged_in')
  try {
    const path = await ask(({ library }) => library.downloadDocument, {
      params: { id: documentId, userId },
      query: { preview: 'true', t: String(Date.now()) },
    })
    const address = frameAddress(path)
    return address === null
      ? failed('preview_empty')
      : { phase: 'shown' as const, address, isPlain: lacks('reader') }
  } catch {
    return failed('preview_failed')
  }
}

const failed = (problem: ReadingProblem) => ({ phase: 'failed' as const, problem })

/** Joins the relative path of the answer to the API's URL; it cannot lead to another host. */
function frameAddress(path: unknown): string | null {
  const text = typeof path === 'string' ? path.trim() : ''
  return text === '' ? null : `/api/${text.replace(/^[/\\]+/, '')}`
}

/** Falls back to the plain pages, since some backends have nothing else. */
export function previewNotLoaded(): void {
  const preview = $open.get()
  if (preview?.phase !== 'shown') return
  if (preview.isPlain) $open.set({ ...preview, ...failed('preview_not_loaded') })
  else $open.set({ ...preview, isPlain: true })
}

export function closePreview(): void {
  $open.set(null)
}

const $state = atom(false)
/** Whether the server temporarily refused a plain page of the preview, which is being retried. */
export const $isPageWaiting = readonlyType($state)

const DEFAULT_WAIT_MS = 5 * SECOND_MS

/**
 * Retries the pictures of the preview's plain pages that the server temporarily refused or that a
 * network failure prevented: the frame has no script, and would show them broken until it is
 * closed. Retries one picture at a time, when the server allows it. Returns a function that stops
 * it.
 */
export function retryPlainPages(frame: Document): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const waiting = new Set<HTMLImageElement>()
  /** Pictures that arrived and still could not be shown are not retried again. */
  const arrived = new WeakSet<HTMLImageElement>()
  let isRetrying = false

  function enqueue(image: HTMLImageElement): void {
    if (arrived.has(image)) return
    waiting.add(image)
    if (isRetrying) return
    isRetrying = true
    retryWaiting().catch(() => undefined) // the preview was closed meanwhile
  }

  async function retryWaiting(): Promise<void> {
    for (const image of waiting) {
      const { src } = image
      if (await becomesAvailable(src, signal)) {
        arrived.add(image)
        image.src = src
      }
      waiting.delete(image)
    }
    isRetrying = false
    $state.set(false)
  }

  const onError = ({ target }: Event) => {
    const { tagName } = target as Element
    if (tagName === 'IMG') enqueue(target as HTMLImageElement)
  }
  frame.addEventListener('error', onError, { capture: true, signal })
  for (const image of frame.images) {
    if (image.complete && image.naturalWidth === 0) enqueue(image)
  }
  return () => {
    ending.abort()
    $state.set(false)
  }
}

/** Waits until a picture is available; false if the server refuses it permanently. */
async function becomesAvailable(address: string, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const answer = await fetchPicture(address, signal)
    const { status, bytes } = answer
    if (bytes) return true
    const isRefused = status === 429 || status === 503
    if (!isRefused && status !== 0) return false
    $state.set(isRefused)
    await pause(waitBefore(answer, DEFAULT_WAIT_MS), signal)
  }
}
