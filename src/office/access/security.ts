import type { AnyCall, Result } from '../../contract/call.ts'
import type * as contract from '../../contract/office-access.ts'
import * as officeAccess from '../../contract/office-access.ts'
import { type Problem, problemOf } from '../../stores/shared/problem.ts'
import { ask } from '../kit/backend.ts'
import { resource } from '../kit/loader.ts'
import { startOfficeSession } from '../kit/session.ts'

export type SecondFactor = Result<typeof contract.getSecondFactor>
/** The secret for an authenticator app: as text, as a URI, and as a QR code (SVG). */
export type Setup = Result<typeof contract.startSecondFactor>

/** Proves that the person at the screen owns the account. */
export interface Proof {
  password: string
  /** A code of the authenticator app, or a recovery code; '' while the second factor is off. */
  code: string
}

export const secondFactor = resource(officeAccess.getSecondFactor)

export function startSecondFactor({ password, code }: Proof): Promise<Setup | Problem> {
  return orProblem(
    ask(officeAccess.startSecondFactor, {
      body: { password, code: code || null },
    }),
  )
}

/**
 * Enables the second factor and ends all other sessions. Returns the recovery codes to show once.
 */
export async function confirmSecondFactor(code: string): Promise<string[] | Problem> {
  const response = await orProblem(ask(officeAccess.confirmSecondFactor, { body: { code } }))
  if ('status' in response) return response
  startOfficeSession(response.accessToken)
  await secondFactor.refresh()
  return response.recoveryCodes
}

export async function renewRecoveryCodes(body: Proof): Promise<string[] | Problem> {
  const response = await orProblem(ask(officeAccess.renewRecoveryCodes, { body }))
  if ('status' in response) return response
  await secondFactor.refresh()
  return response.recoveryCodes
}

export async function turnOffSecondFactor(body: Proof): Promise<Problem | null> {
  try {
    await ask(officeAccess.turnOffSecondFactor, { body })
    await secondFactor.refresh()
    return null
  } catch (error) {
    return problemOf(error)
  }
}

export async function changePassword(
  password: string,
  newPassword: string,
): Promise<Problem | null> {
  const body = { password, newPassword }
  const response = await orProblem(ask(officeAccess.changeOfficePassword, { body }))
  if ('status' in response) return response
  startOfficeSession(response.accessToken)
  return null
}

export async function endOtherSessions(): Promise<void> {
  const { accessToken } = await ask(officeAccess.endOtherSessions, {})
  startOfficeSession(accessToken)
}

function orProblem<T extends Result<AnyCall>>(call: Promise<T>): Promise<T | Problem> {
  return call.catch((error: unknown) => problemOf(error))
}
