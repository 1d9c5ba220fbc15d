import * as references from '../../../contract/references.ts'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import * as teacherProfile from '../../../contract/teacher-profile.ts'
import { ask } from '../backend.ts'
import { createLoader } from '../loader.ts'

/** The teacher's profile, and the subjects to choose from. */
export interface Own {
  profile: OwnProfile
  subjects: readonly references.Listed[]
}

const loader = createLoader<Own>('own profile')
export const $own = loader.$state

export function loadOwn(): Promise<void> {
  return loader.load(async () => {
    const [profile, subjects] = await Promise.all([readProfile(), ask(references.listMatieres, {})])
    return { profile, subjects }
  })
}

export function readProfile(): Promise<OwnProfile> {
  return ask(teacherProfile.getOwnProfile, {})
}

export function showProfile(profile: OwnProfile): void {
  const state = $own.get()
  if (state.phase === 'ready') loader.show({ ...state.value, profile })
}

/** Makes a checked upload the teacher's picture; null restores the drawn initials. */
export async function takePicture(uploadId: string | null): Promise<void> {
  showProfile(await ask(teacherProfile.setOwnPicture, { body: { uploadId } }))
}
