import * as calls from '../../contract/ratings.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { requireSelf } from '../http/identity.ts'
import { type Route, route } from '../http/route.ts'
import { presentRating } from './present.ts'
import { changeRating, rate, removeRating } from './rate.ts'
import * as ratings from './read-ratings.ts'

type Subject = ratings.Subject

/** Ratings: read by everyone, written by their authors. */
export const ratingRoutes: Route[] = [
  route(calls.listRatings, async ({ user, deps }) =>
    (await ratings.newestRatings(deps.database.kysely, user?.id)).map((row) =>
      presentRating(row, user?.id),
    ),
  ),
  route(calls.getRating, async ({ input, user, deps }) => {
    const row = await ratings.findRating(deps.database.kysely, user?.id, input.params.id)
    if (!row) throw fault('not_found')
    return presentRating(row, user?.id)
  }),
  route(calls.addRating, async ({ input, user, deps }) => {
    const { body } = input
    requireSelf(user, body.user.id)
    const subject: Subject = body.document
      ? { kind: 'document', id: body.document.id }
      : { kind: 'teacher', id: body.teacher?.id ?? 0 }
    const opinion = { stars: body.rating, comment: body.comment ?? '' }
    const row = await rate(deps.database, user.id, subject, opinion)
    return presentRating(row, user.id)
  }),
  route(calls.changeRating, async ({ input, user, deps }) => {
    const opinion = { stars: input.body.rating, comment: input.body.comment ?? '' }
    const row = await changeRating(deps.database, user.id, input.params.id, opinion)
    return presentRating(row, user.id)
  }),
  route(calls.removeRating, async ({ input, user, deps }) => {
    await removeRating(deps.database, user.id, input.params.id)
  }),

  route(calls.listDocumentRatings, async ({ input, user, deps }) =>
    list(deps, { kind: 'document', id: input.params.id }, user?.id),
  ),
  route(calls.getDocumentAverage, ({ input, deps }) =>
    ratings.averageOf(deps.database.kysely, { kind: 'document', id: input.params.id }),
  ),
  route(calls.listCommentedDocumentRatings, async ({ input, user, deps }) =>
    list(deps, { kind: 'document', id: input.params.id }, user?.id, true),
  ),
  route(calls.getDocumentRatingOf, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    return ownRating(deps, { kind: 'document', id: input.params.documentId }, user.id)
  }),

  route(calls.listTeacherRatings, async ({ input, user, deps }) =>
    list(deps, { kind: 'teacher', id: input.params.id }, user?.id),
  ),
  route(calls.getTeacherAverage, ({ input, deps }) =>
    ratings.averageOf(deps.database.kysely, { kind: 'teacher', id: input.params.id }),
  ),
  route(calls.listCommentedTeacherRatings, async ({ input, user, deps }) =>
    list(deps, { kind: 'teacher', id: input.params.id }, user?.id, true),
  ),
  route(calls.getTeacherRatingOf, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    return ownRating(deps, { kind: 'teacher', id: input.params.teacherId }, user.id)
  }),
]

async function list(
  { database: { kysely } }: Deps,
  subject: Subject,
  viewerId: number | undefined,
  commented = false,
) {
  await ratings.requireSubject(kysely, subject)
  const rows = await ratings.ratingsOf(kysely, viewerId, subject, commented)
  return rows.map((row) => presentRating(row, viewerId))
}

async function ownRating({ database: { kysely } }: Deps, subject: Subject, userId: number) {
  await ratings.requireSubject(kysely, subject)
  const row = await ratings.ratingBy(kysely, subject, userId)
  return row ? presentRating(row, userId) : null
}
