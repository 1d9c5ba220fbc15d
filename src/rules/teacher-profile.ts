import type { InEachLanguage } from './languages.ts'
import { EMAIL_MAX_LENGTH, email, NAME_MAX_LENGTH, required } from './validators.ts'

/** The longest biography, in each language, in characters. */
export const BIO_MAX_LENGTH = 2000

/** How many subjects a teacher's page may name. */
export const TEACHER_SUBJECTS_MAX = 8

/**
 * How often a teacher may save the profile; limited because a save may re-render every page with
 * their name.
 */
export const PROFILE_SAVES_PER_HOUR = 60

/** The biography field of each language; the Arabic one replaces those that are empty. */
export const BIO_FIELDS = { ar: 'bio', fr: 'bioFr', en: 'bioEn' } as const satisfies InEachLanguage

/** The fields of a teacher's profile that hold text, in the order of the form. */
export const PROFILE_TEXTS = [
  'firstName',
  'lastName',
  'latinName',
  'contactEmail',
  ...Object.values(BIO_FIELDS),
] as const
export type ProfileTextField = (typeof PROFILE_TEXTS)[number]

interface TextRule {
  readonly most: number
  readonly isNeeded: boolean
  /** Whether it is a name, which has to be on one line. */
  readonly isName: boolean
}

/**
 * The rules of each text. The Arabic names and the Arabic text are required: they are shown if
 * another language has none.
 */
export const PROFILE_RULES: Readonly<Record<ProfileTextField, TextRule>> = {
  firstName: { most: NAME_MAX_LENGTH, isNeeded: true, isName: true },
  lastName: { most: NAME_MAX_LENGTH, isNeeded: true, isName: true },
  latinName: { most: NAME_MAX_LENGTH, isNeeded: false, isName: true },
  contactEmail: { most: EMAIL_MAX_LENGTH, isNeeded: false, isName: false },
  bio: { most: BIO_MAX_LENGTH, isNeeded: true, isName: false },
  bioFr: { most: BIO_MAX_LENGTH, isNeeded: false, isName: false },
  bioEn: { most: BIO_MAX_LENGTH, isNeeded: false, isName: false },
}

export function profileTextProblem(
  field: ProfileTextField,
  text: string,
): 'required' | 'maxLength' | 'pattern' | 'email' | null {
  const { most, isNeeded, isName } = PROFILE_RULES[field]
  if (isNeeded && required(text)) return 'required'
  if ([...text.trim()].length > most) return 'maxLength'
  if (isName && /\p{Cc}/u.test(text.trim())) return 'pattern'
  if (field === 'contactEmail') return email(text) ? 'email' : null
  // It is shown on the French and English pages, and searched there.
  if (field === 'latinName' && /\p{Script=Arabic}/u.test(text)) return 'pattern'
  return null
}
