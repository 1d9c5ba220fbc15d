import { SECOND_MS } from '../../rules/durations.ts'
import type { ChatSettings } from './settings.ts'

/** The state of a connection; `silent`: it has not sent CONNECT in time. */
export type Health = 'well' | 'beat' | 'ping' | 'dead' | 'silent'

export type Heartbeat = ReturnType<typeof createHeartbeat>

// Clients without heart-beats are pinged: every WebSocket answers with a pong.
const PING_AFTER = 30 * SECOND_MS
const DEAD_AFTER = 75 * SECOND_MS

/** Heart-beats of a connection, both ways (STOMP 1.2, "Heart-beating"). */
export function createHeartbeat(settings: ChatSettings) {
  const openedAt = performance.now()
  let receivedAt = openedAt
  let sentAt = openedAt
  let pingedAt = openedAt
  let isConnected = false
  /** In milliseconds; 0: none. */
  let sends = 0
  let expects = 0

  return {
    received(): void {
      receivedAt = performance.now()
    },
    sent(): void {
      sentAt = performance.now()
    },
    /** Applies the offer of CONNECT, `<can>,<wants>` in milliseconds; false if it is malformed. */
    negotiate(offer = '0,0'): boolean {
      const [, can, wants] = /^(\d{1,9}),(\d{1,9})$/.exec(offer) ?? []
      if (can === undefined || wants === undefined) return false
      isConnected = true
      sends = Number(wants) && Math.max(Number(wants), settings.heartbeat)
      expects = Number(can) && Math.max(Number(can), settings.heartbeat)
      return true
    },
    /** `elapsed` is a value of `performance.now`. */
    look(elapsed: number): Health {
      if (!isConnected && elapsed - openedAt > settings.connect) return 'silent'
      const silence = elapsed - receivedAt
      // Twice the agreed time, because networks are not punctual.
      if (silence > (expects ? 2 * expects : DEAD_AFTER)) return 'dead'
      // A tick early is better than late.
      if (sends && elapsed - sentAt >= sends - settings.tick) return 'beat'
      if (!expects && silence > PING_AFTER && elapsed - pingedAt > PING_AFTER) {
        pingedAt = elapsed
        return 'ping'
      }
      return 'well'
    },
  }
}
