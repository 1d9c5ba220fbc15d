import { expect } from 'vitest'
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
