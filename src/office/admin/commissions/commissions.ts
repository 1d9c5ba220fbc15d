import type { Input } from '../../../contract/call.ts'
import * as commissions from '../../../contract/office-commissions.ts'
import { ask, orReload } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'

const all = resource(commissions.getCommissions)
export const { $state: $commissions, load: loadCommissions } = all

export const teacherShares = tableOf(commissions.listTeacherShares)

/** A new share for the whole shop, or for one teacher; `percent` null restores the default. */
export interface NewShare {
  readonly teacherId: number | null
  readonly percent: number | null
  readonly reason: string
  /** The id of the latest change that the page showed. */
  readonly seen: number | null
}

/** Sets a share, and reloads those of the teachers; all after an edit conflict. Throws an `ApiError`. */
export async function setShare(body: NewShare): Promise<void> {
  all.show(await orReload(ask(commissions.setCommission, { body }), refresh))
  teacherShares.refresh()
}

/** Sets what is withheld of a teacher's payouts, in percent, likewise. */
export async function setWithholding(
  body: Input<typeof commissions.setWithholding>['body'],
): Promise<void> {
  await orReload(ask(commissions.setWithholding, { body }), refresh)
  refresh()
}

function refresh(): void {
  void all.refresh()
  teacherShares.refresh()
}
