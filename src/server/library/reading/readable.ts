import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { type Customer, UnreadableFile } from '../../workers/workers.ts'

/** What a buyer reads is drawn before anybody's drafts. */
export const buyer = (userId: number): Customer => ({ lane: 'bought', account: `user ${userId}` })

/**
 * The result of opening a document; throws `document_unreadable` if its file cannot be read, of
 * which the operator is told.
 */
export async function readable<Result>(
  { report }: Pick<Deps, 'report'>,
  opened: Promise<Result>,
): Promise<Result> {
  return opened.catch((error: unknown) => {
    if (!(error instanceof UnreadableFile)) throw error
    report(`A document cannot be read: ${error.message}`)
    throw fault('document_unreadable')
  })
}
