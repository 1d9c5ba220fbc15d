import { fullName } from '../rules/full-name.ts'
import { BIO_FIELDS } from '../rules/teacher-profile.ts'
import { calledIn } from './format.ts'
import type { Locale } from './locales.ts'

interface Teacher {
  firstName: string
  lastName: string
  username?: string
  latinName?: string | undefined
  bio: string
  bioFr?: string | undefined
  bioEn?: string | undefined
}

export function teacherName(locale: Locale, teacher: Omit<Teacher, 'bio'>): string {
  const { username = '', latinName } = teacher
  return calledIn(locale, { name: fullName(teacher) || username, latinName })
}

/** A teacher's own words about themselves in this language, or in Arabic. */
export function teacherBio(locale: Locale, teacher: Teacher): string {
  return teacher[BIO_FIELDS[locale]] || teacher.bio
}

/** The initials of the first and the last name, as the drawn portrait shows them. */
export function teacherInitials(locale: Locale, teacher: Omit<Teacher, 'bio'>): string {
  const { firstName, lastName, latinName } = teacher
  const words = locale !== 'ar' && latinName ? latinName.trim().split(/\s+/) : [firstName, lastName]
  const [first, last] = words.length > 1 ? [words[0], words.at(-1)] : [words[0], '']
  const letters = [first, last].map((word = '') => [...word.trim()][0] ?? '')
  // Keep Arabic letters apart, which would otherwise join into a word.
  return /[\u0600-\u06ff]/.test(letters.join('')) ? letters.join('\u200c ') : letters.join('')
}
