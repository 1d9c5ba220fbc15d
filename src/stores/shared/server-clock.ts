import { SECOND_MS } from '../../rules/durations.ts'
import { CLOCK_KEY } from '../../rules/storage-keys.ts'
import { issuedAt, serverTime } from '../../rules/token.ts'
import { persistedText } from './persistence.ts'

/** Smaller differences are not kept: the server says whole seconds, and answers take time. */
const UNNOTICED_MS = 30 * SECOND_MS

/** The saved difference between the server's clock and this device's. */
export const $clock = persistedText(CLOCK_KEY)

/** The time by the server's clock, as far as this browser knows it, in ms since 1970. */
export const serverNow = (): number => serverTime(Date.now(), $clock.get())

/** Learns the difference from the time (ms) that the server has just said. */
export function learnServerTime(said: number): void {
  const ahead = said - Date.now()
  if (Math.abs(said - serverNow()) < UNNOTICED_MS) return
  $clock.set(Math.abs(ahead) < UNNOTICED_MS ? '' : String(ahead))
}

/** The same from a token that the server has just issued. */
export function learnFromToken(token: string): void {
  const said = issuedAt(token)
  if (said !== null) learnServerTime(said)
}
