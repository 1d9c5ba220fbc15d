/** What a teacher who asks to join may write: the subjects taught, and a few words; in characters. */
export const JOIN_SUBJECTS_MAX_LENGTH = 200
export const JOIN_MESSAGE_MAX_LENGTH = 1000

/** Why somebody is not taken, which is mailed to them; in characters. */
export const JOIN_REASON_MAX_LENGTH = 1000
