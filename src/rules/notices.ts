import { HOUR_MS, MINUTE_MS } from './durations.ts'
import { BACKUP_MAX_AGE_MS } from './upkeep.ts'

/**
 * The mails that tell administrators what needs them, each of which may be switched off, and how
 * long (ms) a thing of its kind has waited before it is told. At least a minute: what came a moment
 * ago may stand in a transaction that is not committed yet.
 */
export const NOTICES = {
  transfers: { afterMs: MINUTE_MS },
  documents: { afterMs: MINUTE_MS },
  // Long enough for an administrator who is in the conversation to answer.
  conversations: { afterMs: 15 * MINUTE_MS },
  mail: { afterMs: 5 * MINUTE_MS },
  gateway: { afterMs: 5 * MINUTE_MS },
  disk: { afterMs: MINUTE_MS },
  backup: { afterMs: BACKUP_MAX_AGE_MS },
} as const satisfies Readonly<Record<string, { afterMs: number }>>
export type NoticeKind = keyof typeof NOTICES

export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[]

/** How often a kind is told at most; what comes meanwhile is gathered. */
export const NOTICE_EVERY_MS = HOUR_MS

/** What lasts is told again after this time. */
export const NOTICE_AGAIN_MS = 24 * HOUR_MS
