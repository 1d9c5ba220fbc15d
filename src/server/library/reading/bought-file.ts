import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { type BoughtFile, type FileRequest, findFile } from '../find-file.ts'

/**
 * The file that a customer bought. Throws `document_not_found`, `not_permitted`,
 * `version_not_offered`.
 */
export async function boughtFile(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  request: FileRequest,
): Promise<BoughtFile> {
  const file = await findFile(database.kysely, request, now())
  if (file === 'unknown') throw fault('document_not_found')
  if (file === 'not bought') throw fault('not_permitted')
  if (file === 'not offered') throw fault('version_not_offered')
  return file
}
