import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import {
  CHAT_CONNECT_MS,
  CHAT_HEARTBEAT_MS,
  CHAT_SUBSCRIPTIONS_MAX,
} from '../../rules/live-connection.ts'
import type { Allowance } from '../http/attempt-counter.ts'

/** What a live connection may take and hold; times in milliseconds. */
export interface ChatSettings {
  /** How often everything below is looked at. */
  readonly tick: number
  readonly heartbeat: number
  readonly connect: number
  /** How long a client may leave unread what waits for it. */
  readonly stall: number
  /** How often it is noted who is there. */
  readonly presence: number
  /** Live connections of one user, and of one instance. */
  readonly socketsPerUser: number
  readonly sockets: number
  /** Rooms that one connection follows. */
  readonly subscriptions: number
  /** What one connection may send: frames, and their pieces. */
  readonly frames: Allowance
  /** What may wait for a slow reader before nothing more is pushed. */
  readonly unsentBytes: number
}

export const CHAT_SETTINGS: ChatSettings = {
  tick: SECOND_MS,
  heartbeat: CHAT_HEARTBEAT_MS,
  connect: CHAT_CONNECT_MS,
  stall: 15 * SECOND_MS,
  presence: MINUTE_MS,
  socketsPerUser: 10,
  sockets: 5000,
  subscriptions: CHAT_SUBSCRIPTIONS_MAX,
  frames: { max: 300, windowMs: 10 * SECOND_MS },
  unsentBytes: 256 * 1024,
}
