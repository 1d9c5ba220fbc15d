import { MINUTE_MS } from '../../rules/durations.ts'

/** Where the pictures of pages are, until when. */
export interface PicturesAddress {
  pages: string
  expiresAt: string
}

// The phone's clock may be wrong: whatever it says, within these bounds.
const SOONEST_MS = MINUTE_MS
const LATEST_MS = 9 * MINUTE_MS

/** When to renew an address: a minute before it ends, in ms from `now`. */
function renewIn({ expiresAt }: PicturesAddress, now: number): number {
  const left = Date.parse(expiresAt) - now - MINUTE_MS
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, left || 0))
}

/** Renews the address of the pictures as long as somebody reads, and when it is refused. */
export function renewingAddress(first: PicturesAddress, renew: () => Promise<PicturesAddress>) {
  let address = first
  let isDue = false
  let isStopped = false
  let running: Promise<string> | undefined
  let timer = setTimeout(whenDue, renewIn(first, Date.now()))

  function renewLater(ms: number): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(whenDue, ms)
  }

  async function renewOnce(): Promise<string> {
    address = await renew()
    isDue = false
    renewLater(renewIn(address, Date.now()))
    return address.pages
  }

  function renewed(): Promise<string> {
    running ??= renewOnce().finally(() => {
      running = undefined
    })
    return running
  }

  function whenDue(): void {
    isDue = true
    if (document.visibilityState === 'hidden') return // nobody reads
    renewed().catch(() => renewLater(SOONEST_MS))
  }

  const onVisible = () => {
    if (isDue && document.visibilityState === 'visible') whenDue()
  }
  document.addEventListener('visibilitychange', onVisible)

  return {
    current: () => address.pages,
    /** Asks for a new address, once for all who wait for it. */
    renewed,
    stop() {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    },
  }
}
