import type { AnyCall, Result } from '../../contract/call.ts'
import type * as contract from '../../contract/office-access.ts'
import * as officeAccess from '../../contract/office-access.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { startOfficeSession } from './session.ts'

export type SecondFactor = Result<typeof contract.getSecondFactor>
/** The secret for an authenticator app: as text, as a URI, and as a QR code (SVG). */
export type Setup = Result<typeof contract.startSecondFactor>

/** The proof that the account's owner is at the screen. */
export interface Proof {
  password: string
  /** A code of the authenticator app, or a recovery code; '' while the second factor is off. */
  code: string
}

const factor = createLoader<SecondFactor>('second factor')

/** The state of the second factor of the logged-in staff member. */
export const { $state: $secondFactor } = factor

export const loadSecondFactor = () => factor.load(() => ask(officeAccess.getSecondFactor, {}))

const refreshed = () => factor.refresh(() => ask(officeAccess.getSecondFactor, {}))

export function startSecondFactor({ password, code }: Proof): Promise<Setup | Problem> {
  return outcome(
    ask(officeAccess.startSecondFactor, {
      body: { password, code: code || null },
    }),
  )
}

/** Turns it on and ends every other session. Returns the recovery codes, to be shown once. */
export async function confirmSecondFactor(code: string): Promise<string[] | Problem> {
  const done = await outcome(ask(officeAccess.confirmSecondFactor, { body: { code } }))
  if ('status' in done) return done
  startOfficeSession(done.accessToken)
  await refreshed()
  return done.recoveryCodes
}

export async function renewRecoveryCodes(body: Proof): Promise<string[] | Problem> {
  const done = await outcome(ask(officeAccess.renewRecoveryCodes, { body }))
  if ('status' in done) return done
  await refreshed()
  return done.recoveryCodes
}

/** Turns it off; returns the problem, or null. */
export async function turnOffSecondFactor(body: Proof): Promise<Problem | null> {
  try {
    await ask(officeAccess.turnOffSecondFactor, { body })
    await refreshed()
    return null
  } catch (error) {
    return problemOf(error)
  }
}

/** Changes the password and ends every other session; returns the problem, or null. */
export function changePassword(password: string, newPassword: string): Promise<Problem | null> {
  return renewed(
    ask(officeAccess.changeOfficePassword, {
      body: { password, newPassword },
    }),
  )
}

/** Ends every other session; returns the problem, or null. */
export function endOtherSessions(): Promise<Problem | null> {
  return renewed(ask(officeAccess.endOtherSessions, {}))
}

/** Continues with the token that replaces the ended one. */
async function renewed(answer: Promise<{ accessToken: string }>): Promise<Problem | null> {
  const done = await outcome(answer)
  if ('status' in done) return done
  startOfficeSession(done.accessToken)
  return null
}

function outcome<T extends Result<AnyCall>>(answer: Promise<T>): Promise<T | Problem> {
  return answer.catch((error: unknown) => problemOf(error))
}
