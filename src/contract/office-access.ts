import { boolean, enums, integer, nullable, string, type } from 'superstruct'
import { defineCall } from './call.ts'

/** Who is logged in to the office. */
export const getStaff = defineCall({
  method: 'GET',
  path: '/office/me',
  caller: 'staff',
  beforeSecondFactor: true,
  result: type({
    userId: integer(),
    role: enums(['TEACHER', 'ADMIN']),
    name: string(),
    email: string(),
    /** The teacher whose account it is; null for administrators. */
    teacherId: nullable(integer()),
    /** A second factor is to be set up before anything else is open. */
    lacksSecondFactor: boolean(),
  }),
})
