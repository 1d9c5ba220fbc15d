import { atom, readonlyType } from 'nanostores'
import type { CallOptions } from '../../client/api.ts'
import type { AnyCall, Input, Result } from '../../contract/call.ts'
import { createConnection } from '../shared/connection.ts'
import { isTokenRefused, problemOf } from '../shared/problem.ts'
import { dropOfficeToken, officeToken } from './session.ts'

type Office = typeof import('../../client/office.ts')

/** The office's client, loaded when it is first needed; `connectTo` is for tests. */
export const { connect, connectTo } = createConnection<Office>(
  () => import('../../client/office.ts'),
)

const $isShut = atom(false)

/** Whether a second factor is to be set up before anything else is open. */
export const $lacksSecondFactor = readonlyType($isShut)

/**
 * Makes a call of the contract with the staff member's token: `ask(({ uploads }) => uploads.start, …)`.
 * A token that the server no longer takes ends the session here too.
 */
export async function ask<C extends AnyCall>(
  choose: (office: Office) => C,
  input: Input<C>,
  options: Omit<CallOptions, 'token'> = {},
): Promise<Result<C>> {
  const office = await connect()
  const token = officeToken()
  try {
    return await office.api(choose(office), input, { ...options, token })
  } catch (error) {
    const problem = problemOf(error)
    if (token && isTokenRefused(problem)) dropOfficeToken(token)
    if (problem.code === 'second_factor_missing') $isShut.set(true)
    throw error
  }
}
