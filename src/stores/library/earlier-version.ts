import { downloadName } from '../../rules/file-name.ts'
import { $session } from '../account/session.ts'
import { ask } from '../shared/backend.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { saveFile } from '../shared/save-file.ts'
import type { Readable } from './reading.ts'

/**
 * Downloads an earlier version of a bought document and lets the browser save it under `name`; returns
 * the problem, if any.
 */
export async function downloadEarlier(
  { documentId, fileType = '' }: Pick<Readable, 'documentId' | 'fileType'>,
  version: number,
  name: string,
): Promise<Problem | null> {
  const userId = $session.get()?.userId ?? 0
  try {
    const file = await ask(({ library }) => library.downloadDocument, {
      params: { id: documentId, userId },
      query: { version },
    })
    if (file instanceof Blob) saveFile(file, downloadName(name, fileType).utf8)
    return null
  } catch (error) {
    return problemOf(error)
  }
}
