import { type Kysely, sql } from 'kysely'
import type { Locale } from '../../i18n/locales.ts'
import { HOUR_MS, SECOND_MS } from '../../rules/durations.ts'
import type { Millimes } from '../../rules/money.ts'
import type { WalletReason } from '../../rules/payment-states.ts'
import type { ContactKind } from '../../rules/sms.ts'
import type { NoticeKind } from '../../rules/upkeep.ts'
import type { Schema } from '../database/schema.ts'
import { administratorsIn } from '../database/sql-parts.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { URGENT } from '../jobs/jobs.ts'

/**
 * The data of each kind of mail, from which it is written at the time of sending: ids, never
 * secrets.
 */
export interface MailData {
  password_reset: { email: string; locale: Locale }
  email_confirmation: { userId: number }
  /** To the owner of an address or a number with which somebody wanted to register. */
  email_known: { userId: number; locale: Locale }
  phone_known: { phone: string; locale: Locale }
  /**
   * A code to the owner of this number, for a request (a hash); `askedAt` in milliseconds since 1970.
   * `userId`: the account that was just registered with it.
   */
  phone_code: {
    phone: string
    locale: Locale
    askedAt: number
    request: string
    userId?: number
    /** Whether it was counted among the messages to newcomers. */
    isCounted?: boolean
  }
  /** The link that confirms a new address, and a code to either phone of a change. */
  contact_link: { userId: number }
  contact_code: { userId: number; phone: string; askedAt: number }
  /** To an e-mail address or a phone number, which may no longer be the account's. */
  contact_told: { userId: number; to: string; what: ContactTold; contact: ContactKind }
  staff_invitation: { userId: number }
  join_confirmation: { requestId: number }
  join_accepted: { requestId: number }
  join_refused: { requestId: number }
  receipt: { orderId: number }
  payment_waiting: { userId: number; reference: string }
  payment_refused: { userId: number; reference: string }
  top_up_credited: { reference: string }
  /** The money of an order, or the price of some of its documents, that went into the wallet. */
  money_in_wallet: {
    reference: string
    why: WalletReason
    documentIds: readonly number[]
  }
  refund: { orderId: number; documentIds: readonly number[] }
  order_expired: { userId: number; orderId: number }
  wallet_adjusted: { adjustmentId: number }
  payout_paid: { payoutId: number }
  payout_refused: { payoutId: number }
  /** `to`: a contact that was the teacher's before; null or, in older jobs, nothing: the present one. */
  bank_account_changed: { userId: number; to?: string | null }
  absence: { userId: number; messageId: number }
  account_merged: { userId: number }
  data_ready: { userId: number }
  deletion_asked: { userId: number }
  money_returned: { userId: number; amount: Millimes; reference: string }
  new_version: { userId: number; documentId: number; version: number }
  /** `documentId`: the paper, or the correction that its teacher is told of. */
  correction_waited: { userId: number; documentId: number }
  paper_corrected: { userId: number; documentId: number }
  bundle_rests: { userId: number; bundleId: number }
  bundle_asks: { userId: number; bundleId: number; revision: number }
  /** What is new since a moment; `queuedAt` names the mail. */
  weekly_news: { userId: number; since: string; queuedAt: string }
  report_opened: { userId: number; caseId: number }
  report_answered: { reportId: number }
  report_closed: { userId: number; caseId: number }
  owner_notice: { userId: Reader; kinds: readonly NoticeKind[] }
  act_alone: { userId: Reader; actId: number }
  administrator_invited: { userId: Reader; invitedId: number; by: string }
  /** Where customers send their money; null: to the owner. */
  shop_account_changed: { userId: Reader; group: 'bank' | 'd17'; by: string }
}
/** An administrator; null: the owner, at the address of `ownerAddress`. */
export type Reader = number | null

/** The mails to every administrator and to the owner. */
type TeamMail = 'owner_notice' | 'act_alone' | 'administrator_invited' | 'shop_account_changed'
/** What the owner of an account is told about a change of its e-mail or phone. */
export type ContactTold = 'changing' | 'changed' | 'kept'
export type MailKind = keyof MailData

/** A queued mail. */
export type MailJob = { [Kind in MailKind]: { kind: Kind } & MailData[Kind] }[MailKind]

interface Rule {
  /** The highest priority goes first. */
  readonly priority: number
  /**
   * How many mails an account may cause in an hour without paying anything; further ones are
   * dropped.
   */
  readonly perHour?: number
  /**
   * Whether it also goes where a merged account was reached: a note of the merge, and what was
   * requested with this address or number.
   */
  readonly reachesMerged?: true
}

const ABOUT_MONEY = 50
const ABOUT_MESSAGES = 10
const AT_LEISURE = 1

/**
 * The rules of each kind of mail: mails that a user is waiting for at the screen come first, then
 * those about money, then all others.
 */
export const MAIL_KINDS: Readonly<Record<MailKind, Rule>> = {
  password_reset: { priority: URGENT },
  email_confirmation: { priority: URGENT, perHour: 5 },
  email_known: { priority: URGENT, perHour: 3 },
  phone_known: { priority: URGENT },
  phone_code: { priority: URGENT },
  contact_link: { priority: URGENT, reachesMerged: true },
  contact_code: { priority: URGENT, reachesMerged: true },
  contact_told: { priority: URGENT, reachesMerged: true },
  staff_invitation: { priority: URGENT, perHour: 5 },
  join_confirmation: { priority: URGENT, reachesMerged: true },
  join_accepted: { priority: ABOUT_MESSAGES },
  join_refused: { priority: ABOUT_MESSAGES, reachesMerged: true },
  receipt: { priority: ABOUT_MONEY },
  payment_waiting: { priority: ABOUT_MONEY, perHour: 20 },
  payment_refused: { priority: ABOUT_MONEY, perHour: 20 },
  top_up_credited: { priority: ABOUT_MONEY },
  money_in_wallet: { priority: ABOUT_MONEY },
  refund: { priority: ABOUT_MONEY },
  order_expired: { priority: ABOUT_MONEY, perHour: 20 },
  wallet_adjusted: { priority: ABOUT_MONEY },
  payout_paid: { priority: ABOUT_MONEY },
  payout_refused: { priority: ABOUT_MONEY },
  bank_account_changed: { priority: ABOUT_MONEY, perHour: 5 },
  absence: { priority: ABOUT_MESSAGES },
  account_merged: { priority: ABOUT_MONEY, reachesMerged: true },
  data_ready: { priority: ABOUT_MESSAGES },
  deletion_asked: { priority: URGENT, perHour: 5 },
  money_returned: { priority: ABOUT_MONEY },
  new_version: { priority: ABOUT_MESSAGES, perHour: 5 },
  correction_waited: { priority: ABOUT_MESSAGES },
  paper_corrected: { priority: ABOUT_MESSAGES },
  bundle_rests: { priority: ABOUT_MESSAGES, perHour: 5 },
  bundle_asks: { priority: ABOUT_MESSAGES, perHour: 5 },
  weekly_news: { priority: AT_LEISURE },
  report_opened: { priority: ABOUT_MESSAGES, perHour: 5 },
  report_answered: { priority: ABOUT_MESSAGES, reachesMerged: true },
  report_closed: { priority: ABOUT_MESSAGES },
  owner_notice: { priority: ABOUT_MESSAGES },
  act_alone: { priority: URGENT },
  administrator_invited: { priority: URGENT },
  shop_account_changed: { priority: URGENT },
}

/** Queues a mail to each administrator who can log in, and to the owner's address. */
export async function tellTeam<Kind extends TeamMail>(
  tx: Kysely<Schema>,
  jobs: Jobs,
  kind: Kind,
  data: Omit<MailData[Kind], 'userId'>,
): Promise<void> {
  const administrators = await administratorsIn(tx).select('id').execute()
  for (const userId of [...administrators.map(({ id }) => id), null]) {
    await enqueueMail(tx, jobs, kind, { ...data, userId } as MailData[Kind])
  }
}

/** Queues a mail in the transaction that causes it; if that is rolled back, no mail is sent. */
export async function enqueueMail<Kind extends MailKind>(
  db: Kysely<Schema>,
  jobs: Jobs,
  kind: Kind,
  data: MailData[Kind],
): Promise<void> {
  const { priority, perHour } = MAIL_KINDS[kind]
  if (perHour !== undefined && 'userId' in data && typeof data.userId === 'number') {
    if ((await countMail(db, data.userId, kind)) > perHour) return
  }
  await jobs.enqueue(db, 'mail', { kind, ...data }, priority)
}

/**
 * How many mails of a kind an account has caused in the current hour, which begins with the first
 * one.
 */
async function countMail(db: Kysely<Schema>, userId: number, kind: MailKind): Promise<number> {
  const { rows } = await sql<{ queued: number }>`
    INSERT INTO mail_counts AS known (user_id, kind, window_ends_at, queued)
    VALUES (${userId}, ${kind}, now() + make_interval(secs => ${HOUR_MS / SECOND_MS}), 1)
    ON CONFLICT (user_id, kind) DO UPDATE SET
      queued = CASE WHEN known.window_ends_at > now() THEN known.queued + 1 ELSE 1 END,
      window_ends_at = CASE WHEN known.window_ends_at > now() THEN known.window_ends_at
        ELSE excluded.window_ends_at END
    RETURNING queued`.execute(db)
  return rows[0]?.queued ?? 0
}
