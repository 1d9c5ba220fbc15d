import * as contract from '../../contract/office-review.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { signPreview } from '../library/library.ts'
import { versionsOf } from './history.ts'
import { presentOwn, presentVersion } from './present.ts'
import { readReview, readWaiting } from './read-review.ts'
import { accept, returnToTeacher } from './review.ts'

/** How many rows a page of the list shows. */
const PAGE_SIZE = 20

/** The review of what teachers submit, by administrators. */
export const reviewRoutes: Route[] = [
  route(contract.listReview, async ({ input, deps }) => {
    const { page = 0, size = PAGE_SIZE, what, q } = input.query
    const filter = { what, q, limit: size, offset: page * size }
    const { rows, total } = await readWaiting(deps.database.kysely, filter)
    return {
      content: rows.map((row) => ({
        ...presentOwn(row),
        what: row.what,
        since: row.since.toISOString(),
      })),
      totalElements: total,
      totalPages: Math.ceil(total / size),
      number: page,
      size,
    }
  }),
  route(contract.getReview, async ({ input, deps }) => {
    const review = await readReview(deps.database.kysely, input.params.id)
    if (!review) throw fault('document_not_found')
    const { document, versions, waits, ...shown } = review
    return {
      ...shown,
      document: presentOwn(document),
      what: waits?.what ?? null,
      since: waits?.since.toISOString() ?? null,
      versions: versions.map(presentVersion),
    }
  }),
  route(contract.previewReview, async ({ input, user, deps, reply }) => {
    const { kysely } = deps.database
    const { id: documentId } = input.params
    const { version } = input.query
    const versions = await versionsOf(kysely, documentId)
    const isKept = versions.some(({ number, fileId }) => number === version && fileId !== null)
    if (!isKept) throw fault('document_not_found')
    const token = signPreview(deps.secret, { documentId, userId: user.id, version }, deps.now())
    return reply.type('text/plain; charset=utf-8').send(`/preview/${token}`)
  }),
  route(contract.acceptReview, async ({ input, user, deps }) => {
    const { id } = input.params
    await accept(deps, { id, actor: user.actor, ...input.body })
    return next(deps)
  }),
  route(contract.returnReview, async ({ input, user, deps }) => {
    const { id } = input.params
    const { revision, ...why } = input.body
    await returnToTeacher(deps, { id, actor: user.actor, revision }, why)
    return next(deps)
  }),
]

/** The next item to review after a decision. */
async function next({ database }: Deps): Promise<contract.Next> {
  const { rows, total } = await readWaiting(database.kysely, { limit: 1 })
  return { next: rows[0]?.id ?? null, left: total }
}
