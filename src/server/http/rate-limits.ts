import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply } from 'fastify'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../rules/durations.ts'
import { PROFILE_SAVES_PER_HOUR } from '../../rules/teacher-profile.ts'
import { UPLOADS_PER_DAY } from '../../rules/uploads.ts'
import { type Allowance, type Attempts, createAttempts } from './attempt-counter.ts'
import { fault } from './errors.ts'

/** Chat messages a minute of one user. */
export const CHAT_MESSAGES_PER_MINUTE = 30

/** The body of a JSON call, in bytes. */
export const JSON_BODY_MAX_BYTES = 64 * 1024

/** What one address, or one account, may do in a window of time. */
export const ALLOWANCES = {
  /** Calls of any kind. A mobile network puts hundreds of people behind one address. */
  calls: { max: 1200, windowMs: MINUTE_MS },
  /** Wrong passwords from one address, whatever the accounts. */
  logInsOfAddress: { max: 100, windowMs: 15 * MINUTE_MS },
  logInsOfAccountAndAddress: { max: 10, windowMs: 15 * MINUTE_MS },
  /** From everywhere; wide, since it locks out the owner too. */
  logInsOfAccount: { max: 100, windowMs: 15 * MINUTE_MS },
  /** Of a second factor, from everywhere: whoever gets this far knows the password. */
  codesOfAccount: { max: 10, windowMs: HOUR_MS },
  registrationsOfAddress: { max: 60, windowMs: HOUR_MS },
  /** Requests to join as a teacher. */
  joinRequestsOfAddress: { max: 20, windowMs: HOUR_MS },
  joinRequestsOfEmail: { max: 3, windowMs: DAY_MS },
  /** From everywhere, so that nobody's mailbox is flooded. */
  resetLinksOfAccount: { max: 10, windowMs: HOUR_MS },
  profileSavesOfAccount: { max: PROFILE_SAVES_PER_HOUR, windowMs: HOUR_MS },
  uploadsOfAccount: { max: UPLOADS_PER_DAY, windowMs: DAY_MS },
  /** Links to confirm an address that are asked for again. */
  confirmationLinksOfAccount: { max: 5, windowMs: DAY_MS },
  /** Links that are asked for and tokens that are tried. */
  resetsOfAddress: { max: 100, windowMs: 15 * MINUTE_MS },
  /** Answers to ratings that a teacher writes, changes and takes back. */
  answersOfTeacher: { max: 200, windowMs: HOUR_MS },
  /** Over all instances. */
  chatMessagesOfUser: { max: CHAT_MESSAGES_PER_MINUTE, windowMs: MINUTE_MS },
  /** Looks at the gateway for references that we do not know, whoever sends them. */
  unknownReferences: { max: 120, windowMs: MINUTE_MS },
} satisfies Record<string, Allowance>

export type Allowances = Readonly<Record<keyof typeof ALLOWANCES, Allowance>>

/** The limits as one route sees them, for the caller at hand. */
export type Limits = ReturnType<ReturnType<typeof createLimits>>

/** The limits of one server, kept in its memory. What counts throws `too_many_requests`. */
export function createLimits(now: () => number, allowances: Allowances) {
  const attempts = createAttempts(now)
  return (reply: FastifyReply) => {
    const { ip } = reply.request
    // Whoever is on this machine needs no guesses; a proxy here that names no client is everybody.
    const address = isLocal(ip) ? null : addressKey(ip)
    const ofAddress = (name: string, allowance: Allowance): Wanted[] =>
      address ? [[`${name} ${address}`, allowance]] : []
    return {
      /** Counts a try to log in; call the result when it was no attack. */
      logIn: (account: string): (() => void) =>
        takeAll(attempts, [
          [`account ${account}`, allowances.logInsOfAccount],
          [`account ${account} ${address}`, allowances.logInsOfAccountAndAddress],
          ...ofAddress('address', allowances.logInsOfAddress),
        ]),
      /** Counts a code of a second factor. Call the answer when it was right. */
      secondFactor: (userId: number): (() => void) =>
        takeAll(attempts, [[`code ${userId}`, allowances.codesOfAccount]]),
      join: (email: string): void =>
        void takeAll(attempts, [
          [`join ${email.toLowerCase()}`, allowances.joinRequestsOfEmail],
          ...ofAddress('join', allowances.joinRequestsOfAddress),
        ]),
      register: (): void =>
        void takeAll(attempts, ofAddress('register', allowances.registrationsOfAddress)),
      /** Counts a link to reset an account's password. */
      resetLink: (account: string): void =>
        void takeAll(attempts, [
          [`reset link ${account}`, allowances.resetLinksOfAccount],
          ...ofAddress('reset', allowances.resetsOfAddress),
        ]),
      /** Counts a link to confirm an account's address. */
      confirmationLink: (userId: number): void =>
        void takeAll(attempts, [
          [`confirmation link ${userId}`, allowances.confirmationLinksOfAccount],
          ...ofAddress('reset', allowances.resetsOfAddress),
        ]),
      /** Counts a save of a teacher's profile. */
      saveProfile: (userId: number): void =>
        void takeAll(attempts, [[`profile ${userId}`, allowances.profileSavesOfAccount]]),
      /** Counts a change of an answer to a rating. */
      answer: (teacherId: number): void =>
        void takeAll(attempts, [[`answer ${teacherId}`, allowances.answersOfTeacher]]),
      /** Counts an upload that is opened; throws `too_many_uploads_today`. */
      openUpload: (userId: number): void =>
        void takeAll(
          attempts,
          [[`upload ${userId}`, allowances.uploadsOfAccount]],
          'too_many_uploads_today',
        ),
      /** Counts a token that is tried. */
      reset: (): void => void takeAll(attempts, ofAddress('reset', allowances.resetsOfAddress)),
      /** Counts a look at the gateway for an unknown reference; false when there were too many. */
      mayLookUpReference: (): boolean =>
        attempts.take('unknown reference', allowances.unknownReferences) === 0,
      /** What the database counts, since many instances take a user's messages. */
      chatMessages: allowances.chatMessagesOfUser,
    }
  }
}

type Wanted = readonly [key: string, allowance: Allowance]

function takeAll(
  attempts: Attempts,
  wanted: readonly Wanted[],
  refusal: 'too_many_requests' | 'too_many_uploads_today' = 'too_many_requests',
): () => void {
  const taken: string[] = []
  const giveBack = () => {
    for (const key of taken) attempts.giveBack(key)
  }
  for (const [key, allowance] of wanted) {
    const retryAfter = attempts.take(key, allowance)
    if (retryAfter > 0) {
      giveBack()
      throw fault(refusal, { retryAfter })
    }
    taken.push(key)
  }
  return giveBack
}

/**
 * A caller by address: IPv6 by its /64, which one household or server has to itself. Of a connection
 * that is cut before its request is looked at nobody knows the address any more.
 */
export function addressKey(ip: string | undefined): string {
  return normalizeIP(ip ?? '', 64)
}

/** Whether a request comes from this very machine, with no proxy having said otherwise. */
export function isLocal(ip: string): boolean {
  return ip === '::1' || /^(::ffff:)?127\./.test(ip)
}
