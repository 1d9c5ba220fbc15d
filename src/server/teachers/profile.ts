import type { Kysely } from 'kysely'
import type { OwnProfile, ProfileText } from '../../contract/teacher-profile.ts'
import { findTeacher, presentTeacher, type TeacherRow } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { fault } from '../http/errors.ts'
import { bankAccountOf } from '../money/money.ts'

/** A teacher as buyers see them, and the data that only the teacher may see. */
export interface Profile extends TeacherRow {
  readonly revision: number
  /** The name of the teacher's link; null before one is chosen. */
  readonly link: string | null
  readonly hasPageCode: boolean
  /** The last digits of the bank account; null if there is none. */
  readonly bankAccountEnding: string | null
}

/** How many digits of a bank account are enough for its owner to recognise it. */
const ENDING = 4

/** A teacher's profile; throws `teacher_not_found`. */
export async function findProfile(db: Kysely<Schema>, teacherId: number): Promise<Profile> {
  const teacher = await findTeacher(db, teacherId)
  const own = await db
    .selectFrom('teachers')
    .select(['revision', 'hasPageCode'])
    .where('id', '=', teacherId)
    .executeTakeFirst()
  if (!teacher || !own) throw fault('teacher_not_found')
  const link = await db
    .selectFrom('teacherLinks')
    .select('name')
    .where('teacherId', '=', teacherId)
    .orderBy('chosenAt', 'desc')
    .executeTakeFirst()
  const account = await bankAccountOf(db, teacherId)
  return {
    ...teacher,
    ...own,
    link: link?.name ?? null,
    bankAccountEnding: account?.rib.slice(-ENDING) ?? null,
  }
}

/** The fields that the teacher edits, in the form in which they are saved. */
export function textOfProfile(profile: Profile): ProfileText {
  const { firstName, lastName, latinName, contactEmail, bio, bioFr, bioEn, levels } = profile
  const subjectIds = (profile.subjects ?? []).map(({ id }) => id)
  return { firstName, lastName, latinName, contactEmail, bio, bioFr, bioEn, levels, subjectIds }
}

export function presentProfile(profile: Profile): OwnProfile {
  const { revision, picturePath, link, hasPageCode, documentCount, bankAccountEnding } = profile
  const { id, rating, ratingCount, salesCount } = presentTeacher(profile)
  return {
    ...textOfProfile(profile),
    ...{ id, rating, ratingCount, salesCount, documentCount },
    ...{ revision, picturePath, link, hasPageCode, bankAccountEnding },
  }
}
