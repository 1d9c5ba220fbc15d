import { expect } from 'vitest'
import { ALL_ERRORS } from '../../src/contract/all-errors.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'
import { RefusedCall } from './app.ts'

/** What a call was refused with: the invalid fields, or who was first. */
export const refused = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it was taken'),
    (error: RefusedCall) => {
      expect(error).toBeInstanceOf(RefusedCall)
      const { fields, done } = error.body as { fields?: object; done?: object }
      return { status: error.status, code: error.code, fields, done }
    },
  )

/** Expects the answer of a call to be an error with this status, code and other fields. */
export async function expectRefused(
  call: Promise<unknown>,
  status: number,
  code?: ErrorCode,
  body: object = {},
): Promise<void> {
  const error = await call.then(
    () => expect.unreachable('it was taken'),
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(RefusedCall)
  expect(error).toMatchObject({ status, body: { ...body, ...(code && { error: code }) } })
}

/** Expects a call to be refused with this error and the status that the contract gives it. */
export const expectCode = (call: Promise<unknown>, code: ErrorCode) =>
  expectRefused(call, ALL_ERRORS[code].status, code)
