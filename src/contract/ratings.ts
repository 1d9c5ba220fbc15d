import {
  array,
  boolean,
  type Infer,
  nullable,
  number,
  object,
  optional,
  refine,
  type Struct,
  string,
  type,
} from 'superstruct'
import { COMMENT_MAX_LENGTH, RATING_MAX, RATING_MIN } from '../rules/rating.ts'
import { defineCall } from './call.ts'
import { byId, id, moment, nothing, text, whole } from './values.ts'

/** A rating of a document or of a teacher. */
export const Rating = type({
  id: id(),
  /** The name is a first name and an initial; only the author gets the e-mail address. */
  user: type({ id: id(), name: string(), email: optional(string()) }),
  document: optional(nullable(type({ id: id(), title: string() }))),
  teacher: optional(nullable(type({ id: id(), name: string() }))),
  rating: number(),
  comment: nullable(string()),
  createdAt: moment(),
  /**
   * Whether it is by a verified buyer and counts in the average. Other backends may lack this and
   * the fields below.
   */
  verified: optional(boolean()),
  /**
   * Only for the author: whether others cannot see it yet because the author's e-mail address is
   * not confirmed.
   */
  awaitsConfirmation: optional(boolean()),
  /** Only for the author: why staff have hidden it from everyone else. */
  hiddenReason: optional(nullable(string())),
  /** The teacher's answer, if any. */
  answer: optional(type({ text: string(), answeredAt: moment() })),
})
export type Rating = Infer<typeof Rating>

/** How many ratings a list contains: the newest ones. */
export const RATINGS_MAX = 100

const stars = () => whole(RATING_MIN, RATING_MAX)
const comment = () => optional(nullable(text(0, COMMENT_MAX_LENGTH)))

export const listRatings = defineCall({
  method: 'GET',
  path: '/ratings',
  caller: 'anyone',
  result: array(Rating),
})
export const getRating = defineCall({
  method: 'GET',
  path: '/ratings/:id',
  caller: 'anyone',
  params: byId,
  result: Rating,
  errors: ['not_found'],
})

/**
 * Rates a document or a teacher; a second rating replaces the first. The server sets the time and
 * ignores `createdAt`.
 */
export const addRating = defineCall({
  method: 'POST',
  path: '/ratings',
  caller: 'user',
  body: refine(
    object({
      user: type({ id: id() }),
      document: optional(nullable(type({ id: id() }))),
      teacher: optional(nullable(type({ id: id() }))),
      rating: stars(),
      comment: comment(),
      createdAt: optional(moment()),
    }),
    'one subject',
    ({ document, teacher }) => !document !== !teacher || { path: ['document'], value: document },
  ),
  result: Rating,
  errors: ['forbidden', 'document_not_found', 'teacher_not_found'],
})
export const changeRating = defineCall({
  method: 'PUT',
  path: '/ratings/:id',
  caller: 'user',
  params: byId,
  body: object({ rating: stars(), comment: comment() }),
  result: Rating,
  errors: ['forbidden', 'not_found'],
})
export const removeRating = defineCall({
  method: 'DELETE',
  path: '/ratings/:id',
  caller: 'user',
  params: byId,
  result: nothing(),
  errors: ['forbidden', 'not_found'],
})

/**
 * The four calls that are the same for documents and teachers; `own` are the path's parameters of
 * the caller's own rating.
 */
function ratingsOf<Own extends object>(
  kind: 'document' | 'teacher',
  own: { path: `/${string}`; params: Struct<Own> },
) {
  const errors = [`${kind}_not_found`] as const
  const open = { method: 'GET', caller: 'anyone', params: byId, errors } as const
  return {
    list: defineCall({ ...open, path: `/ratings/${kind}/:id`, result: array(Rating) }),
    average: defineCall({ ...open, path: `/ratings/${kind}/:id/average`, result: number() }),
    commented: defineCall({
      ...open,
      path: `/ratings/${kind}/:id/comments`,
      result: array(Rating),
    }),
    own: defineCall({
      method: 'GET',
      caller: 'user',
      ...own,
      result: nullable(Rating),
      errors: ['forbidden', ...errors],
    }),
  }
}

const ofDocument = ratingsOf('document', {
  path: '/ratings/document/:documentId/user/:userId',
  params: object({ documentId: id(), userId: id() }) as Struct<{
    documentId: number
    userId: number
  }>,
})
const ofTeacher = ratingsOf('teacher', {
  path: '/ratings/teacher/:teacherId/user/:userId',
  params: object({ teacherId: id(), userId: id() }) as Struct<{
    teacherId: number
    userId: number
  }>,
})

export const listDocumentRatings = ofDocument.list
export const listTeacherRatings = ofTeacher.list
/** The average of the ratings that count, with at most 2 decimals; 0 if there are none. */
export const getDocumentAverage = ofDocument.average
/** The same for the ratings by customers who paid for one of the teacher's documents. */
export const getTeacherAverage = ofTeacher.average
/** The ratings with comments, buyers' ratings first. */
export const listCommentedDocumentRatings = ofDocument.commented
export const listCommentedTeacherRatings = ofTeacher.commented
/** The caller's own rating; null if there is none. */
export const getDocumentRatingOf = ofDocument.own
export const getTeacherRatingOf = ofTeacher.own
