import { atom, readonlyType } from 'nanostores'
import { fetchPicture, waitBefore } from '../../client/page-pictures.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { pause } from '../shared/pause.ts'

const $state = atom(false)
/** Whether a plain page of the preview was refused for now, and is asked for again. */
export const $isPageWaiting = readonlyType($state)

/** When to ask again where the server does not say. */
const USUAL_WAIT_MS = 5 * SECOND_MS

/**
 * Asks again for the pictures of the preview's plain pages that the server refused for now, or that a network's cut kept
 * away: the frame has no script, and would show them broken until it is closed. One at a time, when the server says; returns what ends that.
 */
export function followPlainPages(frame: Document): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const waiting = new Set<HTMLImageElement>()
  /** What came and still could not be shown is not asked for a second time. */
  const arrived = new WeakSet<HTMLImageElement>()
  let isAsking = false

  function note(image: HTMLImageElement): void {
    if (arrived.has(image)) return
    waiting.add(image)
    if (isAsking) return
    isAsking = true
    askAgain().catch(() => undefined) // closed meanwhile
  }

  async function askAgain(): Promise<void> {
    for (const image of waiting) {
      const { src } = image
      if (await comes(src, signal)) {
        arrived.add(image)
        image.src = src
      }
      waiting.delete(image)
    }
    isAsking = false
    $state.set(false)
  }

  const onError = ({ target }: Event) => {
    const { tagName } = target as Element
    if (tagName === 'IMG') note(target as HTMLImageElement)
  }
  frame.addEventListener('error', onError, { capture: true, signal })
  for (const image of frame.images) {
    if (image.complete && image.naturalWidth === 0) note(image)
  }
  return () => {
    ending.abort()
    $state.set(false)
  }
}

/** Waits until a picture can be had; false where the server refuses it for good. */
async function comes(address: string, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const answer = await fetchPicture(address, signal)
    const { status, bytes } = answer
    if (bytes) return true
    const isRefused = status === 429 || status === 503
    if (!isRefused && status !== 0) return false
    $state.set(isRefused)
    await pause(waitBefore(answer, USUAL_WAIT_MS), signal)
  }
}
