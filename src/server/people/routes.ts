import type { ErrorCode } from '../../contract/errors.ts'
import * as merging from '../../contract/office-people.ts'
import * as contract from '../../contract/office-people.ts'
import type { StaffActionName } from '../../rules/office-actions.ts'
import {
  blockUser,
  endAllSessions,
  inviteAgain,
  resetSecondFactor,
  sendResetLink,
  unblockUser,
  withdrawInvitation,
} from '../accounts/accounts.ts'
import type { Database } from '../database/pool.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { pageOf, type Route, route } from '../http/route.ts'
import { actingOf } from '../money/money.ts'
import { doneBefore, logSight, userActor, userSubject } from '../staff-log/staff-log.ts'
import { findPeople, findPerson, presentPerson } from './find-people.ts'
import { mergeAccounts, previewMerge } from './merge.ts'
import { readPerson } from './read-person.ts'
import { invite, readOutCode } from './with-a-second.ts'

export const peopleRoutes: Route[] = [
  route(contract.listPeople, async ({ input, deps }) => {
    const { rows, ...at } = await findPeople(deps.database, input.query)
    return pageOf(rows.map(presentPerson), at)
  }),
  route(contract.getPerson, async ({ input, user, deps }) => {
    const { id } = input.params
    const view = await readPerson(deps, id)
    if (id !== user.id) {
      await logSight(deps, user.actor, id)
    }
    return view
  }),
  route(contract.blockPerson, async ({ input, user, deps }) => {
    const { id: userId } = input.params
    const by = { userId, actor: user.actor, reason: input.body.reason }
    if (!(await blockUser(deps, by))) throw await refusal(deps.database, userId, 'block')
  }),
  route(contract.unblockPerson, async ({ input, user, deps }) => {
    const { id: userId } = input.params
    const by = { userId, actor: user.actor, reason: input.body.reason }
    if (!(await unblockUser(deps, by))) {
      throw await refusal(deps.database, userId, 'unblock', 'account_not_blocked')
    }
  }),
  route(contract.endSessionsOf, async ({ input, user, deps }) => {
    const { id } = input.params
    if (id === user.id) throw fault('own_account')
    if (!(await findPerson(deps.database.kysely, { id }))) throw fault('user_not_found')
    await endAllSessions(deps, id, user.actor)
  }),
  route(contract.sendPasswordLink, async ({ input, user, deps, limits }) => {
    const { id: userId } = input.params
    await limits.count('resetLink', userActor(userId))
    await sendResetLink(deps, { userId, actor: user.actor })
  }),
  route(contract.readOutCode, async ({ input, user, deps, limits }) => {
    const { id: userId } = input.params
    await limits.count('resetLink', userActor(userId))
    return readOutCode(deps, { userId, reason: input.body.reason }, { actor: user.actor })
  }),
  route(contract.resetSecondFactorOf, async ({ input, user, deps }) => {
    const { id: userId } = input.params
    if (userId === user.id) throw fault('own_account')
    const by = { userId, actor: user.actor, reason: input.body.reason }
    if (!(await resetSecondFactor(deps, by))) {
      throw await refusal(deps.database, userId, 'reset second factor', 'no_second_factor')
    }
  }),

  route(contract.invitePerson, async ({ input, user, deps }) => {
    const { reason, ...invitation } = input.body
    if (invitation.role === 'ADMIN' && reason === undefined) {
      throw fault('invalid_input', { fields: { reason: 'required' } })
    }
    return invite(deps, { ...invitation, reason: reason ?? '' }, { actor: user.actor })
  }),
  route(contract.inviteAgain, ({ input, user, deps }) =>
    inviteAgain(deps, { userId: input.params.id, actor: user.actor }),
  ),
  route(contract.withdrawInvitation, ({ input, user, deps }) =>
    withdrawInvitation(deps, { userId: input.params.id, actor: user.actor }),
  ),

  route(merging.previewMerge, async ({ input, user, deps }) => {
    const ids = { fromId: input.query.from, intoId: input.params.id }
    const preview = await previewMerge(deps.database, ids)
    for (const id of [ids.fromId, ids.intoId]) {
      await logSight(deps, user.actor, id)
    }
    return preview
  }),
  route(merging.mergePeople, ({ input, user, key, deps }) => {
    const acting = actingOf(merging.mergePeople, { user, key, input })
    return mergeAccounts(deps, { ...input.body, intoId: input.params.id }, acting)
  }),
]

/**
 * The fault for a call that changed nothing: `done_before` if somebody else did the same first,
 * `user_not_found` for an unknown account, else `code`.
 */
async function refusal(
  { kysely }: Database,
  id: number,
  action: StaffActionName,
  code: ErrorCode = 'user_not_found',
): Promise<ApiFault> {
  if (!(await findPerson(kysely, { id }))) return fault('user_not_found')
  const subject = userSubject(id)
  return (await doneBefore(kysely, { subject, actions: [action] })) ?? fault(code)
}
