import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import { NOTICE_KINDS, OPENING_STEPS, TROUBLES, UPKEEP_TASKS } from '../rules/upkeep.ts'
import { defineCall } from './call.ts'
import { id, LastChange, moment, signedDinars } from './values.ts'

/** The kinds of things that wait for staff. */
export const WAITING_KINDS = [
  'documents',
  'joining',
  'transfers',
  'differences',
  'adjustments',
  'payouts',
  'conversations',
  'mails',
  'imports',
  'turns',
  ...UPKEEP_TASKS,
  ...TROUBLES,
] as const
export type WaitingKind = (typeof WAITING_KINDS)[number]

/** A waiting item, under the name that people know. */
export const WaitingItem = type({
  /** The id for its page, such as a document's; the kind of a mail, or the name of a timed task. */
  id: string(),
  name: string(),
  amount: optional(signedDinars()),
  /** Since when it has been waiting. */
  since: moment(),
})
export type WaitingItem = Infer<typeof WaitingItem>

/** All waiting items of one kind. */
export const WaitingGroup = type({
  kind: enums(WAITING_KINDS),
  count: number(),
  /** Since when the oldest has been waiting. */
  since: moment(),
  /** The oldest few; empty for kinds without names. */
  items: array(WaitingItem),
  /** The last error of what fails, in the server's words. */
  reason: optional(string()),
})
export type WaitingGroup = Infer<typeof WaitingGroup>

/** The items that wait for staff, by kind; the kind with the longest-waiting item comes first. */
export const getWaiting = defineCall('GET /office/admin/waiting', 'admin', {
  result: type({
    readAt: moment(),
    groups: array(WaitingGroup),
    /** What is left to do before the first sale; empty once the shop is open. */
    opening: array(enums(OPENING_STEPS)),
    /** When the shop was last backed up, and its ledger last checked; null for never. */
    backupAt: nullable(moment()),
    ledgerAt: nullable(moment()),
    /** When the backup was made that the shop was restored from; null: it never was. */
    restoredFrom: nullable(moment()),
    /** How the operator calls the command line on the server, such as `karras`. */
    officeCommand: string(),
  }),
})

/** Retries every e-mail that was given up; returns their number. */
export const sendMailsAgain = defineCall('POST /office/admin/mails/send-again', 'admin', {
  result: type({ sent: number() }),
})

const place = {
  /** Without a mail server each mail becomes a file in a folder, and reaches nobody. */
  kind: enums(['server', 'folder']),
  /** The host of the server, or the path of the folder. */
  place: string(),
}

/** Where the shop's mails go, and whether they get there. */
export const MailState = type({
  ...place,
  waiting: number(),
  givenUp: number(),
  /** The last error; `since` is null where mail works again. */
  trouble: nullable(type({ reason: string(), at: moment(), since: nullable(moment()) })),
})
export type MailState = Infer<typeof MailState>

/** A mail to administrators about what needs them. */
const Notice = type({
  kind: enums(NOTICE_KINDS),
  isOn: boolean(),
  /** When it was last sent. */
  toldAt: nullable(moment()),
  changed: LastChange,
  /** The last time it was switched, which the next switch must name; null if it never was. */
  seen: nullable(id()),
})

export const Notices = type({ mail: MailState, notices: array(Notice) })
export type Notices = Infer<typeof Notices>

/** Where the shop's mails go, for the pages that say that one is sent. */
export const getMailPlace = defineCall('GET /office/admin/mail-place', 'admin', {
  result: type(place),
})

export const getNotices = defineCall('GET /office/admin/notices', 'admin', { result: Notices })

/** Switches a notice on or off, for all administrators. */
export const setNotice = defineCall('POST /office/admin/notices', 'admin', {
  body: object({ kind: enums(NOTICE_KINDS), isOn: boolean(), seen: nullable(id()) }),
  result: Notices,
  errors: ['done_before'],
})

/** Sends a mail to the administrator who asks, at once; `problem` says why it was not taken. */
export const sendTestMail = defineCall('POST /office/admin/notices/test-mail', 'admin', {
  result: type({ to: string(), problem: nullable(string()), mail: MailState }),
})
