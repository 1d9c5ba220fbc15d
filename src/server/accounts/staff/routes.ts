import * as contract from '../../../contract/office-access.ts'
import { fullName } from '../../../rules/full-name.ts'
import { readCode } from '../../../rules/sms.ts'
import { isApproved } from '../../database/sql-parts.ts'
import { fault } from '../../http/errors.ts'
import { lacksSecondFactor, needsSecondFactor } from '../../http/policies.ts'
import { originOf, type Route, route } from '../../http/route.ts'
import * as invitations from './accept-invitation.ts'
import * as joining from './join-requests.ts'
import {
  changeOwnPassword,
  endAllSessions,
  logInToOffice,
  renewToken,
  requireProof,
} from './office-log-in.ts'
import * as factors from './second-factors.ts'

export const officeAccessRoutes: Route[] = [
  route(contract.officeLogIn, async ({ input, deps, limits, reply }) => {
    const { username, password, code = null, locale = null } = input.body
    const given = { username, password, code, locale, from: originOf(reply) }
    return { accessToken: await logInToOffice(deps, limits, given) }
  }),
  route(contract.getStaff, async ({ user, deps }) => {
    const { firstName, lastName, email } = await deps.database.kysely
      .selectFrom('users')
      .select(['firstName', 'lastName', 'email'])
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    return {
      userId: user.id,
      role: user.role === 'ADMIN' ? ('ADMIN' as const) : ('TEACHER' as const),
      name: fullName({ firstName, lastName }),
      email: email ?? '',
      teacherId: user.teacherId,
      lacksSecondFactor: lacksSecondFactor(user, deps.config),
      isApproved:
        user.teacherId === null || (await isApproved(deps.database.kysely, user.teacherId)),
    }
  }),
  route(contract.changeOfficePassword, async ({ input, user, deps, limits, reply }) => {
    const generation = await changeOwnPassword(deps, limits, user.id, input.body)
    return { accessToken: await renewToken(deps, user, generation, originOf(reply)) }
  }),
  route(contract.endOtherSessions, async ({ user, deps, reply }) => {
    const generation = await endAllSessions(deps, user.id)
    return { accessToken: await renewToken(deps, user, generation, originOf(reply)) }
  }),

  route(contract.getSecondFactor, async ({ user, deps }) => ({
    ...(await factors.readSecondFactor(deps.database, user.id)),
    isNeeded: needsSecondFactor(user.role, deps.config),
  })),
  route(contract.startSecondFactor, async ({ input, user, deps, limits }) => {
    await requireProof(deps, limits, user.id, input.body)
    return factors.startSecondFactor(deps, user.id)
  }),
  route(contract.confirmSecondFactor, async ({ input, user, deps, limits, reply }) => {
    const giveBackAttempt = await limits.count('secondFactor', user.id)
    const on = await factors.confirmSecondFactor(deps, user.id, input.body.code)
    await giveBackAttempt()
    const twice = { ...user, factors: 2 as const }
    const accessToken = await renewToken(deps, twice, on.generation, originOf(reply))
    return { accessToken, recoveryCodes: on.recoveryCodes }
  }),
  route(contract.renewRecoveryCodes, async ({ input, user, deps, limits }) => {
    const { isOn } = await factors.readSecondFactor(deps.database, user.id)
    if (!isOn) throw fault('second_factor_off')
    await requireProof(deps, limits, user.id, input.body)
    return { recoveryCodes: await factors.renewRecoveryCodes(deps, user.id) }
  }),
  route(contract.turnOffSecondFactor, async ({ input, user, deps, limits }) => {
    if (needsSecondFactor(user.role, deps.config)) throw fault('second_factor_needed')
    await requireProof(deps, limits, user.id, input.body)
    if (!(await factors.turnOffSecondFactor(deps, user.id))) throw fault('second_factor_off')
  }),

  route(contract.readInvitation, async ({ input, deps, limits }) => {
    await limits.count('reset')
    return invitations.readInvitation(deps, input.body.token)
  }),
  route(contract.acceptInvitation, async ({ input, deps, limits, reply }) => {
    await limits.count('reset')
    const { locale = null, ...acceptance } = input.body
    const accepted = { ...acceptance, locale, turn: limits.turn, from: originOf(reply) }
    return { accessToken: await invitations.acceptInvitation(deps, accepted) }
  }),
  route(contract.askToJoin, async ({ input, deps, limits }) => {
    const request = await joining.askToJoin(deps, limits, input.body)
    return { status: 'SENT' as const, ...(request !== null && { request }) }
  }),
  route(contract.confirmJoining, async ({ input, deps, limits, reply }) => {
    await limits.count('reset')
    const giveBack = await limits.count('openTeacher')
    const { token, password, code, locale = null } = input.body
    const given = { token, password, code: code ? readCode(code) : null, locale }
    try {
      const opening = { ...given, turn: limits.turn, from: originOf(reply) }
      return { accessToken: await joining.confirmJoining(deps, opening) }
    } catch (error) {
      // Only accounts that were opened count.
      await giveBack()
      throw error
    }
  }),
]
