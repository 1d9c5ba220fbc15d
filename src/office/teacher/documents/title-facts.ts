import type { BulkChangeView } from '../../../contract/office-bulk-changes.ts'
import * as bulk from '../../../contract/office-bulk-changes.ts'
import { problemOf } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import { resource, resourceBy } from '../../kit/loader.ts'

/** What the titles of the own papers say of facts that these lack; null where none lacks any. */
export const titleFacts = resourceBy(
  'facts of titles',
  async (): Promise<BulkChangeView | null> => {
    try {
      return await ask(bulk.previewOwnFacts, { body: { ids: null } })
    } catch (error) {
      if (problemOf(error).code === 'no_documents') return null
      throw error
    }
  },
)

export const factChanges = resource(bulk.listOwnFactChanges)

/** Adds the previewed facts to the picked documents; repeating the call has no effect. */
export async function addFacts(
  seen: BulkChangeView,
  picked: ReadonlySet<number>,
): Promise<BulkChangeView> {
  // All of them, also those that are not shown.
  const isWhole = picked.size === seen.rows.length
  const { id } = isWhole ? seen : await ask(bulk.previewOwnFacts, { body: { ids: [...picked] } })
  return afterwards(ask(bulk.applyOwnFacts, { params: { id } }))
}

export const undoFacts = (id: number): Promise<BulkChangeView> =>
  afterwards(ask(bulk.undoOwnFacts, { params: { id } }))

/** Shows what is left to do, also where the shop refused it, since something has changed meanwhile. */
async function afterwards<T>(work: Promise<T>): Promise<T> {
  const show = () => Promise.all([titleFacts.refresh(), factChanges.refresh()])
  const done = await work.catch(async (error: unknown) => {
    const { status = 0 } = problemOf(error)
    // What was picked stays for another try.
    if (status >= 400 && status < 500) await show()
    throw error
  })
  await show()
  return done
}
