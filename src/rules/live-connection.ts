import { SECOND_MS } from './durations.ts'

/** How many rooms one live connection may subscribe to. */
export const CHAT_SUBSCRIPTIONS_MAX = 20

/** How often each side of a live connection sends a heartbeat. */
export const CHAT_HEARTBEAT_MS = 10 * SECOND_MS

/** How long the browser may take to send CONNECT, and to read what is sent to it. */
export const CHAT_CONNECT_MS = 10 * SECOND_MS

/** How long the browser waits before it connects again. */
export const CHAT_RECONNECT_MS = 5 * SECOND_MS
