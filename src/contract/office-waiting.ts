import { array, enums, type Infer, nullable, number, optional, string, type } from 'superstruct'
import { OPENING_STEPS, TROUBLES, UPKEEP_TASKS } from '../rules/upkeep.ts'
import { defineCall } from './call.ts'
import { moment, signedDinars } from './values.ts'

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
