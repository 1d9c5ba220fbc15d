import { DAY_MS, HOUR_MS } from './durations.ts'
import { NEWS_MS } from './following.ts'
import { EXPORT_MS } from './own-data.ts'
import { BANK_ACCOUNT_WAIT_MS } from './payouts.ts'
import { CONFIRMATION_LINK_LIFETIME_MS } from './roles.ts'
import { UPLOAD_LIFETIME_MS } from './uploads.ts'
import { EMPTY_SEARCH_DAYS } from './visits.ts'

const YEAR_MS = 365 * DAY_MS

/** How many of an account's newest answers to repeated calls are kept beyond a day. */
export const REPEATED_CALLS_MAX = 100

/**
 * How long the shop keeps what it knows about people (law 2004-63), in the order of the privacy
 * page, which shows this table; `server/jobs/clean-up.ts` deletes by it, `server/accounts/unconfirmed.ts` accounts, and
 * each room what it stores in files. An account itself stays until its owner has it deleted.
 */
export const RETENTION = {
  /** Orders, payments, receipts, invoices and the ledger: as the law on accounts says. Never deleted. */
  accounts: 10 * YEAR_MS,
  /** Messages, from the day on which they were sent. */
  messages: 3 * YEAR_MS,
  /** The words in the log of what staff do; the log itself names numbers. */
  staffLog: 3 * YEAR_MS,
  /** Marks that students gave themselves, from the day of the exam. */
  examMarks: 3 * YEAR_MS,
  /** A wait for a correction that did not come. */
  correctionWaits: YEAR_MS,
  /** News of a correction that came. */
  toldCorrections: NEWS_MS,
  /** Words and authors of reports of documents, after the case is closed. */
  closedReports: YEAR_MS,
  /** A visitor's cart, without a new document. */
  anonymousCarts: 90 * DAY_MS,
  /** The photo of a receipt, after its payment has ended. */
  receiptPhotos: 90 * DAY_MS,
  /** Words for which several searches of a day found nothing; not by whom. */
  searches: EMPTY_SEARCH_DAYS * DAY_MS,
  /** Visits by teachers' links, and by which link an order came. */
  linkFigures: 90 * DAY_MS,
  /** A request to join, after its answer. */
  joinRequests: 90 * DAY_MS,
  /** Mails that could not be delivered. */
  failedMails: 90 * DAY_MS,
  /** Mails as files, where the shop has no mail server. */
  outbox: 30 * DAY_MS,
  /** A note that a text message was sent, without its words and its receiver. */
  sentTexts: 30 * DAY_MS,
  /** An account whose number, its only contact, nobody confirmed, and one whose e-mail address: they hold nothing. */
  unconfirmedPhones: DAY_MS,
  unconfirmedEmails: 30 * DAY_MS,
  /** Addresses, as hashes, from which an account has logged in. */
  knownPlaces: 90 * DAY_MS,
  /** A change of e-mail or phone that nobody confirmed. */
  contactChanges: CONFIRMATION_LINK_LIFETIME_MS,
  /** The e-mail or phone that a teacher had before, told of a change of the bank account. */
  formerContacts: BANK_ACCOUNT_WAIT_MS,
  /** A teacher's account that nobody approved, and that has no document. */
  unapproved: 30 * DAY_MS,
  /** A request to join whose address or number is not confirmed. */
  unconfirmedJoining: 7 * DAY_MS,
  /** An order that ended without a payment for it having begun. */
  unpaidOrders: 30 * DAY_MS,
  /** The answers to repeated calls: longer than any retry takes. */
  repeatedCalls: 7 * DAY_MS,
  uploads: UPLOAD_LIFETIME_MS,
  /** Counted attempts on accounts, as hashes. */
  attempts: DAY_MS,
  exports: EXPORT_MS,
  /** A log-in on a device, and its token. */
  logIns: 12 * HOUR_MS,
  /** A code for a phone, as a hash; it ends earlier. */
  phoneCodes: DAY_MS,
} as const
export type Retained = keyof typeof RETENTION

/** A period in the largest whole unit of years, days and hours. */
export function inUnits(ms: number): { unit: 'years' | 'days' | 'hours'; count: number } {
  if (ms % YEAR_MS === 0) return { unit: 'years', count: ms / YEAR_MS }
  if (ms % DAY_MS === 0) return { unit: 'days', count: ms / DAY_MS }
  return { unit: 'hours', count: Math.ceil(ms / HOUR_MS) }
}
