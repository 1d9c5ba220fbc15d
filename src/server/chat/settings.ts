import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import {
  CHAT_CONNECT_MS,
  CHAT_HEARTBEAT_MS,
  CHAT_SUBSCRIPTIONS_MAX,
} from '../../rules/live-connection.ts'
import type { Allowance } from '../http/attempt-counter.ts'

/** What a live connection may take and hold; times in milliseconds. */
export const CHAT_SETTINGS = {
  /** How often everything below is looked at. */
  tick: SECOND_MS,
  heartbeat: CHAT_HEARTBEAT_MS,
  connect: CHAT_CONNECT_MS,
  /** How long a client may leave unread what waits for it. */
  stall: 15 * SECOND_MS,
  /** How often it is noted who is online. */
  presence: MINUTE_MS,
  /** Live connections of one user, and of one instance. */
  socketsPerUser: 10,
  sockets: 5000,
  /** Rooms that one connection follows. */
  subscriptions: CHAT_SUBSCRIPTIONS_MAX,
  /** What one connection may send: frames, and their pieces. */
  frames: { max: 300, windowMs: 10 * SECOND_MS } satisfies Allowance,
  /** What may wait for a slow reader before nothing more is pushed. */
  unsentBytes: 256 * 1024,
}
export type ChatSettings = Readonly<typeof CHAT_SETTINGS>
