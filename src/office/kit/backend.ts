import { atom, readonlyType } from 'nanostores'
import type { Api, CallOptions } from '../../client/api.ts'
import { openApi } from '../../client/office.ts'
import type { AnyCall, Input, Result } from '../../contract/call.ts'
import { isTokenRefused, problemOf } from '../../stores/shared/problem.ts'
import { learnServerTime } from '../../stores/shared/server-clock.ts'
import { dropOfficeToken, officeToken } from './session.ts'

let connected = openApi(learnServerTime)

/** Replaces the API client, for tests. */
export function connectTo(api: Api): void {
  connected = api
}

/** The API client without the session's token. */
export const api: Api = (call, input, options) => connected(call, input, options)

const $secondFactorRequired = atom(false)

/** Whether the server refuses all other calls until a second factor is set up. */
export const $lacksSecondFactor = readonlyType($secondFactorRequired)

/**
 * Makes a call of the contract with the staff member's token: `ask(earnings.getEarnings, {})`.
 * If the server no longer accepts the token, the session ends here too.
 */
export async function ask<C extends AnyCall>(
  call: C,
  input: Input<C>,
  options: Omit<CallOptions, 'token'> = {},
): Promise<Result<C>> {
  const token = officeToken()
  try {
    return await api(call, input, { ...options, token })
  } catch (error) {
    const problem = problemOf(error)
    if (token && isTokenRefused(problem)) dropOfficeToken(token)
    if (problem.code === 'second_factor_missing') $secondFactorRequired.set(true)
    throw error
  }
}

/**
 * Waits for a change; if somebody else has changed the thing meanwhile, `reload` shows their state.
 * Throws an `ApiError`.
 */
export async function orReload<T>(change: Promise<T>, reload: () => unknown): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (problemOf(error).status === 409) reload()
    throw error
  }
}
