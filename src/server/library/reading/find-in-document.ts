import type { Find } from '../../../contract/reading.ts'
import type { Deps } from '../../deps.ts'
import { inTime } from '../../workers/workers.ts'
import { picturesFor } from '../pages/pictures.ts'
import { boughtFile } from './bought-file.ts'
import { buyer, readable } from './readable.ts'

/** Finds a text in a bought document, page by page. Throws as `openReading` does. */
export async function findInDocument(
  deps: Deps,
  of: { readonly documentId: number; readonly userId: number; readonly wanted: string },
): Promise<{ hasText: boolean; finds: Find[]; hasMore: boolean }> {
  const file = await boughtFile(deps, of)
  const pictures = picturesFor(deps, buyer(of.userId))
  return readable(deps, inTime(pictures.find(file, of.wanted)))
}
