import { NAME_MAX_LENGTH, required } from './validators.ts'

/** What a teacher says of themselves, in each language, in characters. */
export const BIO_MAX_LENGTH = 2000

/** Subjects that a teacher's page names. */
export const TEACHER_SUBJECTS_MAX = 8

/** How often a teacher saves the profile: each save may render every page with their name again. */
export const PROFILE_SAVES_PER_HOUR = 60

/** The fields of a teacher's profile that hold text, in the order of the form. */
export const PROFILE_TEXTS = [
  'firstName',
  'lastName',
  'latinName',
  'bio',
  'bioFr',
  'bioEn',
] as const
export type ProfileTextField = (typeof PROFILE_TEXTS)[number]

interface TextRule {
  readonly most: number
  readonly isNeeded: boolean
  /** On one line. */
  readonly isName: boolean
}

/**
 * What each text may hold. The Arabic names and the Arabic text are needed: they are shown wherever
 * another language says nothing of its own.
 */
export const PROFILE_RULES: Readonly<Record<ProfileTextField, TextRule>> = {
  firstName: { most: NAME_MAX_LENGTH, isNeeded: true, isName: true },
  lastName: { most: NAME_MAX_LENGTH, isNeeded: true, isName: true },
  latinName: { most: NAME_MAX_LENGTH, isNeeded: false, isName: true },
  bio: { most: BIO_MAX_LENGTH, isNeeded: true, isName: false },
  bioFr: { most: BIO_MAX_LENGTH, isNeeded: false, isName: false },
  bioEn: { most: BIO_MAX_LENGTH, isNeeded: false, isName: false },
}

/** The rule that a text of a profile breaks, or null. */
export function profileTextProblem(
  field: ProfileTextField,
  text: string,
): 'required' | 'maxLength' | 'pattern' | null {
  const { most, isNeeded, isName } = PROFILE_RULES[field]
  if (isNeeded && required(text)) return 'required'
  if ([...text.trim()].length > most) return 'maxLength'
  if (isName && /\p{Cc}/u.test(text.trim())) return 'pattern'
  // It stands on the French and English pages, and in their search.
  if (field === 'latinName' && /\p{Script=Arabic}/u.test(text)) return 'pattern'
  return null
}
