import { DAY_MS } from './durations.ts'

/** How long somebody who asked to be deleted may change their mind. */
export const DELETION_DAYS = 14

/** How many days before, at the latest, they are told once more. */
export const DELETION_REMINDER_DAYS = 2

/** How often an account's data are made into a ZIP, and how long its link works. */
export const EXPORT_MS = DAY_MS

/** The tries after which a ZIP that cannot be made is given up; its owner may ask again. */
export const EXPORT_TRIES = 5

/** The name under which the documents of a deleted teacher stay with their buyers. */
export const FORMER_TEACHER = { arabic: 'أستاذ سابق', latin: 'Ancien enseignant / Former teacher' }
