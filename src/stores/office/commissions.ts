import type { Result } from '../../contract/call.ts'
import type { Commissions, TeacherShare } from '../../contract/office-commissions.ts'
import * as commissions from '../../contract/office-commissions.ts'
import { problemOf } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { createTable } from './table.ts'

const reading = createLoader<Commissions>('commissions')
export const $commissions = reading.$state

const read = () => ask(commissions.getCommissions, {})
export const loadCommissions = (): Promise<void> => reading.load(read)

/** Every teacher with what they get of a sale. */
export const teacherShares = createTable<
  TeacherShare,
  'name',
  Result<typeof commissions.listTeacherShares>
>({
  what: 'teachers’ shares',
  sorts: ['name'],
  load: ({ page, q }, signal) => {
    const query = { page, ...(q && { q }) }
    return ask(commissions.listTeacherShares, { query }, { signal })
  },
})

/** What is set: a share of the shop's or of one teacher's, or null for what holds without it. */
export interface NewShare {
  readonly teacherId: number | null
  readonly percent: number | null
  readonly reason: string
  /** The change that was seen last. */
  readonly seen: number | null
}

/** Sets a share, and reads all again, also where somebody else was first. Throws an `ApiError`. */
export async function setShare(body: NewShare): Promise<void> {
  try {
    await ask(commissions.setCommission, { body })
  } catch (error) {
    if (problemOf(error).status === 409) refresh()
    throw error
  }
  refresh()
}

function refresh(): void {
  void reading.refresh(read)
  teacherShares.refresh()
}
