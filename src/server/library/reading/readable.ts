import type { ErrorCode } from '../../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { type Customer, UnreadableFile } from '../../workers/workers.ts'

/** What a buyer reads is drawn before anybody's drafts. */
export const buyer = (userId: number): Customer => ({ lane: 'bought', account: `user ${userId}` })

/**
 * The result of opening a document; throws the fault `code` if its file cannot be read, which the
 * operator has to repair.
 */
export async function readable<Result>(
  { report }: Pick<Deps, 'report'>,
  opened: Promise<Result>,
  code: ErrorCode = 'document_unreadable',
): Promise<Result> {
  return opened.catch((error: unknown) => {
    if (!(error instanceof UnreadableFile)) throw error
    report(`A document cannot be read: ${error.message}`)
    throw fault(code)
  })
}
