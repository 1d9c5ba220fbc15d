import { atom, readonlyType } from 'nanostores'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import * as teacherProfile from '../../../contract/teacher-profile.ts'
import { problemOf } from '../../shared/problem.ts'
import { ask } from '../backend.ts'
import { readUnsaved } from '../saving.ts'
import { readProfile, showProfile } from './own.ts'
import { differences, type ProfileValues, textOf } from './text.ts'

/** The key under which this browser keeps the unsaved text. */
export const PROFILE_KEPT_AS = 'profile'

/**
 * Saves the text of the profile with the revision on which it is based. If another tab or device
 * has saved a different text since, nothing is overwritten: `$conflict` holds that text until the
 * user chooses one.
 */
export function createWriting(profile: OwnProfile) {
  const $conflict = atom<OwnProfile | null>(null)
  // Unsaved text of an earlier visit is based on the revision of that visit.
  let revision = readUnsaved(PROFILE_KEPT_AS)?.revision ?? profile.revision

  function accept(next: OwnProfile): void {
    revision = next.revision
    $conflict.set(null)
  }

  return {
    $conflict: readonlyType($conflict),
    /** The revision on which the current text is based. */
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
        // The other tab has saved the same text, so there is no conflict.
        accept(theirs)
        showProfile(theirs)
      }
    },
    /** Chooses the text of this tab, which the next attempt saves. */
    keepMine(): void {
      const theirs = $conflict.get()
      if (theirs) accept(theirs)
    },
  }
}
