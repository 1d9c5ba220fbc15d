import { atom, readonlyType } from 'nanostores'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import * as teacherProfile from '../../../contract/teacher-profile.ts'
import { problemOf } from '../../shared/problem.ts'
import { ask } from '../backend.ts'
import { readUnsaved } from '../saving.ts'
import { readProfile, showProfile } from './own.ts'
import { differences, type ProfileValues, textOf } from './text.ts'

/** The name under which the unsaved text is kept in this browser. */
export const PROFILE_KEPT_AS = 'profile'

/**
 * Saves the text of the profile over the revision that it was written over. Where another tab or device
 * has saved another text meanwhile, nothing is written over: `$conflict` has the other one until
 * somebody chooses.
 */
export function createWriting(profile: OwnProfile) {
  const $conflict = atom<OwnProfile | null>(null)
  // Text of an earlier visit was written over the revision of that visit.
  let revision = readUnsaved(PROFILE_KEPT_AS)?.revision ?? profile.revision

  function accept(next: OwnProfile): void {
    revision = next.revision
    $conflict.set(null)
  }

  return {
    $conflict: readonlyType($conflict),
    /** What the text is written over that is being typed. */
    revision: () => revision,
    async save(values: ProfileValues): Promise<void> {
      try {
        const body = { revision, ...textOf(values) }
        const saved = await ask(teacherProfile.saveOwnProfile, { body })
        accept(saved)
        showProfile(saved)
      } catch (error) {
        if (problemOf(error).code !== 'profile_changed') throw error
        const theirs = await readProfile()
        if (differences(theirs, values).length > 0) {
          $conflict.set(theirs)
          throw error
        }
        // Two tabs with the same text agree.
        accept(theirs)
        showProfile(theirs)
      }
    },
    /** Lets the text of this tab stand over the other one; it is saved by the next try. */
    keepMine(): void {
      const theirs = $conflict.get()
      if (theirs) accept(theirs)
    },
  }
}
