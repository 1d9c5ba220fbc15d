import { SECOND_MS } from './durations.ts'

/** Rooms that one live connection follows. */
export const CHAT_SUBSCRIPTIONS_MAX = 20

/** How often each side of a live connection shows that it is there. */
export const CHAT_HEARTBEAT_MS = 10 * SECOND_MS

/** How long a live connection may take to send CONNECT, and to read what waits for it. */
export const CHAT_CONNECT_MS = 10 * SECOND_MS

/** How long the browser waits before it connects again. */
export const CHAT_RECONNECT_MS = 5 * SECOND_MS
