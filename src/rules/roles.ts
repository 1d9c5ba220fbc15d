/** What an account may be: a customer, and the two kinds of staff. */
export const ROLES = ['PARENT', 'TEACHER', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]
