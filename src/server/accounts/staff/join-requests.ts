import type { JoinRequest } from '../../../contract/office-access.ts'
import * as contract from '../../../contract/office-joining.ts'
import { DEFAULT_LOCALE } from '../../../i18n/locales.ts'
import { DAY_MS } from '../../../rules/durations.ts'
import type { JoiningDecision } from '../../../rules/roles.ts'
import { normalisePhone } from '../../../rules/typed-numbers.ts'
import type { Database } from '../../database/pool.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'
import { enqueueMail } from '../../mail/mail.ts'
import { doneBefore, logStaff } from '../../staff-log/staff-log.ts'
import { hashLinkToken } from '../link-token.ts'
import { foldEmail } from '../log-in.ts'
import { type Invited, inviteWithin } from './invitations.ts'

/** How long a request waits for its e-mail address to be confirmed; then it is deleted. */
export const JOIN_CONFIRMATION_LIFETIME_MS = 3 * DAY_MS

/**
 * Stores a request and mails its address a link that confirms it, so that nobody applies for
 * others. Each request is a separate row, so that nobody can change another's.
 */
export function askToJoin(
  { database, jobs, now }: Pick<Deps, 'database' | 'jobs' | 'now'>,
  { email, phone, locale, ...answers }: JoinRequest,
): Promise<void> {
  return transaction(database, async (tx) => {
    const { id } = await tx
      .insertInto('joinRequests')
      .values({
        ...answers,
        email: foldEmail(email),
        phone: normalisePhone(phone) ?? '',
        locale: locale ?? DEFAULT_LOCALE,
        tokenHash: null,
        askedAt: new Date(now()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueueMail(tx, jobs, 'join_confirmation', { requestId: id })
  })
}

/**
 * Confirms the address of a request; false if it was confirmed before, or another request of the
 * address is already waiting for an answer. Throws `invalid_confirmation_token`.
 */
export function confirmJoining(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  token: string,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const request = await tx
      .selectFrom('joinRequests')
      .select(['id', 'email', 'askedAt', 'confirmedAt'])
      .where('tokenHash', '=', hashLinkToken(token))
      .forUpdate()
      .executeTakeFirst()
    if (request?.confirmedAt) return false
    const tooOld = now() - JOIN_CONFIRMATION_LIFETIME_MS
    if (!request || request.askedAt.getTime() < tooOld) throw fault('invalid_confirmation_token')
    const waiting = await tx
      .selectFrom('joinRequests')
      .select('id')
      .where('email', '=', request.email)
      .where('confirmedAt', 'is not', null)
      .where('decidedAt', 'is', null)
      .executeTakeFirst()
    if (waiting) return false
    await tx
      .updateTable('joinRequests')
      .set({ confirmedAt: new Date(now()) })
      .where('id', '=', request.id)
      .execute()
    return true
  })
}

export function listJoinRequests({ kysely }: Pick<Database, 'kysely'>) {
  return kysely
    .selectFrom('joinRequests')
    .select(['id', 'email', 'phone', 'firstName', 'lastName', 'subjects', 'message'])
    .select(['locale', 'confirmedAt'])
    .where('confirmedAt', 'is not', null)
    .where('decidedAt', 'is', null)
    .orderBy('confirmedAt')
    .orderBy('id')
    .execute()
}

interface Decided {
  readonly id: number
  readonly actor: string
}

/**
 * Accepts a request: invites the applicant by mail. Throws `join_request_not_found`, `done_before`,
 * `email_of_other_role`, `invited_is_blocked`.
 */
export function acceptJoinRequest(
  deps: Pick<Deps, 'database' | 'jobs' | 'config' | 'now'>,
  { id, actor }: Decided,
): Promise<Invited & { email: string }> {
  return transaction(deps.database, async (tx) => {
    const request = await decide(tx, deps.now(), { id, decision: 'accepted', reason: null })
    const { email, firstName, lastName, locale } = request
    const invitation = { role: 'TEACHER', email, firstName, lastName, locale, actor } as const
    const invited = await inviteWithin(tx, deps, invitation)
    await enqueueMail(tx, deps.jobs, 'staff_invitation', { userId: invited.userId })
    await logStaff(tx, { actor, action: ACCEPT, subject: subjectOf(id) })
    return { ...invited, email }
  })
}

/**
 * Refuses a request with a mail that states the reason. Throws `join_request_not_found`,
 * `done_before`.
 */
export function refuseJoinRequest(
  { database, jobs, now }: Pick<Deps, 'database' | 'jobs' | 'now'>,
  { id, actor, reason }: Decided & { reason: string },
): Promise<{ email: string }> {
  return transaction(database, async (tx) => {
    const { email } = await decide(tx, now(), { id, decision: 'refused', reason })
    await enqueueMail(tx, jobs, 'join_refused', { requestId: id })
    await logStaff(tx, { actor, action: REFUSE, subject: subjectOf(id), reason })
    return { email }
  })
}

interface Decision {
  readonly id: number
  readonly decision: JoiningDecision
  readonly reason: string | null
}

const ACCEPT = 'accept teacher'
const REFUSE = 'refuse teacher'

const subjectOf = (id: number) => ({ kind: 'join request', id })

/**
 * Decides a waiting request, once: a second decision throws `done_before`, which names who made the
 * first.
 */
async function decide(tx: Tx, now: number, { id, decision, reason }: Decision) {
  const request = await tx
    .updateTable('joinRequests')
    .set({ decision, reason, decidedAt: new Date(now) })
    .where('id', '=', id)
    .where('confirmedAt', 'is not', null)
    .where('decidedAt', 'is', null)
    .returning(['email', 'firstName', 'lastName', 'locale'])
    .executeTakeFirst()
  if (request) return request
  const done = await doneBefore(tx, { subject: subjectOf(id), actions: [ACCEPT, REFUSE] })
  throw done ?? fault('join_request_not_found')
}

/** How many requests are shown at once. */
const SHOWN = 50

export const joiningRoutes: Route[] = [
  route(contract.listJoinRequests, async ({ deps }) => {
    const requests = await listJoinRequests(deps.database)
    return {
      requests: requests.slice(0, SHOWN).map(({ confirmedAt, ...request }) => ({
        ...request,
        confirmedAt: (confirmedAt ?? new Date(deps.now())).toISOString(),
      })),
      total: requests.length,
    }
  }),
  route(contract.acceptJoinRequest, async ({ input, user, deps }) => {
    await acceptJoinRequest(deps, { id: input.params.id, actor: user.actor })
  }),
  route(contract.refuseJoinRequest, async ({ input, user, deps }) => {
    const { reason } = input.body
    await refuseJoinRequest(deps, { id: input.params.id, actor: user.actor, reason })
  }),
]
