import type { Selectable } from 'kysely'
import type { StaffActionName } from '../../rules/office-actions.ts'
import { TEACHERS_TAG, teacherTag } from '../../rules/page-tags.ts'
import type { TeachersTable } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changePages } from '../publishing/publishing.ts'
import { logStaff } from '../staff-log/staff-log.ts'
import { findProfile, type Profile } from './profile.ts'

/** The teacher whose profile is changed, and the actor in the staff log. */
export interface ProfileEditor {
  readonly teacherId: number
  readonly actor: string
}

/** The context in which a profile is changed. */
export interface Changing {
  readonly tx: Tx
  /** The teacher when the row was locked. */
  readonly teacher: Selectable<TeachersTable>
}

/**
 * A change, for the log; `tags` are those of further pages, besides the teacher's own and the list
 * of teachers.
 */
export interface Changed {
  readonly action: StaffActionName
  readonly reason?: string
  readonly tags?: readonly string[]
}

/**
 * Changes a teacher's profile with its row locked and returns it; `work` returns null if nothing
 * changes. The pages that show the profile are rendered again. Throws `teacher_not_found`.
 */
export async function changeProfile(
  deps: Deps,
  { teacherId, actor }: ProfileEditor,
  work: (changing: Changing) => Promise<Changed | null>,
): Promise<Profile> {
  return await changePages(deps, async (tx, markStale) => {
    const teacher = await tx
      .selectFrom('teachers')
      .selectAll()
      .where('id', '=', teacherId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!teacher) throw fault('teacher_not_found')
    const changed = await work({ tx, teacher })
    if (changed) {
      const { action, reason = null, tags = [] } = changed
      await logStaff(tx, { actor, action, subject: { kind: 'teacher', id: teacherId }, reason })
      markStale([teacherTag(teacherId), TEACHERS_TAG, ...tags])
    }
    return await findProfile(tx, teacherId)
  })
}
