import * as s from 'superstruct'
import { NOTICE_KINDS, OPENING_STEPS, TROUBLES, UPKEEP_TASKS } from '../rules/upkeep.ts'
import { defineCall } from './call.ts'
import { id, LastChange, moment, signedDinars } from './values.ts'

/** The kinds of things that wait for staff. */
export const WAITING_KINDS = [
  'documents',
  'reports',
  'joining',
  'transfers',
  'differences',
  'acts',
  'payouts',
  'returns',
  'bundles',
  'conversations',
  'mails',
  'imports',
  'turns',
  'calendar',
  ...UPKEEP_TASKS,
  ...TROUBLES,
] as const
export type WaitingKind = (typeof WAITING_KINDS)[number]

/** A waiting item, under the name that people know. */
export const WaitingItem = s.type({
  /** The id for its page, such as a document's; the kind of a mail, or the name of a timed task. */
  id: s.string(),
  name: s.string(),
  amount: s.optional(signedDinars()),
  /** Since when it has been waiting. */
  since: moment(),
})
export type WaitingItem = s.Infer<typeof WaitingItem>

/** All waiting items of one kind. */
export const WaitingGroup = s.type({
  kind: s.enums(WAITING_KINDS),
  count: s.number(),
  /** Since when the oldest has been waiting. */
  since: moment(),
  /** The oldest few; empty for kinds without names. */
  items: s.array(WaitingItem),
  /**
   * How many came in the last days (`TREND_DAYS`), and in as many days before; only for kinds that
   * are work, and whose past is known.
   */
  trend: s.optional(s.type({ now: s.number(), before: s.number() })),
  /** The last error of what fails, in the server's words. */
  reason: s.optional(s.string()),
})
export type WaitingGroup = s.Infer<typeof WaitingGroup>

/** The items that wait for staff, by kind; the kind with the longest-waiting item comes first. */
export const getWaiting = defineCall('GET /office/admin/waiting', 'admin', {
  result: s.type({
    readAt: moment(),
    groups: s.array(WaitingGroup),
    /** What is left to do before the first sale; empty once the shop is open. */
    opening: s.array(s.enums(OPENING_STEPS)),
    /** When the shop was last backed up, and its ledger last checked; null for never. */
    backupAt: s.nullable(moment()),
    ledgerAt: s.nullable(moment()),
    /** When the backup was made that the shop was restored from; null: it never was. */
    restoredFrom: s.nullable(moment()),
    /** How the operator calls the command line on the server, such as `karras`. */
    officeCommand: s.string(),
    /** The command that backs the shop up, as it runs on the server. */
    backupCommand: s.string(),
  }),
})

/** Retries every e-mail that was given up; returns their number. */
export const sendMailsAgain = defineCall('POST /office/admin/mails/send-again', 'admin', {
  result: s.type({ sent: s.number() }),
})

const place = {
  /** Without a mail server each mail becomes a file in a folder, and reaches nobody. */
  kind: s.enums(['server', 'folder']),
  /** The host of the server, or the path of the folder. */
  place: s.string(),
}

/** Where the shop's mails go, and whether they get there. */
export const MailState = s.type({
  ...place,
  waiting: s.number(),
  givenUp: s.number(),
  /** The last error; `since` is null where mail works again. */
  trouble: s.nullable(s.type({ reason: s.string(), at: moment(), since: s.nullable(moment()) })),
})
export type MailState = s.Infer<typeof MailState>

/** A mail to administrators about what needs them. */
const Notice = s.type({
  kind: s.enums(NOTICE_KINDS),
  isOn: s.boolean(),
  /** When it was last sent. */
  toldAt: s.nullable(moment()),
  changed: LastChange,
  /** The last time it was switched, which the next switch must name; null if it never was. */
  seen: s.nullable(id()),
})

export const Notices = s.type({ mail: MailState, notices: s.array(Notice) })
export type Notices = s.Infer<typeof Notices>

/** Where the shop's mails go, for the pages that say that one is sent. */
export const getMailPlace = defineCall('GET /office/admin/mail-place', 'admin', {
  result: s.type(place),
})

export const getNotices = defineCall('GET /office/admin/notices', 'admin', { result: Notices })

/** Switches a notice on or off, for all administrators. */
export const setNotice = defineCall('POST /office/admin/notices', 'admin', {
  body: s.object({ kind: s.enums(NOTICE_KINDS), isOn: s.boolean(), seen: s.nullable(id()) }),
  result: Notices,
  errors: ['done_before'],
})

/** Sends a mail to the administrator who asks, at once; `problem` says why it was not taken. */
export const sendTestMail = defineCall('POST /office/admin/notices/test-mail', 'admin', {
  result: s.type({ to: s.string(), problem: s.nullable(s.string()), mail: MailState }),
})
