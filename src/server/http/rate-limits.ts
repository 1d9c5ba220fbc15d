import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply } from 'fastify'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../rules/durations.ts'
import { type Allowance, type Attempts, createAttempts } from './attempt-counter.ts'
import { fault } from './errors.ts'

/** Chat messages a minute of one user. */
export const CHAT_MESSAGES_PER_MINUTE = 30

/** The body of a JSON call, in bytes. */
export const JSON_BODY_MAX_BYTES = 64 * 1024

/** What one address, or one account, may do in a window of time. */
export interface Allowances {
  /** Calls of any kind. A mobile network puts hundreds of people behind one address. */
  readonly calls: Allowance
  /** Wrong passwords from one address, whatever the accounts. */
  readonly logInsOfAddress: Allowance
  /** Wrong passwords for one account from one address. */
  readonly logInsOfAccountAndAddress: Allowance
  /** Wrong passwords for one account from everywhere; wide, since it locks out its owner too. */
  readonly logInsOfAccount: Allowance
  readonly registrationsOfAddress: Allowance
  /** Links to reset the password of one account, from everywhere: nobody's mailbox is flooded. */
  readonly resetLinksOfAccount: Allowance
  /** Links to confirm the address of one account, asked for again. */
  readonly confirmationLinksOfAccount: Allowance
  /** Links of mails asked for and their tokens tried, from one address. */
  readonly resetsOfAddress: Allowance
  /** Chat messages of one user, over all instances. */
  readonly chatMessagesOfUser: Allowance
  /** Looks at the gateway for references that we do not know, whoever sends them. */
  readonly unknownReferences: Allowance
}

export const ALLOWANCES: Allowances = {
  calls: { max: 1200, windowMs: MINUTE_MS },
  logInsOfAddress: { max: 100, windowMs: 15 * MINUTE_MS },
  logInsOfAccountAndAddress: { max: 10, windowMs: 15 * MINUTE_MS },
  logInsOfAccount: { max: 100, windowMs: 15 * MINUTE_MS },
  registrationsOfAddress: { max: 60, windowMs: HOUR_MS },
  resetLinksOfAccount: { max: 10, windowMs: HOUR_MS },
  confirmationLinksOfAccount: { max: 5, windowMs: DAY_MS },
  resetsOfAddress: { max: 100, windowMs: 15 * MINUTE_MS },
  chatMessagesOfUser: { max: CHAT_MESSAGES_PER_MINUTE, windowMs: MINUTE_MS },
  unknownReferences: { max: 120, windowMs: MINUTE_MS },
}

/** The limits as one route sees them, for the caller at hand. */
export interface Limits {
  /** Counts a try to log in; throws `too_many_requests`. Call the answer when it was no attack. */
  logIn(account: string): () => void
  /** Counts a registration; throws `too_many_requests`. */
  register(): void
  /** Counts a link to reset an account's password; throws `too_many_requests`. */
  resetLink(account: string): void
  /** Counts a link to confirm an account's address; throws `too_many_requests`. */
  confirmationLink(userId: number): void
  /** Counts a token that is tried; throws `too_many_requests`. */
  reset(): void
  /** What the database counts, since many instances take a user's messages. */
  readonly chatMessages: Allowance
  /** Counts a look at the gateway for an unknown reference; false when there were too many. */
  mayLookUpReference(): boolean
}

/** The limits of one server, kept in its memory. */
export function createLimits(
  now: () => number,
  allowances: Allowances,
): (reply: FastifyReply) => Limits {
  const attempts = createAttempts(now)
  return (reply) => {
    const { ip } = reply.request
    // Whoever is on this machine needs no guesses; a proxy here that names no client is everybody.
    const address = isLocal(ip) ? null : addressKey(ip)
    return {
      logIn: (account) =>
        takeAll(attempts, [
          [`account ${account}`, allowances.logInsOfAccount],
          [`account ${account} ${address}`, allowances.logInsOfAccountAndAddress],
          ...(address ? [[`address ${address}`, allowances.logInsOfAddress] as const] : []),
        ]),
      register: () => {
        if (address) {
          takeAll(attempts, [[`register ${address}`, allowances.registrationsOfAddress]])
        }
      },
      resetLink: (account) => {
        takeAll(attempts, [
          [`reset link ${account}`, allowances.resetLinksOfAccount],
          ...(address ? [[`reset ${address}`, allowances.resetsOfAddress] as const] : []),
        ])
      },
      confirmationLink: (userId) => {
        takeAll(attempts, [
          [`confirmation link ${userId}`, allowances.confirmationLinksOfAccount],
          ...(address ? [[`reset ${address}`, allowances.resetsOfAddress] as const] : []),
        ])
      },
      mayLookUpReference: () =>
        attempts.take('unknown reference', allowances.unknownReferences) === 0,
      reset: () => {
        if (address) takeAll(attempts, [[`reset ${address}`, allowances.resetsOfAddress]])
      },
      chatMessages: allowances.chatMessagesOfUser,
    }
  }
}

function takeAll(
  attempts: Attempts,
  wanted: readonly (readonly [string, Allowance])[],
): () => void {
  const taken: string[] = []
  const giveBack = () => {
    for (const key of taken) attempts.giveBack(key)
  }
  for (const [key, allowance] of wanted) {
    const retryAfter = attempts.take(key, allowance)
    if (retryAfter > 0) {
      giveBack()
      throw fault('too_many_requests', { retryAfter })
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
