import type { FastifyBaseLogger } from 'fastify'
import type { Reading } from '../../../contract/reading.ts'
import { directionOf } from '../../../rules/reading-direction.ts'
import type { Deps } from '../../deps.ts'
import { drawingOf } from '../pages/drawing.ts'
import { boughtFile } from './bought-file.ts'
import { faultOf } from './drawing-faults.ts'
import { signReading } from './preview-link.ts'
import { noteSeen, placeIn } from './readings.ts'

/**
 * The data that the reader of a document's owner needs. Throws `document_not_found`,
 * `not_permitted`, `document_unreadable`.
 */
export async function openReading(
  deps: Deps,
  of: { readonly documentId: number; readonly userId: number },
  log: FastifyBaseLogger,
): Promise<Reading> {
  const file = await boughtFile(deps, of)
  const drawing = drawingOf(deps)
  const [sizes, { texts, hasText }, outline] = await Promise.all([
    drawing.sizes(file),
    drawing.beginning(file),
    drawing.outline(file),
  ]).catch((error: unknown) => {
    throw faultOf(error, log, 'document_unreadable')
  })
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
