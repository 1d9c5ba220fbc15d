import * as references from '../../../contract/references.ts'
import type { OwnProfile, ProfileText } from '../../../contract/teacher-profile.ts'
import * as teacherProfile from '../../../contract/teacher-profile.ts'
import { LEVELS } from '../../../rules/price-bands.ts'
import {
  PROFILE_TEXTS,
  type ProfileTextField,
  profileTextProblem,
} from '../../../rules/teacher-profile.ts'
import { joined, type Mistakes, parted, type Values } from '../../../stores/shared/form.ts'
import { ask } from '../../kit/backend.ts'
import type { Version } from '../../kit/forms/writing.ts'
import { resourceBy } from '../../kit/loader.ts'

export interface Own {
  profile: OwnProfile
  subjects: readonly references.Listed[]
}

const getProfile = () => ask(teacherProfile.getOwnProfile, {})

export const ownProfile = resourceBy('own profile', async (): Promise<Own> => {
  const [profile, subjects] = await Promise.all([getProfile(), ask(references.listMatieres, {})])
  return { profile, subjects }
})

function showProfile(profile: OwnProfile): Version<ProfileField> {
  const own = ownProfile.value()
  if (own) ownProfile.show({ ...own, profile })
  return { revision: profile.revision, values: valuesOf(profile) }
}

export const readProfile = async () => showProfile(await getProfile())

export async function saveProfile(revision: number, values: ProfileValues): Promise<number> {
  const body = { revision, ...profileText(values) }
  return showProfile(await ask(teacherProfile.saveOwnProfile, { body })).revision
}

/** Makes a checked upload the teacher's picture; null restores the drawn initials. */
export async function takePicture(uploadId: string | null): Promise<void> {
  showProfile(await ask(teacherProfile.setOwnPicture, { body: { uploadId } }))
}

export async function chooseLink(link: string): Promise<void> {
  showProfile(await ask(teacherProfile.setOwnLink, { body: { link } }))
}

export async function switchPageCode(isOn: boolean): Promise<void> {
  showProfile(await ask(teacherProfile.setPageCode, { body: { isOn } }))
}

/** The fields of the form, in their order on the page; choices are comma-separated lists. */
export const PROFILE_FIELDS = [...PROFILE_TEXTS, 'subjectIds', 'levels'] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]
export type ProfileValues = Values<ProfileField>

export function valuesOf(profile: OwnProfile): ProfileValues {
  const { subjectIds, levels } = profile
  const texts = PROFILE_TEXTS.map((field) => [field, profile[field]])
  return {
    ...(Object.fromEntries(texts) as Values<ProfileTextField>),
    subjectIds: joined(subjectIds),
    levels: joined(levels),
  }
}

export function profileText(values: ProfileValues): ProfileText {
  const texts = PROFILE_TEXTS.map((field) => [field, values[field].trim()])
  const levels = parted(values.levels)
  return {
    ...(Object.fromEntries(texts) as Values<ProfileTextField>),
    subjectIds: parted(values.subjectIds).map(Number),
    levels: LEVELS.filter((level) => levels.includes(level)),
  }
}

export function mistakesIn(values: ProfileValues): Mistakes<ProfileField, string> {
  const problems = PROFILE_TEXTS.map((field) => [field, profileTextProblem(field, values[field])])
  return Object.fromEntries(problems.filter(([, problem]) => problem))
}
