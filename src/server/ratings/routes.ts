import type { ReceivedRating } from '../../contract/office-ratings.ts'
import * as moderating from '../../contract/office-ratings.ts'
import * as received from '../../contract/office-ratings.ts'
import type { Rating } from '../../contract/ratings.ts'
import * as calls from '../../contract/ratings.ts'
import { shortName } from '../../rules/full-name.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { requireSelf } from '../http/identity.ts'
import { pageOf, type Route, route, type User } from '../http/route.ts'
import { findRatings, presentShopRating, setHidden } from './moderation.ts'
import * as ratings from './ratings.ts'
import { changeRating, type RatingRow, rate, removeRating } from './ratings.ts'
import {
  type Answerer,
  answerRating,
  ratedDocuments,
  receivedRatings,
  removeAnswer,
} from './received.ts'

type Subject = ratings.Subject

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
  route(calls.getDocumentStars, ({ input, deps }) =>
    ratings.starsOf(deps.database.kysely, input.params.id),
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

/**
 * A rating in the form of the API. Parents are private people: others see their first name and an
 * initial; only the author gets the e-mail address, and the reason why a rating is hidden.
 */
function presentRating(row: RatingRow, viewerId: number | undefined): Rating {
  const isOwn = row.userId === viewerId
  const answer = answerOf(row)
  return {
    id: row.id,
    user: {
      id: row.userId,
      name: shortName(row),
      ...(isOwn && row.email !== null && { email: row.email }),
    },
    document:
      row.documentId === null ? null : { id: row.documentId, title: row.documentTitle ?? '' },
    teacher: row.teacherId === null ? null : { id: row.teacherId, name: row.teacherName ?? '' },
    rating: row.stars,
    comment: row.comment,
    createdAt: row.createdAt.toISOString(),
    verified: row.counts,
    ...(answer && { answer }),
    ...(isOwn && {
      awaitsConfirmation: !row.isPublic && row.hiddenReason === null,
      hiddenReason: row.hiddenReason,
    }),
  }
}

function presentReceived(row: RatingRow): ReceivedRating {
  const { id, documentId, documentTitle, stars, comment, counts, createdAt } = row
  return {
    id,
    document: documentId === null ? null : { id: documentId, title: documentTitle ?? '' },
    author: shortName(row),
    stars,
    comment,
    ratedAt: createdAt.toISOString(),
    verified: counts,
    answer: answerOf(row),
    awaitsAnswer: comment !== '' && (row.answer === null || row.isAnswerOutdated),
  }
}

function answerOf({ answer, answeredAt }: RatingRow) {
  return answer && answeredAt ? { text: answer, answeredAt: answeredAt.toISOString() } : null
}

export const moderationRoutes: Route[] = [
  route(moderating.listAllRatings, async ({ input: { query }, deps }) => {
    const { rows, ...at } = await findRatings(deps.database, query)
    return pageOf(rows.map(presentShopRating), at)
  }),
  route(moderating.hideRating, async ({ input: { params, body }, user, deps }) => {
    const by = { actor: user.actor, reason: body.reason }
    return shown(await setHidden(deps, params.id, by))
  }),
  route(moderating.showRating, async ({ input: { params }, user, deps }) =>
    shown(await setHidden(deps, params.id, { actor: user.actor, reason: null })),
  ),
]

function shown(row: RatingRow | null): moderating.ShopRating {
  if (!row) throw fault('not_found')
  return presentShopRating(row)
}

export const receivedRatingRoutes: Route[] = [
  route(received.listReceivedRatings, async ({ input, user, deps }) => {
    const { kysely } = deps.database
    const { rows, awaiting, ...at } = await receivedRatings(kysely, user.teacherId, input.query)
    return { ...pageOf(rows.map(presentReceived), at), awaiting }
  }),
  route(received.listRatedDocuments, ({ user, deps }) =>
    ratedDocuments(deps.database.kysely, user.teacherId),
  ),
  route(received.answerRating, async ({ input, user, deps, limits }) => {
    limits.bound('answer', user.teacherId)
    const { text, ...read } = input.body
    const answer = { text, read }
    return presentReceived(await answerRating(deps, input.params.id, answererOf(user), answer))
  }),
  route(received.removeAnswer, async ({ input, user, deps, limits }) => {
    limits.bound('answer', user.teacherId)
    return presentReceived(await removeAnswer(deps, input.params.id, answererOf(user)))
  }),
]

const answererOf = ({ actor, teacherId }: User & { teacherId: number }): Answerer => ({
  actor,
  teacherId,
})
