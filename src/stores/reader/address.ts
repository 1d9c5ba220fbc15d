import { MINUTE_MS } from '../../rules/durations.ts'

/** The base URL of the page pictures, and its expiry (ISO 8601). */
export interface PicturesAddress {
  pages: string
  expiresAt: string
}

// The phone's clock may be wrong, so the delay stays within these bounds.
const SOONEST_MS = MINUTE_MS
const LATEST_MS = 9 * MINUTE_MS

/** How long to wait before renewing an address (ms): until a minute before it expires. */
function renewalDelay({ expiresAt }: PicturesAddress, now: number): number {
  const remaining = Date.parse(expiresAt) - now - MINUTE_MS
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, remaining || 0))
}

/**
 * Renews the address of the pictures before it expires while the page is visible, or on request.
 */
export function renewingAddress(
  first: PicturesAddress,
  requestAddress: () => Promise<PicturesAddress>,
) {
  let address = first
  let isDue = false
  let isStopped = false
  let running: Promise<string> | undefined
  let timer = setTimeout(whenDue, renewalDelay(first, Date.now()))

  function renewLater(ms: number): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(whenDue, ms)
  }

  async function renewOnce(): Promise<string> {
    address = await requestAddress()
    isDue = false
    renewLater(renewalDelay(address, Date.now()))
    return address.pages
  }

  function renew(): Promise<string> {
    running ??= renewOnce().finally(() => {
      running = undefined
    })
    return running
  }

  function whenDue(): void {
    isDue = true
    if (document.visibilityState === 'hidden') return // no one reads
    renew().catch(() => renewLater(SOONEST_MS))
  }

  const onVisible = () => {
    if (isDue && document.visibilityState === 'visible') whenDue()
  }
  document.addEventListener('visibilitychange', onVisible)

  return {
    current: () => address.pages,
    /** Requests a new address; concurrent callers share one request. */
    renew,
    stop() {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    },
  }
}
