import * as s from 'superstruct'
import { UNKNOWN_ID } from '../rules/features.ts'
import { COMMENT_MAX_LENGTH, RATING_MAX, RATING_MIN } from '../rules/rating.ts'
import { defineCall } from './call.ts'
import {
  byId,
  extra,
  id,
  idOrNone,
  moment,
  nothing,
  ours,
  saidMoment,
  text,
  textOrNone,
  whole,
} from './values.ts'

/** A rating of a document or of a teacher. */
export const Rating = s.type({
  id: idOrNone(),
  /** The name is a first name and an initial; only the author gets the e-mail address. */
  user: s.type({ id: idOrNone(), name: textOrNone(), email: extra(s.string()) }),
  document: extra(s.nullable(s.type({ id: id(), title: s.string() }))),
  teacher: extra(s.nullable(s.type({ id: id(), name: s.string() }))),
  rating: s.number(),
  comment: ours(s.nullable(s.string()), null),
  createdAt: saidMoment(),
  /** Whether it is by a verified buyer and counts in the average. */
  verified: extra(s.boolean()),
  /**
   * Only for the author: whether others cannot see it yet because the author's e-mail address is
   * not confirmed.
   */
  awaitsConfirmation: extra(s.boolean()),
  /** Only for the author: why staff have hidden it from everyone else. */
  hiddenReason: extra(s.nullable(s.string())),
  /** The teacher's answer, if any. */
  answer: extra(s.type({ text: s.string(), answeredAt: moment() })),
})
export type Rating = s.Infer<typeof Rating>

/** The rating after a change; of another backend's answer may be nothing but what was sent. */
const changedRating = ours(Rating, {
  id: UNKNOWN_ID,
  user: { id: UNKNOWN_ID, name: '' },
  rating: 0,
  comment: null,
  createdAt: '',
})

/** How many ratings a list contains: the newest ones. */
export const RATINGS_MAX = 100

const stars = () => whole(RATING_MIN, RATING_MAX)
const comment = () => s.optional(s.nullable(text(0, COMMENT_MAX_LENGTH)))

export const listRatings = defineCall('GET /ratings', 'anyone', { result: s.array(Rating) })
export const getRating = defineCall('GET /ratings/:id', 'anyone', {
  params: byId,
  result: Rating,
  errors: ['not_found'],
})

/**
 * Rates a document or a teacher; a second rating replaces the first. The server sets the time and
 * ignores `createdAt`.
 */
export const addRating = defineCall('POST /ratings', 'user', {
  body: s.refine(
    s.object({
      user: s.type({ id: id() }),
      document: s.optional(s.nullable(s.type({ id: id() }))),
      teacher: s.optional(s.nullable(s.type({ id: id() }))),
      rating: stars(),
      comment: comment(),
      createdAt: s.optional(moment()),
    }),
    'one subject',
    ({ document, teacher }) => !document !== !teacher || { path: ['document'], value: document },
  ),
  result: changedRating,
  errors: ['forbidden', 'document_not_found', 'teacher_not_found'],
})
export const changeRating = defineCall('PUT /ratings/:id', 'user', {
  params: byId,
  body: s.object({ rating: stars(), comment: comment() }),
  result: changedRating,
  errors: ['forbidden', 'not_found'],
})
export const removeRating = defineCall('DELETE /ratings/:id', 'user', {
  params: byId,
  result: nothing(),
  errors: ['forbidden', 'not_found'],
})

export const listDocumentRatings = defineCall('GET /ratings/document/:id', 'anyone', {
  params: byId,
  result: s.array(Rating),
  errors: ['document_not_found'],
})
export const listTeacherRatings = defineCall('GET /ratings/teacher/:id', 'anyone', {
  params: byId,
  result: s.array(Rating),
  errors: ['teacher_not_found'],
})

/** The average of the ratings that count, with at most 2 decimals; 0 if there are none. */
export const getDocumentAverage = defineCall('GET /ratings/document/:id/average', 'anyone', {
  params: byId,
  result: s.number(),
  errors: ['document_not_found'],
})
/** The same for the ratings by customers who paid for one of the teacher's documents. */
export const getTeacherAverage = defineCall('GET /ratings/teacher/:id/average', 'anyone', {
  params: byId,
  result: s.number(),
  errors: ['teacher_not_found'],
})

/**
 * How many of the ratings that count have 1, 2, … up to `RATING_MAX` stars; their sum is the
 * document's `ratingCount`.
 */
export const getDocumentStars = defineCall('GET /ratings/document/:id/stars', 'anyone', {
  feature: 'ratings',
  params: byId,
  result: s.array(s.number()),
  errors: ['document_not_found'],
})

/** The ratings with comments, buyers' ratings first. */
export const listCommentedDocumentRatings = defineCall(
  'GET /ratings/document/:id/comments',
  'anyone',
  {
    params: byId,
    result: s.array(Rating),
    errors: ['document_not_found'],
  },
)
export const listCommentedTeacherRatings = defineCall(
  'GET /ratings/teacher/:id/comments',
  'anyone',
  {
    params: byId,
    result: s.array(Rating),
    errors: ['teacher_not_found'],
  },
)

/** The caller's own rating; null if there is none. */
export const getDocumentRatingOf = defineCall(
  'GET /ratings/document/:documentId/user/:userId',
  'user',
  {
    params: s.object({ documentId: id(), userId: id() }),
    result: s.nullable(Rating),
    errors: ['forbidden', 'document_not_found'],
  },
)
export const getTeacherRatingOf = defineCall(
  'GET /ratings/teacher/:teacherId/user/:userId',
  'user',
  {
    params: s.object({ teacherId: id(), userId: id() }),
    result: s.nullable(Rating),
    errors: ['forbidden', 'teacher_not_found'],
  },
)
