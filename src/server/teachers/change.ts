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

export interface ProfileEditor {
  readonly teacherId: number
  readonly actor: string
}

export interface Changing {
  readonly tx: Tx
  /** The teacher when the row was locked. */
  readonly teacher: Selectable<TeachersTable>
}

/** `tags`: of further pages, besides the teacher's own and the list of teachers. */
export interface Changed {
  readonly action: StaffActionName
  readonly reason?: string
  readonly tags?: readonly string[]
}

/** Under the row's lock; null from `work`: no change. Throws `teacher_not_found`. */
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
