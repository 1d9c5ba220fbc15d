import * as s from 'superstruct'
import {
  ANSWER_MAX_LENGTH,
  HIDING_REASON_MAX_LENGTH,
  RATING_MAX,
  RATING_MIN,
} from '../rules/rating.ts'
import { defineCall } from './call.ts'
import { byId, id, moment, pageOf, pageQuery, searchedText, text, whole } from './values.ts'

/** A rating of a teacher, or of one of their documents, as the teacher sees it. */
export const ReceivedRating = s.type({
  id: id(),
  /** The rated document; null if the teacher is rated. */
  document: s.nullable(s.type({ id: id(), title: s.string() })),
  /** First name and initial, as everyone sees them. */
  author: s.string(),
  stars: s.number(),
  /** '' if the author wrote nothing, so that there is nothing to answer. */
  comment: s.string(),
  ratedAt: moment(),
  /** Whether it is by a verified buyer, and so counts in the average. */
  verified: s.boolean(),
  answer: s.nullable(s.type({ text: s.string(), answeredAt: moment() })),
  /** Whether it has a comment, and no answer or one that is older than the rating's last change. */
  awaitsAnswer: s.boolean(),
})
export type ReceivedRating = s.Infer<typeof ReceivedRating>

/** What can be rated. */
export const RATED = ['document', 'teacher'] as const

export const ReceivedRatingFilters = s.object({
  ...pageQuery,
  /** Only ratings that await an answer. */
  awaits: s.optional(s.enums(['answer'])),
  stars: s.optional(whole(RATING_MIN, RATING_MAX)),
  of: s.optional(s.enums(RATED)),
  documentId: s.optional(id()),
})
export type ReceivedRatingFilters = s.Infer<typeof ReceivedRatingFilters>

/** The public ratings of the teacher and of their documents, newest first. */
export const listReceivedRatings = defineCall('GET /office/ratings', 'teacher', {
  query: ReceivedRatingFilters,
  /** `awaiting`: how many await an answer, whatever the filters. */
  result: s.assign(pageOf(ReceivedRating), s.type({ awaiting: s.number() })),
})

/** The documents that have ratings, by title; at most `PAGE_SIZE_MAX`, enough to choose from. */
export const listRatedDocuments = defineCall('GET /office/ratings/documents', 'teacher', {
  result: s.array(s.type({ id: id(), title: s.string() })),
})

/**
 * Answers a rating, or changes the answer. `ratedAt` and `answeredAt` (null: there was no answer)
 * are those that the teacher has read: if either has changed since, the answer is 409
 * `rating_changed` and nothing is written. The same answer again changes nothing.
 */
export const answerRating = defineCall('PUT /office/ratings/:id/answer', 'teacher', {
  params: byId,
  body: s.object({
    text: text(1, ANSWER_MAX_LENGTH),
    ratedAt: moment(),
    answeredAt: s.nullable(moment()),
  }),
  result: ReceivedRating,
  errors: ['not_found', 'rating_without_words', 'rating_changed'],
})

/** Removes the answer; if there is none, nothing changes. */
export const removeAnswer = defineCall('DELETE /office/ratings/:id/answer', 'teacher', {
  params: byId,
  result: ReceivedRating,
  errors: ['not_found'],
})

/** `counts`: by a verified buyer; `waits`: its author's address is not confirmed. */
export const RATING_STATES = ['counts', 'shown', 'waits', 'hidden'] as const
export type RatingState = (typeof RATING_STATES)[number]

/** A rating as administrators see it. */
export const ShopRating = s.type({
  id: id(),
  /** The rated document or teacher; `name` is the title or the teacher's name. */
  of: s.type({ kind: s.enums(RATED), id: id(), name: s.string() }),
  author: s.type({ id: id(), name: s.string() }),
  stars: whole(RATING_MIN, RATING_MAX),
  comment: s.string(),
  ratedAt: moment(),
  state: s.enums(RATING_STATES),
  hidden: s.nullable(s.type({ at: moment(), reason: s.string() })),
  answer: s.nullable(s.type({ text: s.string(), answeredAt: moment() })),
  /** Whether it has a comment, and no answer or one that is older than the rating's last change. */
  awaitsAnswer: s.boolean(),
})
export type ShopRating = s.Infer<typeof ShopRating>

export const ShopRatingFilters = s.object({
  ...pageQuery,
  /** The name of a person or document; folded. */
  q: s.optional(searchedText()),
  stars: s.optional(whole(RATING_MIN, RATING_MAX)),
  state: s.optional(s.enums(RATING_STATES)),
  of: s.optional(s.enums(RATED)),
  /** Only ratings with a comment, or only those that await an answer. */
  words: s.optional(s.enums(['written', 'unanswered'])),
})
export type ShopRatingFilters = s.Infer<typeof ShopRatingFilters>

/** All ratings of documents and teachers, newest first, including hidden ones. */
export const listAllRatings = defineCall('GET /office/admin/ratings', 'admin', {
  query: ShopRatingFilters,
  result: pageOf(ShopRating),
})

/** Hides a rating from everyone but its author, who sees the reason. */
export const hideRating = defineCall('POST /office/admin/ratings/:id/hide', 'admin', {
  params: byId,
  body: s.object({ reason: text(1, HIDING_REASON_MAX_LENGTH) }),
  result: ShopRating,
  errors: ['not_found', 'done_before'],
})

/** Shows a hidden rating to everyone again. */
export const showRating = defineCall('POST /office/admin/ratings/:id/show', 'admin', {
  params: byId,
  result: ShopRating,
  errors: ['not_found', 'done_before', 'rating_not_hidden'],
})
