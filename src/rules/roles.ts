/** What an account may be: a customer, and the two kinds of staff. */
export const ROLES = ['PARENT', 'TEACHER', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]

/** Those who work in the office. */
export const STAFF_ROLES = ['TEACHER', 'ADMIN'] as const satisfies readonly Role[]
export type StaffRole = (typeof STAFF_ROLES)[number]

/** What a staff member's token allows in the office; undefined for anybody else's. */
export function staffRole({ authorities }: { authorities: readonly string[] }) {
  return STAFF_ROLES.find((role) => authorities.includes(role))
}
