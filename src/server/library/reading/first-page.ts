import type { Deps } from '../../deps.ts'
import { StorageUnavailable } from '../../files/files.ts'
import { inTime, UnreadableFile, WorkersBusy } from '../../workers/workers.ts'
import { findOwnFile } from '../sending/find-file.ts'
import { picturesFor } from './pictures.ts'

/**
 * The text of the first page of an own file, for proposals, which are an aid: '' also where the page has none, or
 * cannot be read now.
 */
export async function firstPageText(
  deps: Pick<Deps, 'database' | 'files' | 'workers'>,
  of: { readonly userId: number; readonly documentId: number; readonly version: number },
): Promise<string> {
  const file = await findOwnFile(deps.database.kysely, of)
  if (file === 'unknown') return ''
  const pictures = picturesFor(deps, { lane: 'drafts', account: `user ${of.userId}` })
  try {
    return (await inTime(pictures.text(file, 1))) ?? ''
  } catch (error) {
    const isExpected = [UnreadableFile, WorkersBusy, StorageUnavailable].some(
      (kind) => error instanceof kind,
    )
    if (!isExpected) throw error
    return ''
  }
}
