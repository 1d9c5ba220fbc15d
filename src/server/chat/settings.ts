import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import { CHAT_CONNECT_MS, CHAT_HEARTBEAT_MS, CHAT_SUBSCRIPTIONS_MAX } from '../../rules/room.ts'
import type { Allowance } from '../http/attempt-counter.ts'

/** The limits of a live connection; times in milliseconds. */
export const CHAT_SETTINGS = {
  /** How often the limits below are checked. */
  tick: SECOND_MS,
  heartbeat: CHAT_HEARTBEAT_MS,
  connect: CHAT_CONNECT_MS,
  /** How long a client may leave waiting data unread. */
  stall: 15 * SECOND_MS,
  /** How often the users online are recorded. */
  presence: MINUTE_MS,
  /** The number of live connections of a user, and of an instance. */
  socketsPerUser: 10,
  sockets: 5000,
  /** The most rooms that a connection may follow. */
  subscriptions: CHAT_SUBSCRIPTIONS_MAX,
  /** How much a connection may send: frames, and pieces of frames. */
  frames: { max: 300, windowMs: 10 * SECOND_MS } satisfies Allowance,
  /** How much data may wait for a slow reader before nothing more is pushed. */
  unsentBytes: 256 * 1024,
}
export type ChatSettings = Readonly<typeof CHAT_SETTINGS>
