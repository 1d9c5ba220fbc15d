import * as contract from '../../../contract/reading.ts'
import { type Route, route } from '../../http/route.ts'
import { boughtFile } from './bought-file.ts'
import { findInDocument } from './find-in-document.ts'
import { openReading } from './open-reading.ts'
import { writePlace } from './readings.ts'

/** Bought documents in the reader. */
export const readingRoutes: Route[] = [
  route(contract.openReading, async ({ input, user, deps, limits }) => {
    limits.bound('reading', user.id)
    const of = { documentId: input.params.id, userId: user.id }
    return openReading(deps, of)
  }),
  route(contract.keepPlace, async ({ input, user, deps, limits }) => {
    limits.bound('place', user.id)
    const of = { documentId: input.params.id, userId: user.id }
    const { pageCount } = await boughtFile(deps, of)
    const now = deps.now()
    const shownAt = Date.parse(input.body.at ?? '')
    return writePlace(deps.database.kysely, of, {
      page: Math.min(input.body.page, pageCount ?? input.body.page),
      at: new Date(Number.isNaN(shownAt) ? now : Math.min(shownAt, now)),
    })
  }),
  route(contract.findInDocument, async ({ input, user, deps, limits }) => {
    limits.bound('find', user.id)
    const of = { documentId: input.params.id, userId: user.id, wanted: input.query.q }
    return findInDocument(deps, of)
  }),
]
