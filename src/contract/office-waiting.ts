import { array, enums, type Infer, nullable, number, optional, string, type } from 'superstruct'
import { defineCall } from './call.ts'
import { moment, signedDinars } from './values.ts'

/** The kinds of things that wait for a person of the shop. */
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
  'backup',
  'ledger',
] as const
export type WaitingKind = (typeof WAITING_KINDS)[number]

/** One thing that waits, by the name that people know it by. */
export const WaitingItem = type({
  /** What its page takes, such as a document's id; the kind of a mail, or a turn of the clock. */
  id: string(),
  name: string(),
  amount: optional(signedDinars()),
  /** Since when it waits. */
  since: moment(),
})
export type WaitingItem = Infer<typeof WaitingItem>

/** Everything of a kind that waits. */
export const WaitingGroup = type({
  kind: enums(WAITING_KINDS),
  count: number(),
  /** Since when the oldest waits. */
  since: moment(),
  /** The oldest few; none of what has no names. */
  items: array(WaitingItem),
})
export type WaitingGroup = Infer<typeof WaitingGroup>

/** What waits for a person of the shop: the kind first of which something has waited longest. */
export const getWaiting = defineCall({
  method: 'GET',
  path: '/office/admin/waiting',
  caller: 'admin',
  result: type({
    readAt: moment(),
    groups: array(WaitingGroup),
    /** When the shop was backed up, and when its ledger was checked, last; null: never. */
    backupAt: nullable(moment()),
    ledgerAt: nullable(moment()),
  }),
})

/** Sends every mail that was given up once more; answers how many those are. */
export const sendMailsAgain = defineCall({
  method: 'POST',
  path: '/office/admin/mails/send-again',
  caller: 'admin',
  result: type({ sent: number() }),
})
