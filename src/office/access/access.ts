import type { JoinRequest } from '../../contract/office-access.ts'
import * as officeAccess from '../../contract/office-access.ts'
import type { Language } from '../../rules/languages.ts'
import type { StaffRole } from '../../rules/roles.ts'
import { type Problem, problemOf } from '../../stores/shared/problem.ts'
import { ask } from '../kit/backend.ts'
import { startOfficeSession } from '../kit/session.ts'

/** The result of a log-in; `code`: the password is right, but a second factor is required. */
type OfficeLogInOutcome =
  | { kind: 'welcome'; lacksSecondFactor: boolean }
  | { kind: 'code' }
  | { kind: 'refused'; problem: Problem }

/** Logs in to the office. `code` is null until the server has asked for one. */
export async function logInToOffice(
  given: { username: string; password: string; code: string | null },
  locale: Language,
): Promise<OfficeLogInOutcome> {
  try {
    const { accessToken } = await ask(officeAccess.officeLogIn, {
      body: { ...given, username: given.username.trim(), locale },
    })
    if (accessToken === null) return { kind: 'code' }
    startOfficeSession(accessToken)
    const { lacksSecondFactor } = await ask(officeAccess.getStaff, {})
    return { kind: 'welcome', lacksSecondFactor }
  } catch (error) {
    return { kind: 'refused', problem: problemOf(error) }
  }
}

/** The invited person. */
export interface Invitation {
  email: string
  role: StaffRole
  firstName: string
  lastName: string
}

export async function readInvitation(token: string): Promise<Invitation | Problem> {
  try {
    return await ask(officeAccess.readInvitation, { body: { token } })
  } catch (error) {
    return problemOf(error)
  }
}

/**
 * Accepts an invitation. `isLoggedIn` is false if the user must still log in with a second factor.
 */
export async function acceptInvitation(given: {
  token: string
  firstName: string
  lastName: string
  password: string
  locale: Language
}): Promise<{ isLoggedIn: boolean; lacksSecondFactor: boolean } | Problem> {
  try {
    const { accessToken } = await ask(officeAccess.acceptInvitation, {
      body: given,
    })
    if (accessToken === null) return { isLoggedIn: false, lacksSecondFactor: false }
    startOfficeSession(accessToken)
    const { lacksSecondFactor } = await ask(officeAccess.getStaff, {})
    return { isLoggedIn: true, lacksSecondFactor }
  } catch (error) {
    return problemOf(error)
  }
}

/** Asks for a teacher's account; returns what names the code that was sent to a phone. */
export async function requestCode(asked: JoinRequest): Promise<string | null> {
  const { request = null } = await ask(officeAccess.askToJoin, { body: asked })
  return request
}

/** The same for a form, which shows the problem itself. */
export async function askToJoin(asked: JoinRequest): Promise<{ request: string | null } | Problem> {
  try {
    return { request: await requestCode(asked) }
  } catch (error) {
    return problemOf(error)
  }
}

/** Opens the account that was asked for, and logs in to it. */
export async function openAccount(body: {
  token: string
  code: string | null
  password: string
  locale: Language
}): Promise<Problem | null> {
  try {
    const { accessToken } = await ask(officeAccess.confirmJoining, { body })
    startOfficeSession(accessToken)
    return null
  } catch (error) {
    return problemOf(error)
  }
}
