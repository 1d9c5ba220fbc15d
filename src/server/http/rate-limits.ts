import type { FastifyReply } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import { UNAPPROVED_UPLOADS_PER_DAY } from '../../rules/approval.ts'
import { BUNDLES_MAX } from '../../rules/bundles.ts'
import { CODES_MAX, WRONG_CODES_MAX } from '../../rules/discount-codes.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../rules/durations.ts'
import { RECEIPT_PHOTOS_MAX, RECEIPT_UPLOADS_PER_DAY } from '../../rules/receipt-photos.ts'
import { REPORTS_A_DAY } from '../../rules/reports.ts'
import { CODE_LIFETIME_MS, CODE_TRIES } from '../../rules/sms.ts'
import { PROFILE_SAVES_PER_HOUR } from '../../rules/teacher-profile.ts'
import { UPLOADS_PER_DAY } from '../../rules/uploads.ts'
import { createTurns } from '../concurrency/turns.ts'
import type { Deps } from '../deps.ts'
import {
  type Allowance,
  createAttempts,
  createKeptAttempts,
  type Wanted,
} from './attempt-counter.ts'
import { addressKey, isLocal, networkKey, siteKey } from './client-address.ts'
import { fault } from './errors.ts'

/** How many chat messages a user may send per minute. */
export const CHAT_MESSAGES_PER_MINUTE = 30

/** How many a user other than an administrator may send in a day: each is kept for years. */
const CHAT_MESSAGES_PER_DAY = 1000

/** The largest body of a JSON call, in bytes. */
export const JSON_BODY_MAX_BYTES = 64 * 1024

/** How often an address or an account may do something in a window of time. */
export const ALLOWANCES = {
  /** Calls of any kind. A mobile network has hundreds of users behind one address. */
  calls: { max: 1200, windowMs: MINUTE_MS },
  /** Wrong passwords from one address, whatever the accounts. */
  logInsOfAddress: { max: 100, windowMs: 15 * MINUTE_MS },
  logInsOfAccountAndAddress: { max: 10, windowMs: 15 * MINUTE_MS },
  /** From all addresses; generous, since it locks out the owner too. */
  logInsOfAccount: { max: 100, windowMs: 15 * MINUTE_MS },
  /** Passwords that are checked, right or wrong: each takes some 20 ms of a processor. */
  passwordsOfAddress: { max: 1000, windowMs: 15 * MINUTE_MS },
  /**
   * More than twice the wrong ones, so that no stranger uses it up before the account is closed to
   * their guesses.
   */
  passwordsOfAccount: { max: 250, windowMs: 15 * MINUTE_MS },
  /**
   * Codes of a second factor, from all addresses: everyone who gets this far knows the password.
   */
  codesOfAccount: { max: 10, windowMs: HOUR_MS },
  registrationsOfAddress: { max: 60, windowMs: HOUR_MS },
  /** Requests to join as a teacher, each of which sends a mail or a text message. */
  joinRequestsOfAddress: { max: 20, windowMs: DAY_MS },
  joinRequestsOfContact: { max: 3, windowMs: DAY_MS },
  /** From all addresses: more than a few of them have together. */
  joinRequestsOfAll: { max: 300, windowMs: DAY_MS },
  /** Accounts that teachers open by themselves; a school has one address. */
  openedTeachersOfAddress: { max: 20, windowMs: DAY_MS },
  openedTeachersOfNetwork: { max: 40, windowMs: DAY_MS },
  /** Reports of documents; each is read by a person. */
  reportsOfAddress: { max: REPORTS_A_DAY.address, windowMs: DAY_MS },
  reportsOfPerson: { max: REPORTS_A_DAY.person, windowMs: DAY_MS },
  reportsOfDocument: { max: REPORTS_A_DAY.document, windowMs: DAY_MS },
  reportsOfDocumentByAddress: { max: REPORTS_A_DAY.documentByAddress, windowMs: DAY_MS },
  reportsOfDocumentByAccounts: { max: REPORTS_A_DAY.documentByAccounts, windowMs: DAY_MS },
  /** From all addresses, so that nobody's mailbox is flooded. */
  resetLinksOfAccount: { max: 10, windowMs: HOUR_MS },
  /** Text messages to a number: codes when they are asked for, whether or not it is known. */
  textsOfPhone: { max: 3, windowMs: HOUR_MS },
  textsOfPhoneInDay: { max: 10, windowMs: DAY_MS },
  /** Codes that an address asks for, whatever the numbers; each may cost the shop money. */
  codesOfAddress: { max: 60, windowMs: DAY_MS },
  codesOfNetwork: { max: 90, windowMs: DAY_MS },
  /** Those to numbers that nobody has confirmed, each of which costs money. */
  phoneRegistrationsOfAddress: { max: 20, windowMs: DAY_MS },
  phoneRegistrationsOfNetwork: { max: 40, windowMs: DAY_MS },
  /** Wrong codes that were read out, from one address. */
  readOutCodesOfPhoneAndAddress: { max: CODE_TRIES, windowMs: CODE_LIFETIME_MS },
  /**
   * Calls of a customer that need an idempotency key: purchases, orders, payments. Each may leave
   * rows.
   */
  paymentsOfAccount: { max: 400, windowMs: HOUR_MS },
  paymentsOfAccountInDay: { max: 1000, windowMs: DAY_MS },
  profileSavesOfAccount: { max: PROFILE_SAVES_PER_HOUR, windowMs: HOUR_MS },
  receiptUploadsOfAccount: { max: RECEIPT_UPLOADS_PER_DAY, windowMs: DAY_MS },
  /** Those of 200 payers behind one address of a mobile network, of any number of accounts. */
  receiptUploadsOfAddress: { max: 200 * RECEIPT_PHOTOS_MAX, windowMs: DAY_MS },
  uploadsOfAccount: { max: UPLOADS_PER_DAY, windowMs: DAY_MS },
  uploadsOfUnapproved: { max: UNAPPROVED_UPLOADS_PER_DAY, windowMs: DAY_MS },
  /** Looks for drafts that are alike, each of which may compare some. */
  likenessOfTeacher: { max: 600, windowMs: HOUR_MS },
  /** Links to bought files, each of which may have its footers made. */
  fileLinksOfAccount: { max: 300, windowMs: 10 * MINUTE_MS },
  /** Links to ZIPs of bought documents. */
  archivesOfAccount: { max: 30, windowMs: HOUR_MS },
  /** Repeated requests for the link that confirms an address. */
  confirmationLinksOfAccount: { max: 5, windowMs: DAY_MS },
  /** Changes of e-mail or phone that an account asks for; each sends mails or messages. */
  contactChangesOfAccount: { max: 5, windowMs: DAY_MS },
  /** Codes that no teacher and not the shop has, so that nobody finds one by trying. */
  wrongCodesOfAccount: { max: WRONG_CODES_MAX, windowMs: HOUR_MS },
  /** A mobile network has hundreds of users behind one address, and a right code is refused as well. */
  wrongCodesOfAddress: { max: 10 * WRONG_CODES_MAX, windowMs: HOUR_MS },
  /** Codes that a teacher or an administrator makes: each leaves a row for good. */
  newCodesOfAccount: { max: CODES_MAX, windowMs: DAY_MS },
  /** What documents cost with a code, which is asked at each change of the cart. */
  codeQuotesOfAccount: { max: 120, windowMs: MINUTE_MS },
  /** Test mails of an administrator. */
  testMailsOfAccount: { max: 5, windowMs: HOUR_MS },
  /** Requests for links, and attempts with tokens. */
  resetsOfAddress: { max: 100, windowMs: 15 * MINUTE_MS },
  /** Answers to ratings that a teacher writes, changes and removes. */
  answersOfTeacher: { max: 200, windowMs: HOUR_MS },
  /** Documents that an account opens to read, or renews while it reads or stores them. */
  readingsOfAccount: { max: 300, windowMs: 10 * MINUTE_MS },
  /** Saved reading positions of an account. */
  placesOfAccount: { max: 120, windowMs: MINUTE_MS },
  /** Full-text searches of an account in its documents. */
  findsOfAccount: { max: 60, windowMs: MINUTE_MS },
  /** Searches of the whole office, which runs one at each pause in typing. */
  officeSearchesOfAccount: { max: 120, windowMs: MINUTE_MS },
  /**
   * Documents put into carts of visitors without an account, each of which may be a cart of its own
   * and is kept for months. Our pages keep such a cart in the browser.
   */
  cartItemsOfAddress: { max: 300, windowMs: HOUR_MS },
  /** Visits by teachers' links. A school has one address, a mobile network hundreds of users behind one. */
  linkVisitsOfAddress: { max: 500, windowMs: DAY_MS },
  linkVisitsOfLinkAndAddress: { max: 100, windowMs: DAY_MS },
  /** Bundles that a teacher makes and prices that they get: each leaves rows and renews ten pages. */
  bundleChangesOfTeacher: { max: 2 * BUNDLES_MAX, windowMs: HOUR_MS },
  chatMessagesOfUserInDay: { max: CHAT_MESSAGES_PER_DAY, windowMs: DAY_MS },
  /** Counted over all instances. */
  chatMessagesOfUser: { max: CHAT_MESSAGES_PER_MINUTE, windowMs: MINUTE_MS },
  /** Queries to the gateway about unknown references, of all callers together. */
  unknownReferences: { max: 120, windowMs: MINUTE_MS },
} satisfies Record<string, Allowance>

export type Allowances = Readonly<Record<keyof typeof ALLOWANCES, Allowance>>

interface Rule {
  readonly ofSubject?: keyof Allowances
  /** A second one, for a longer time. */
  readonly ofSubjectInDay?: keyof Allowances
  readonly ofAddress?: keyof Allowances
  /** For a whole /24 or /48, in place of `ROOM_OF_SITE` times `ofAddress`. */
  readonly ofNetwork?: keyof Allowances
  /** For one subject from one address. */
  readonly ofBoth?: keyof Allowances
  /** Replaces `too_many_requests`. */
  readonly refusal?: ErrorCode
}

/** What protects accounts, and the allowances that apply: counted in the database. */
const PROTECTED = {
  /** A password, which counts if it is wrong. */
  logIn: {
    ofSubject: 'logInsOfAccount',
    ofBoth: 'logInsOfAccountAndAddress',
    ofAddress: 'logInsOfAddress',
  },
  /** The same from where the account has logged in before: strangers elsewhere do not use it up. */
  logInAtKnownPlace: { ofBoth: 'logInsOfAccountAndAddress', ofAddress: 'logInsOfAddress' },
  secondFactor: { ofSubject: 'codesOfAccount' },
  join: { ofSubject: 'joinRequestsOfContact', ofAddress: 'joinRequestsOfAddress' },
  joinOfAll: { ofSubject: 'joinRequestsOfAll' },
  openTeacher: { ofAddress: 'openedTeachersOfAddress', ofNetwork: 'openedTeachersOfNetwork' },
  report: { ofAddress: 'reportsOfAddress' },
  reportOfPerson: { ofSubject: 'reportsOfPerson' },
  reportOfDocument: { ofSubject: 'reportsOfDocument' },
  reportFromAddress: { ofBoth: 'reportsOfDocumentByAddress' },
  reportByAccount: { ofSubject: 'reportsOfDocumentByAccounts' },
  register: { ofAddress: 'registrationsOfAddress' },
  resetLink: { ofSubject: 'resetLinksOfAccount', ofAddress: 'resetsOfAddress' },
  phoneCode: {
    ofSubject: 'textsOfPhone',
    ofSubjectInDay: 'textsOfPhoneInDay',
    ofAddress: 'codesOfAddress',
    ofNetwork: 'codesOfNetwork',
  },
  /** The same for a number that nobody has confirmed. */
  phoneRegistration: {
    ofSubject: 'textsOfPhone',
    ofSubjectInDay: 'textsOfPhoneInDay',
    ofAddress: 'phoneRegistrationsOfAddress',
    ofNetwork: 'phoneRegistrationsOfNetwork',
  },
  readOutCode: { ofBoth: 'readOutCodesOfPhoneAndAddress', ofAddress: 'resetsOfAddress' },
  confirmationLink: { ofSubject: 'confirmationLinksOfAccount', ofAddress: 'resetsOfAddress' },
  contactChange: { ofSubject: 'contactChangesOfAccount', ofAddress: 'resetsOfAddress' },
  testMail: { ofSubject: 'testMailsOfAccount' },
  /** A code that lowers prices, which counts if it is unknown. */
  discountCode: {
    ofSubject: 'wrongCodesOfAccount',
    ofAddress: 'wrongCodesOfAddress',
    refusal: 'too_many_codes',
  },
  /** An attempt with a token. */
  reset: { ofAddress: 'resetsOfAddress' },
} satisfies Record<string, Rule>

/** What only bounds load: counted in the memory of each process. */
const LOADS = {
  passwordFromAddress: { ofAddress: 'passwordsOfAddress' },
  passwordOfAccount: { ofSubject: 'passwordsOfAccount' },
  payment: { ofSubject: 'paymentsOfAccount', ofSubjectInDay: 'paymentsOfAccountInDay' },
  anonymousCart: { ofAddress: 'cartItemsOfAddress' },
  chatInDay: { ofSubject: 'chatMessagesOfUserInDay' },
  linkVisit: { ofAddress: 'linkVisitsOfAddress', ofBoth: 'linkVisitsOfLinkAndAddress' },
  profile: { ofSubject: 'profileSavesOfAccount' },
  fileLink: { ofSubject: 'fileLinksOfAccount' },
  archive: { ofSubject: 'archivesOfAccount' },
  answer: { ofSubject: 'answersOfTeacher' },
  bundle: { ofSubject: 'bundleChangesOfTeacher' },
  code: { ofSubject: 'newCodesOfAccount' },
  codeQuote: { ofSubject: 'codeQuotesOfAccount' },
  reading: { ofSubject: 'readingsOfAccount' },
  place: { ofSubject: 'placesOfAccount' },
  find: { ofSubject: 'findsOfAccount' },
  officeSearch: { ofSubject: 'officeSearchesOfAccount' },
  receiptUpload: {
    ofSubject: 'receiptUploadsOfAccount',
    ofAddress: 'receiptUploadsOfAddress',
    refusal: 'too_many_photos_today',
  },
  upload: { ofSubject: 'uploadsOfAccount', refusal: 'too_many_uploads_today' },
  likeness: { ofSubject: 'likenessOfTeacher' },
  uploadUnapproved: { ofSubject: 'uploadsOfUnapproved', refusal: 'unapproved_full' },
} satisfies Record<string, Rule>

/** What a text message that no code is for counts against, as codes do. */
export function ofPhone(allowances: Allowances, phone: string): readonly Wanted[] {
  const { ofSubject, ofSubjectInDay } = PROTECTED.phoneCode
  return [ofSubject, ofSubjectInDay].map((name) => [`${name} ${phone}`, allowances[name]])
}

/** How much more a whole IPv6 /48 is allowed than one of its networks. */
const ROOM_OF_SITE = 10

/**
 * How many attempts are counted at a time, and of one address: those on one account wait for each
 * other's commit, and would otherwise hold every connection of the pool.
 */
const COUNTED_AT_ONCE = 2
const COUNTING = {
  waiting: 200,
  ofOwner: { atOnce: 1, waiting: 50 },
  refusal: () => fault('unavailable'),
}

export type Limits = ReturnType<ReturnType<typeof createLimits>>

export function createLimits(
  deps: Pick<Deps, 'database' | 'now' | 'secret'>,
  allowances: Allowances,
) {
  const attempts = createKeptAttempts(deps)
  const loads = createAttempts(deps.now)
  const counting = createTurns(COUNTED_AT_ONCE, COUNTING)

  return (reply: FastifyReply) => {
    const { ip } = reply.request
    // Reading an IPv6 address costs a tenth of a call, and most calls ask for no limit.
    const turn = () => (isLocal(ip) ? null : (siteKey(ip) ?? addressKey(ip)))

    /** Addresses come first: one over its allowance is refused whatever the account. */
    function* wantedFor(
      { ofSubject, ofSubjectInDay, ofBoth, ofAddress, ofNetwork }: Rule,
      subject: string | number,
    ): Generator<Wanted> {
      // Requests from this machine are not limited by address: they may come from a proxy that
      // names no client.
      const address = isLocal(ip) ? null : addressKey(ip)
      const site = siteKey(ip)
      if (ofAddress && address !== null) {
        yield [`${ofAddress} ${address}`, allowances[ofAddress]]
        if (ofNetwork) yield [`${ofNetwork} ${networkKey(ip)}`, allowances[ofNetwork]]
        else if (site !== null) yield [`${ofAddress} ${site}`, ofSite(allowances[ofAddress])]
      }
      if (ofBoth) yield [`${ofBoth} ${subject} ${address}`, allowances[ofBoth]]
      if (ofSubject) yield [`${ofSubject} ${subject}`, allowances[ofSubject]]
      if (ofSubjectInDay) yield [`${ofSubjectInDay} ${subject}`, allowances[ofSubjectInDay]]
    }

    /**
     * Counts an attempt against the allowances of the client's address and of an account or e-mail
     * address. Call the result if the attempt was legitimate. Throws `too_many_requests`, and
     * `unavailable` if too many of the address are waiting.
     */
    async function count(
      what: keyof typeof PROTECTED,
      subject: string | number = '',
    ): Promise<() => Promise<void>> {
      const wanted = [...wantedFor(PROTECTED[what], subject)]
      if (wanted.length === 0) return async () => {}
      const retryAfter = await counting.take(() => attempts.take(wanted), turn())
      const { refusal = 'too_many_requests' }: Rule = PROTECTED[what]
      if (retryAfter > 0) throw fault(refusal, { retryAfter })
      return () => attempts.giveBack(wanted)
    }

    return {
      /** Whose turn it is in queues, by address; null for this machine. */
      get turn() {
        return turn()
      },
      /** Where the client is, as an account is known there; null for this machine. */
      get place() {
        return isLocal(ip) ? null : addressKey(ip)
      },
      count,
      /**
       * Counts an attempt that `check` decides: it counts if that is false. If `check` throws,
       * nothing was tried.
       */
      async attempt(
        what: keyof typeof PROTECTED,
        subject: string | number,
        check: () => Promise<boolean>,
      ): Promise<boolean> {
        const giveBack = await count(what, subject)
        let counts = false
        try {
          counts = !(await check())
          return !counts
        } finally {
          if (!counts) await giveBack()
        }
      },
      /**
       * Counts work for an account or for the client's address. Throws `too_many_requests`, or what
       * the rule says.
       */
      bound(what: keyof typeof LOADS, subject: string | number = ''): void {
        const rule: Rule = LOADS[what]
        for (const [key, allowance] of wantedFor(rule, subject)) {
          const retryAfter = loads.take(key, allowance)
          if (retryAfter > 0) throw fault(rule.refusal ?? 'too_many_requests', { retryAfter })
        }
      },
      /** Counts a query to the gateway about an unknown reference; false if there were too many. */
      mayLookUpReference: (): boolean =>
        loads.take('unknown reference', allowances.unknownReferences) === 0,
      /** Counted by the database, since several instances receive a user's messages. */
      chatMessages: allowances.chatMessagesOfUser,
    }
  }
}

/** Counts the calls of whole IPv6 /48s; returns the seconds to wait, 0 if there were not too many. */
export function countCallsOfSites(now: () => number, { calls }: Allowances) {
  const attempts = createAttempts(now)
  return (ip: string): number => {
    const site = siteKey(ip)
    return site === null ? 0 : attempts.take(site, ofSite(calls))
  }
}

function ofSite({ max, windowMs }: Allowance): Allowance {
  return { max: ROOM_OF_SITE * max, windowMs }
}
