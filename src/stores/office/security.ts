import type { AnyCall, Result } from '../../contract/call.ts'
import type * as contract from '../../contract/office-access.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { startOfficeSession } from './session.ts'

export type SecondFactor = Result<typeof contract.getSecondFactor>
/** The secret for an authenticator: as text, as an address, and as a picture (SVG). */
export type Setup = Result<typeof contract.startSecondFactor>

/** What proves who is at the screen. */
export interface Proof {
  password: string
  /** A code of the authenticator, or a recovery code; '' where the second factor is off. */
  code: string
}

const factor = createLoader<SecondFactor>('second factor')

/** How the second factor of who is logged in stands. */
export const { $state: $secondFactor } = factor

export const loadSecondFactor = () =>
  factor.load(() => ask(({ officeAccess }) => officeAccess.getSecondFactor, {}))

const refreshed = () =>
  factor.refresh(() => ask(({ officeAccess }) => officeAccess.getSecondFactor, {}))

export function startSecondFactor({ password, code }: Proof): Promise<Setup | Problem> {
  return outcome(
    ask(({ officeAccess }) => officeAccess.startSecondFactor, {
      body: { password, code: code || null },
    }),
  )
}

/** Turns it on; every other session ends. Answers the recovery codes, to be shown once. */
export async function confirmSecondFactor(code: string): Promise<string[] | Problem> {
  const done = await outcome(
    ask(({ officeAccess }) => officeAccess.confirmSecondFactor, { body: { code } }),
  )
  if ('status' in done) return done
  startOfficeSession(done.accessToken)
  await refreshed()
  return done.recoveryCodes
}

export async function renewRecoveryCodes(body: Proof): Promise<string[] | Problem> {
  const done = await outcome(ask(({ officeAccess }) => officeAccess.renewRecoveryCodes, { body }))
  if ('status' in done) return done
  await refreshed()
  return done.recoveryCodes
}

/** Turns it off; the problem, or null. */
export async function turnOffSecondFactor(body: Proof): Promise<Problem | null> {
  try {
    await ask(({ officeAccess }) => officeAccess.turnOffSecondFactor, { body })
    await refreshed()
    return null
  } catch (error) {
    return problemOf(error)
  }
}

/** Sets another password; every other session ends. The problem, or null. */
export function changePassword(password: string, newPassword: string): Promise<Problem | null> {
  return renewed(
    ask(({ officeAccess }) => officeAccess.changeOfficePassword, {
      body: { password, newPassword },
    }),
  )
}

/** Ends every other session; the problem, or null. */
export function endOtherSessions(): Promise<Problem | null> {
  return renewed(ask(({ officeAccess }) => officeAccess.endOtherSessions, {}))
}

/** Goes on with the token that takes the place of the ended one. */
async function renewed(answer: Promise<{ accessToken: string }>): Promise<Problem | null> {
  const done = await outcome(answer)
  if ('status' in done) return done
  startOfficeSession(done.accessToken)
  return null
}

function outcome<T extends Result<AnyCall>>(answer: Promise<T>): Promise<T | Problem> {
  return answer.catch((error: unknown) => problemOf(error))
}
