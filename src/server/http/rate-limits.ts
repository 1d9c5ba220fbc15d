import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../rules/durations.ts'
import { PROFILE_SAVES_PER_HOUR } from '../../rules/teacher-profile.ts'
import { UPLOADS_PER_DAY } from '../../rules/uploads.ts'
import { type Allowance, createAttempts } from './attempt-counter.ts'
import { fault } from './errors.ts'

/** How many chat messages a user may send per minute. */
export const CHAT_MESSAGES_PER_MINUTE = 30

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
  /**
   * Codes of a second factor, from all addresses: everyone who gets this far knows the password.
   */
  codesOfAccount: { max: 10, windowMs: HOUR_MS },
  registrationsOfAddress: { max: 60, windowMs: HOUR_MS },
  /** Requests to join as a teacher. */
  joinRequestsOfAddress: { max: 20, windowMs: HOUR_MS },
  joinRequestsOfEmail: { max: 3, windowMs: DAY_MS },
  /** From all addresses, so that nobody's mailbox is flooded. */
  resetLinksOfAccount: { max: 10, windowMs: HOUR_MS },
  profileSavesOfAccount: { max: PROFILE_SAVES_PER_HOUR, windowMs: HOUR_MS },
  uploadsOfAccount: { max: UPLOADS_PER_DAY, windowMs: DAY_MS },
  /** Links to ZIPs of bought documents. */
  archivesOfAccount: { max: 30, windowMs: HOUR_MS },
  /** Repeated requests for the link that confirms an address. */
  confirmationLinksOfAccount: { max: 5, windowMs: DAY_MS },
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
  /** Counted over all instances. */
  chatMessagesOfUser: { max: CHAT_MESSAGES_PER_MINUTE, windowMs: MINUTE_MS },
  /** Queries to the gateway about unknown references, of all callers together. */
  unknownReferences: { max: 120, windowMs: MINUTE_MS },
} satisfies Record<string, Allowance>

export type Allowances = Readonly<Record<keyof typeof ALLOWANCES, Allowance>>

interface Rule {
  readonly ofSubject?: keyof Allowances
  readonly ofAddress?: keyof Allowances
  /** For one subject from one address. */
  readonly ofBoth?: keyof Allowances
  /** Replaces `too_many_requests`. */
  readonly refusal?: ErrorCode
}

/** What is counted, and the allowances that apply. */
const COUNTED = {
  logIn: {
    ofSubject: 'logInsOfAccount',
    ofBoth: 'logInsOfAccountAndAddress',
    ofAddress: 'logInsOfAddress',
  },
  secondFactor: { ofSubject: 'codesOfAccount' },
  join: { ofSubject: 'joinRequestsOfEmail', ofAddress: 'joinRequestsOfAddress' },
  register: { ofAddress: 'registrationsOfAddress' },
  resetLink: { ofSubject: 'resetLinksOfAccount', ofAddress: 'resetsOfAddress' },
  confirmationLink: { ofSubject: 'confirmationLinksOfAccount', ofAddress: 'resetsOfAddress' },
  /** An attempt with a token. */
  reset: { ofAddress: 'resetsOfAddress' },
  profile: { ofSubject: 'profileSavesOfAccount' },
  archive: { ofSubject: 'archivesOfAccount' },
  answer: { ofSubject: 'answersOfTeacher' },
  reading: { ofSubject: 'readingsOfAccount' },
  place: { ofSubject: 'placesOfAccount' },
  find: { ofSubject: 'findsOfAccount' },
  upload: { ofSubject: 'uploadsOfAccount', refusal: 'too_many_uploads_today' },
} satisfies Record<string, Rule>
type Counted = keyof typeof COUNTED

/** The limits for the caller of a route. */
export type Limits = ReturnType<ReturnType<typeof createLimits>>

/** The limits of a server, kept in its memory. */
export function createLimits(now: () => number, allowances: Allowances) {
  const attempts = createAttempts(now)
  return (reply: FastifyReply) => {
    const { ip } = reply.request
    // Requests from this machine are not limited by address: they may come from a proxy that names
    // no client.
    const address = isLocal(ip) ? null : addressKey(ip)
    return {
      /**
       * Counts an attempt of an account or e-mail address, and of the client's address, against
       * their allowances. Call the result if the attempt was legitimate.
       */
      count(what: Counted, subject: string | number = ''): () => void {
        const { ofSubject, ofBoth, ofAddress, refusal = 'too_many_requests' }: Rule = COUNTED[what]
        const wanted = [
          [ofSubject, subject],
          [ofBoth, `${subject} ${address}`],
          [address ? ofAddress : undefined, address],
        ] as const
        const taken: string[] = []
        const giveBack = () => {
          for (const key of taken) attempts.giveBack(key)
        }
        for (const [name, counted] of wanted) {
          if (!name) continue
          const key = `${name} ${counted}`
          const retryAfter = attempts.take(key, allowances[name])
          if (retryAfter > 0) {
            giveBack()
            throw fault(refusal, { retryAfter })
          }
          taken.push(key)
        }
        return giveBack
      },
      /** Counts a query to the gateway about an unknown reference; false if there were too many. */
      mayLookUpReference: (): boolean =>
        attempts.take('unknown reference', allowances.unknownReferences) === 0,
      /** Counted by the database, since several instances receive a user's messages. */
      chatMessages: allowances.chatMessagesOfUser,
    }
  }
}

/**
 * The key of a client's address: for IPv6 only the /64, which belongs to one household or server.
 * The address of a connection that was cut before its request was read is unknown, and counts as
 * ''.
 */
export function addressKey(ip: string | undefined): string {
  return normalizeIP(ip ?? '', 64)
}

/** Whether a request comes from this machine, unless a proxy names another client. */
export function isLocal(ip: string): boolean {
  return ip === '::1' || /^(::ffff:)?127\./.test(ip)
}
