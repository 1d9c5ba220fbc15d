/** What an administrator decides about a request to join. */
export const JOINING_DECISIONS = ['accepted', 'refused'] as const
export type JoiningDecision = (typeof JOINING_DECISIONS)[number]

/** The longest texts of a request to join, in characters: the subjects taught, and a message. */
export const JOIN_SUBJECTS_MAX_LENGTH = 200
export const JOIN_MESSAGE_MAX_LENGTH = 1000

/** The longest reason of a refusal, which is mailed to the applicant; in characters. */
export const JOIN_REASON_MAX_LENGTH = 1000
