import { DAY_MS } from './durations.ts'

/** The roles of accounts: customers, and the two kinds of staff. */
export const ROLES = ['PARENT', 'TEACHER', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]

/** The roles in the database; `SHOP` is the account of the common inbox, which nobody logs in to. */
export const ACCOUNT_ROLES = [...ROLES, 'SHOP'] as const

export const STAFF_ROLES = ['TEACHER', 'ADMIN'] as const satisfies readonly Role[]
export type StaffRole = (typeof STAFF_ROLES)[number]

/** The role of a staff member's token; undefined for other tokens. */
export function staffRole({ authorities }: { authorities: readonly string[] }) {
  return STAFF_ROLES.find((role) => authorities.includes(role))
}

export const GENDERS = ['male', 'female'] as const
export type Gender = (typeof GENDERS)[number]

export const JOINING_DECISIONS = ['accepted', 'refused'] as const
export type JoiningDecision = (typeof JOINING_DECISIONS)[number]

/** The longest texts of a request to join, in characters: the subjects taught, and a message. */
export const JOIN_SUBJECTS_MAX_LENGTH = 200
export const JOIN_MESSAGE_MAX_LENGTH = 1000

/** The longest reason of a refusal, which is mailed to the applicant; in characters. */
export const JOIN_REASON_MAX_LENGTH = 1000

/** How long a link that confirms an e-mail address is valid. */
export const CONFIRMATION_LINK_LIFETIME_MS = 7 * DAY_MS
