import type { JoinRequest } from '../../contract/office-access.ts'
import type { Language } from '../../rules/languages.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { startOfficeSession } from './session.ts'

/** What came of a log-in; `code`: the password is right, and a code of the second factor is asked for. */
export type OfficeLogInOutcome =
  | { kind: 'welcome'; lacksSecondFactor: boolean }
  | { kind: 'code' }
  | { kind: 'refused'; problem: Problem }

/** Logs in to the office. `code` is null where none was asked for yet. */
export async function logInToOffice(
  given: { username: string; password: string; code: string | null },
  locale: Language,
): Promise<OfficeLogInOutcome> {
  try {
    const { accessToken } = await ask(({ officeAccess }) => officeAccess.officeLogIn, {
      body: { ...given, username: given.username.trim(), locale },
    })
    if (accessToken === null) return { kind: 'code' }
    startOfficeSession(accessToken)
    const { lacksSecondFactor } = await ask(({ officeAccess }) => officeAccess.getStaff, {})
    return { kind: 'welcome', lacksSecondFactor }
  } catch (error) {
    return { kind: 'refused', problem: problemOf(error) }
  }
}

/** Whom an invitation is for. */
export interface Invitation {
  email: string
  role: 'TEACHER' | 'ADMIN'
  firstName: string
  lastName: string
}

export async function readInvitation(token: string): Promise<Invitation | Problem> {
  try {
    return await ask(({ officeAccess }) => officeAccess.readInvitation, { body: { token } })
  } catch (error) {
    return problemOf(error)
  }
}

/** Takes an invitation. `isIn` is false where a log-in with the second factor is still needed. */
export async function acceptInvitation(given: {
  token: string
  firstName: string
  lastName: string
  password: string
  locale: Language
}): Promise<{ isIn: boolean; lacksSecondFactor: boolean } | Problem> {
  try {
    const { accessToken } = await ask(({ officeAccess }) => officeAccess.acceptInvitation, {
      body: given,
    })
    if (accessToken === null) return { isIn: false, lacksSecondFactor: false }
    startOfficeSession(accessToken)
    const { lacksSecondFactor } = await ask(({ officeAccess }) => officeAccess.getStaff, {})
    return { isIn: true, lacksSecondFactor }
  } catch (error) {
    return problemOf(error)
  }
}

/** Asks to join; the problem, or null when the mail is on its way. */
export async function askToJoin(request: JoinRequest): Promise<Problem | null> {
  try {
    await ask(({ officeAccess }) => officeAccess.askToJoin, { body: request })
    return null
  } catch (error) {
    return problemOf(error)
  }
}

/** Confirms a request to join by the token that was mailed. */
export async function confirmJoining(token: string): Promise<'confirmed' | 'already' | Problem> {
  try {
    const { status } = await ask(({ officeAccess }) => officeAccess.confirmJoining, {
      body: { token },
    })
    return status === 'CONFIRMED' ? 'confirmed' : 'already'
  } catch (error) {
    return problemOf(error)
  }
}
