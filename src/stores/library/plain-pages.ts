import { atom, readonlyType } from 'nanostores'
import { fetchPicture, waitBefore } from '../../client/page-pictures.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { pause } from '../shared/pause.ts'

const $state = atom(false)
/** Whether the server temporarily refused a plain page of the preview, which is being retried. */
export const $isPageWaiting = readonlyType($state)

/** How long to wait before a retry if the server does not say. */
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
