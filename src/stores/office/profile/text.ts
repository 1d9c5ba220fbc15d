import type { OwnProfile, ProfileText } from '../../../contract/teacher-profile.ts'
import { LEVELS } from '../../../rules/price-bands.ts'
import {
  PROFILE_TEXTS,
  type ProfileTextField,
  profileTextProblem,
} from '../../../rules/teacher-profile.ts'
import type { Mistakes, Values } from '../../shared/form.ts'

/** The fields of the form, in their order on the page; choices are comma-separated lists. */
export const PROFILE_FIELDS = [...PROFILE_TEXTS, 'subjectIds', 'levels'] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]
export type ProfileValues = Values<ProfileField>

export const joined = (chosen: readonly (string | number)[]): string => chosen.join(',')
export const parted = (list: string): string[] => list.split(',').filter(Boolean)

/** The values of the form for a profile. */
export function valuesOf(profile: OwnProfile): ProfileValues {
  const { subjectIds, levels } = profile
  const texts = PROFILE_TEXTS.map((field) => [field, profile[field]])
  return {
    ...(Object.fromEntries(texts) as Values<ProfileTextField>),
    subjectIds: joined(subjectIds),
    levels: joined(levels),
  }
}

/** The values of the form as the server expects them. */
export function textOf(values: ProfileValues): ProfileText {
  const texts = PROFILE_TEXTS.map((field) => [field, values[field].trim()])
  const levels = parted(values.levels)
  return {
    ...(Object.fromEntries(texts) as Values<ProfileTextField>),
    subjectIds: parted(values.subjectIds).map(Number),
    levels: LEVELS.filter((level) => levels.includes(level)),
  }
}

/** The mistakes that prevent saving. */
export function mistakesIn(values: ProfileValues): Mistakes<ProfileField, string> {
  const problems = PROFILE_TEXTS.map((field) => [field, profileTextProblem(field, values[field])])
  return Object.fromEntries(problems.filter(([, problem]) => problem))
}

/** The fields in which the profile on the server differs from the values here. */
export function differences(theirs: OwnProfile, mine: ProfileValues): ProfileField[] {
  const [there, here] = [valuesOf(theirs), textOf(mine)]
  return PROFILE_FIELDS.filter((field) => there[field] !== String(here[field]))
}
