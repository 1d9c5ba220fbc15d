import * as limits from '../../rules/limits.ts'
import type { Allowance } from '../http/attempts.ts'

/** What a live connection may take and hold; times in milliseconds. */
export interface ChatSettings {
  /** How often everything below is looked at. */
  readonly tick: number
  readonly heartbeat: number
  readonly connect: number
  readonly stall: number
  readonly presence: number
  readonly socketsPerUser: number
  readonly sockets: number
  readonly subscriptions: number
  readonly frames: Allowance
  readonly unsentBytes: number
}

export const CHAT_SETTINGS: ChatSettings = {
  tick: limits.SECOND_MS,
  heartbeat: limits.CHAT_HEARTBEAT_MS,
  connect: limits.CHAT_CONNECT_MS,
  stall: limits.CHAT_STALL_MS,
  presence: limits.CHAT_PRESENCE_MS,
  socketsPerUser: limits.CHAT_SOCKETS_PER_USER,
  sockets: limits.CHAT_SOCKETS_MAX,
  subscriptions: limits.CHAT_SUBSCRIPTIONS_MAX,
  frames: { max: limits.CHAT_FRAMES_MAX, windowMs: limits.CHAT_FRAMES_WINDOW_MS },
  unsentBytes: limits.CHAT_UNSENT_MAX_BYTES,
}
