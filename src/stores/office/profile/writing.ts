import { atom, readonlyType } from 'nanostores'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import * as teacherProfile from '../../../contract/teacher-profile.ts'
import { problemOf } from '../../shared/problem.ts'
import { ask } from '../backend.ts'
import { forgetKept, keep, kept } from '../kept.ts'
import { readProfile, showProfile } from './own.ts'
import { type ProfileValues, textOf } from './text.ts'

/** The names under which the unsaved text, and the revision that it was written over, are kept. */
export const PROFILE_KEPT_AS = 'profile'
const REVISION_KEPT_AS = 'profile-revision'

/**
 * Saves the text of the profile over the revision that it was written over. Where another tab or device
 * has saved another text meanwhile, nothing is written over: `$conflict` has the other one until
 * somebody chooses.
 */
export function createWriting(profile: OwnProfile) {
  const $conflict = atom<OwnProfile | null>(null)
  const earlier = kept(PROFILE_KEPT_AS) === undefined ? undefined : kept(REVISION_KEPT_AS)
  let revision = typeof earlier === 'number' ? earlier : profile.revision

  function accept(next: OwnProfile): void {
    revision = next.revision
    forgetKept(REVISION_KEPT_AS)
    $conflict.set(null)
  }

  return {
    $conflict: readonlyType($conflict),
    /** Notes what the text that is being typed is written over. */
    noteChange: () => keep(REVISION_KEPT_AS, revision),
    async save(values: ProfileValues): Promise<void> {
      const body = { revision, ...textOf(values) }
      try {
        const saved = await ask(teacherProfile.saveOwnProfile, { body })
        accept(saved)
        showProfile(saved)
      } catch (error) {
        if (problemOf(error).code === 'profile_changed') {
          // The other tab may have forgotten what this one had kept.
          keep(PROFILE_KEPT_AS, values)
          keep(REVISION_KEPT_AS, revision)
          $conflict.set(await readProfile())
        }
        throw error
      }
    },
    /** Lets the text of this tab stand over the other one; it is saved by the next try. */
    keepMine(): void {
      const theirs = $conflict.get()
      if (theirs) accept(theirs)
    },
    /** Forgets the text of this tab: the page is to be loaded again. */
    takeTheirs(): void {
      forgetKept(PROFILE_KEPT_AS)
      forgetKept(REVISION_KEPT_AS)
    },
  }
}
