import { sql } from 'kysely'
import * as contract from '../../contract/office-joining.ts'
import { DAY_MS } from '../../rules/durations.ts'
import { DELETION_DAYS } from '../../rules/own-data.ts'
import { TEACHERS_TAG, teacherTag } from '../../rules/page-tags.ts'
import type { JoiningDecision } from '../../rules/roles.ts'
import { blockWithin, inviteWithin } from '../accounts/accounts.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { withdraw } from '../documents/documents.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { enqueueMail } from '../mail/mail.ts'
import { deleteQuietly } from '../own-data/own-data.ts'
import { changePages } from '../publishing/publishing.ts'
import { doneBefore, logStaff } from '../staff-log/staff-log.ts'

/** How many are shown at once. */
const SHOWN = 50

/** Teachers who opened an account at "sell with us", and wait for an administrator's approval. */
export const joiningRoutes: Route[] = [
  route(contract.listJoinRequests, async ({ deps }) => {
    const requests = await listJoinRequests(deps)
    return { requests: requests.slice(0, SHOWN), total: requests.length }
  }),
  route(contract.acceptJoinRequest, ({ input, user, deps }) =>
    acceptJoinRequest(deps, { id: input.params.id, actor: user.actor }),
  ),
  route(contract.refuseJoinRequest, ({ input, user, deps }) => {
    const { reason } = input.body
    return refuseJoinRequest(deps, { id: input.params.id, actor: user.actor, reason })
  }),
]

async function listJoinRequests({ database, now }: Pick<Deps, 'database' | 'now'>) {
  const rows = await database.kysely
    .selectFrom('joinRequests')
    .select(['id', 'userId', 'email', 'phone', 'firstName', 'lastName', 'subjects', 'message'])
    .select(['locale', 'confirmedAt'])
    .select(
      sql<number>`(SELECT count(*)::integer FROM documents d JOIN teachers t ON t.id = d.teacher_id
        WHERE t.user_id = join_requests.user_id AND d.state = 'submitted')`.as('submitted'),
    )
    .where('confirmedAt', 'is not', null)
    .where('decidedAt', 'is', null)
    .orderBy('confirmedAt')
    .orderBy('id')
    .execute()
  return rows.map(({ confirmedAt, ...row }) => ({
    ...row,
    confirmedAt: (confirmedAt ?? new Date(now())).toISOString(),
  }))
}

interface Decided {
  readonly id: number
  readonly actor: string
}

/**
 * Approves a teacher's account, who is told; one who asked in an earlier version is invited. Throws
 * `join_request_not_found`, `done_before`, `email_of_other_role`, `invited_is_blocked`.
 */
function acceptJoinRequest(deps: Deps, { id, actor }: Decided): Promise<void> {
  return changePages(deps, async (tx, markStale) => {
    const request = await decide(tx, deps.now(), { id, decision: 'accepted', reason: null })
    const { userId, email, firstName, lastName, locale } = request
    if (userId !== null) {
      const approved = await tx
        .updateTable('teachers')
        .set({ approvedAt: new Date(deps.now()) })
        .where('userId', '=', userId)
        .returning('id')
        .execute()
      markStale([TEACHERS_TAG, ...approved.map((teacher) => teacherTag(teacher.id))])
      await enqueueMail(tx, deps.jobs, 'join_accepted', { requestId: id })
    } else if (email !== null) {
      const invitation = { role: 'TEACHER', email, firstName, lastName, locale, actor } as const
      const invited = await inviteWithin(tx, deps, invitation)
      await enqueueMail(tx, deps.jobs, 'staff_invitation', { userId: invited.userId })
    }
    await logStaff(tx, { actor, action: ACCEPT, subject: subjectOf(id) })
  })
}

/**
 * Refuses a teacher, who is told why. The account is blocked at once, its documents leave the
 * review, and it is deleted like any other some days later. Throws `join_request_not_found`,
 * `done_before`, and `teacher_has_published`: what customers have bought is no newcomer's.
 */
async function refuseJoinRequest(
  deps: Deps,
  { id, actor, reason }: Decided & { reason: string },
): Promise<void> {
  const submitted = await changePages(deps, async (tx) => {
    const { userId } = await decide(tx, deps.now(), { id, decision: 'refused', reason })
    await enqueueMail(tx, deps.jobs, 'join_refused', { requestId: id })
    await logStaff(tx, { actor, action: REFUSE, subject: subjectOf(id), reason })
    if (userId === null) return []
    const documents = await tx
      .selectFrom('documents')
      .innerJoin('teachers', 'teachers.id', 'teacherId')
      .select(['documents.id', 'state', 'firstPublishedAt'])
      .where('userId', '=', userId)
      .orderBy('documents.id')
      .execute()
    if (documents.some(({ firstPublishedAt }) => firstPublishedAt)) {
      throw fault('teacher_has_published')
    }
    await blockWithin(tx, deps, { userId, actor, reason })
    await deleteQuietly(tx, { userId, actor, at: deps.now(), dueIn: DELETION_DAYS * DAY_MS })
    return documents.filter(({ state }) => state === 'submitted')
  })
  // Each under its own lock, after the account can submit no more.
  for (const document of submitted) {
    const of = { id: document.id, editor: { actor } }
    await withdraw(deps, of).catch(() => {}) // a reviewer was first
  }
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
    .returning(['userId', 'email', 'firstName', 'lastName', 'locale'])
    .executeTakeFirst()
  if (request) return request
  const done = await doneBefore(tx, { subject: subjectOf(id), actions: [ACCEPT, REFUSE] })
  throw done ?? fault('join_request_not_found')
}
