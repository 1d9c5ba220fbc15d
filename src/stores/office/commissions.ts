import type { Input } from '../../contract/call.ts'
import type { Commissions } from '../../contract/office-commissions.ts'
import * as commissions from '../../contract/office-commissions.ts'
import { ask, orReload } from './backend.ts'
import { createLoader } from './loader.ts'
import { createTable } from './table.ts'

const loader = createLoader<Commissions>('commissions')
export const $commissions = loader.$state

const read = () => ask(commissions.getCommissions, {})
export const loadCommissions = (): Promise<void> => loader.load(read)

export const teacherShares = createTable({
  what: 'teachers’ shares',
  sorts: ['name'],
  load: ({ page, q }, signal) => {
    const query = { page, ...(q && { q }) }
    return ask(commissions.listTeacherShares, { query }, { signal })
  },
})

/** A new share for the whole shop, or for one teacher; `percent` null restores the default. */
export interface NewShare {
  readonly teacherId: number | null
  readonly percent: number | null
  readonly reason: string
  /** The id of the latest change that the page showed. */
  readonly seen: number | null
}

/** Sets a share, and reloads all of them, even after an edit conflict. Throws an `ApiError`. */
export async function setShare(body: NewShare): Promise<void> {
  await orReload(ask(commissions.setCommission, { body }), refresh)
  refresh()
}

/** Sets what is withheld of a teacher's payouts, in percent, likewise. */
export async function setWithholding(
  body: Input<typeof commissions.setWithholding>['body'],
): Promise<void> {
  await orReload(ask(commissions.setWithholding, { body }), refresh)
  refresh()
}

function refresh(): void {
  void loader.refresh(read)
  teacherShares.refresh()
}
