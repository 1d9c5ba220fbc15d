import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts'

/** The tasks that keep the shop safe, whose last run is noted: backups, and checks of the ledger. */
export const UPKEEP_TASKS = ['backup', 'ledger'] as const
export type UpkeepTask = (typeof UPKEEP_TASKS)[number]

/**
 * What may stop working while the shop runs: its mail, its text messages, its payment gateway, room
 * on its disk, the storage of its files, the proxy before it, if the shop does not
 * trust it, and `codes`: those sent to phones do not come back.
 */
export const TROUBLES = ['mail', 'sms', 'gateway', 'disk', 'storage', 'proxy', 'codes'] as const
export type Trouble = (typeof TROUBLES)[number]

/** All that is noted about the upkeep; `restored`: the backup that the shop was restored from. */
const UPKEEP_NOTES = [...UPKEEP_TASKS, ...TROUBLES, 'restored'] as const
export type UpkeepNote = (typeof UPKEEP_NOTES)[number]

/** A backup is old after more than a day, since a daily one takes some time as well. */
export const BACKUP_MAX_AGE_MS = DAY_MS + 2 * HOUR_MS

/** With less free space in `DATA_DIR` the disk is nearly full, and its operator is told. */
export const DISK_NEARLY_FULL_BYTES = 1024 ** 3

/** With less, neither the database nor uploads can be written for long: the shop is not ready. */
export const DISK_TOO_FULL_BYTES = 200 * 1024 ** 2

/** What opens a shop, in the order in which it is done. */
export const OPENING_STEPS = [
  'name',
  'contact',
  'account',
  'topUps',
  'legal',
  'mail',
  'pages',
  'team',
  'community',
  'document',
  'backup',
] as const
export type OpeningStep = (typeof OPENING_STEPS)[number]

/**
 * The mails that tell administrators what needs them, each of which may be switched off, and how
 * long (ms) a thing of its kind has waited before it is told. At least a minute: what came a moment
 * ago may be in a transaction that is not committed yet.
 */
export const NOTICES = {
  transfers: { afterMs: MINUTE_MS },
  acts: { afterMs: MINUTE_MS },
  // What administrators did within a day, told once a day.
  sums: { afterMs: HOUR_MS },
  documents: { afterMs: MINUTE_MS },
  reports: { afterMs: MINUTE_MS },
  joining: { afterMs: MINUTE_MS },
  payouts: { afterMs: MINUTE_MS },
  returns: { afterMs: MINUTE_MS },
  bundles: { afterMs: MINUTE_MS },
  // Long enough for an administrator who is in the conversation to answer.
  conversations: { afterMs: 15 * MINUTE_MS },
  mail: { afterMs: 5 * MINUTE_MS },
  codes: { afterMs: MINUTE_MS },
  gateway: { afterMs: 5 * MINUTE_MS },
  disk: { afterMs: MINUTE_MS },
  // Buyers cannot read or download anything meanwhile; a moment's fault is over by then.
  storage: { afterMs: 2 * MINUTE_MS },
  backup: { afterMs: BACKUP_MAX_AGE_MS },
} as const satisfies Readonly<Record<string, { afterMs: number }>>
export type NoticeKind = keyof typeof NOTICES

export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[]

/** How often a kind is told at most; what comes meanwhile is gathered. */
export const NOTICE_EVERY_MS = HOUR_MS

/** What lasts is told again after this time. */
export const NOTICE_AGAIN_MS = 24 * HOUR_MS

/** The period of a trend on the office's first page, in days: as many before are its comparison. */
export const TREND_DAYS = 7
