/** The roles of accounts: customers, and the two kinds of staff. */
export const ROLES = ['PARENT', 'TEACHER', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]

/** The roles in the database; `SHOP` is the account of the common inbox, which nobody logs in to. */
export const ACCOUNT_ROLES = [...ROLES, 'SHOP'] as const

/** The roles that work in the office. */
export const STAFF_ROLES = ['TEACHER', 'ADMIN'] as const satisfies readonly Role[]
export type StaffRole = (typeof STAFF_ROLES)[number]

/** The role of a staff member's token; undefined for other tokens. */
export function staffRole({ authorities }: { authorities: readonly string[] }) {
  return STAFF_ROLES.find((role) => authorities.includes(role))
}
