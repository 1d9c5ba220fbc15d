import type { Reading } from '../../../contract/reading.ts'
import { directionOf } from '../../../rules/page-passages.ts'
import type { Deps } from '../../deps.ts'
import { inTime } from '../../workers/workers.ts'
import { picturesFor } from '../pages/pictures.ts'
import { boughtFile } from './bought-file.ts'
import { signReading } from './preview-link.ts'
import { buyer, readable } from './readable.ts'
import { noteSeen, placeIn } from './readings.ts'

/**
 * The data that the reader of a document's owner needs. Throws `document_not_found`,
 * `not_permitted`, `document_unreadable`.
 */
export async function openReading(
  deps: Deps,
  of: { readonly documentId: number; readonly userId: number },
): Promise<Reading> {
  const file = await boughtFile(deps, of)
  const pictures = picturesFor(deps, buyer(of.userId))
  const [sizes, { texts, hasText }, outline] = await readable(
    deps,
    inTime(Promise.all([pictures.sizes(file), pictures.beginning(file), pictures.outline(file)])),
  )
  await noteSeen(deps, of, file)
  const place = await placeIn(deps.database.kysely, of)
  const { title, version } = file
  const { token, expiresAt } = signReading(deps.secret, { ...of, reads: version }, deps.now())
  return {
    documentId: of.documentId,
    title,
    version,
    sizes,
    pages: `/api/preview/${token}/`,
    expiresAt: new Date(expiresAt).toISOString(),
    direction: directionOf(texts, title),
    outline,
    // A new version may have fewer pages.
    place: place && { ...place, page: Math.min(place.page, sizes.length) },
    hasText,
  }
}
