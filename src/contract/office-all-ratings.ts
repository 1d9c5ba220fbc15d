import { boolean, enums, type Infer, nullable, object, optional, string, type } from 'superstruct'
import { HIDING_REASON_MAX_LENGTH, RATING_MAX, RATING_MIN } from '../rules/rating.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../rules/suggestions.ts'
import { defineCall } from './call.ts'
import { RATED } from './office-ratings.ts'
import { pageOf, pageQuery } from './pages.ts'
import { byId, id, moment, text, whole } from './values.ts'

/** `counts`: by a verified buyer; `waits`: its author's address is not confirmed. */
export const RATING_STATES = ['counts', 'shown', 'waits', 'hidden'] as const
export type RatingState = (typeof RATING_STATES)[number]

/** A rating as administrators see it. */
export const ShopRating = type({
  id: id(),
  /** The rated document or teacher; `name` is the title or the teacher's name. */
  of: type({ kind: enums(RATED), id: id(), name: string() }),
  author: type({ id: id(), name: string() }),
  stars: whole(RATING_MIN, RATING_MAX),
  comment: string(),
  ratedAt: moment(),
  state: enums(RATING_STATES),
  hidden: nullable(type({ at: moment(), reason: string() })),
  answer: nullable(type({ text: string(), answeredAt: moment() })),
  /** Whether it has a comment, and no answer or one that is older than the rating's last change. */
  awaitsAnswer: boolean(),
})
export type ShopRating = Infer<typeof ShopRating>

export const ShopRatingFilters = object({
  ...pageQuery,
  /** The name of a person or document; folded. */
  q: optional(text(0, SEARCH_TEXT_MAX_LENGTH)),
  stars: optional(whole(RATING_MIN, RATING_MAX)),
  state: optional(enums(RATING_STATES)),
  of: optional(enums(RATED)),
  /** Only ratings with a comment, or only those that await an answer. */
  words: optional(enums(['written', 'unanswered'])),
})
export type ShopRatingFilters = Infer<typeof ShopRatingFilters>

/** All ratings of documents and teachers, newest first, including hidden ones. */
export const listAllRatings = defineCall('GET /office/admin/ratings', 'admin', {
  query: ShopRatingFilters,
  result: pageOf(ShopRating),
})

/** Hides a rating from everyone but its author, who sees the reason. */
export const hideRating = defineCall('POST /office/admin/ratings/:id/hide', 'admin', {
  params: byId,
  body: object({ reason: text(1, HIDING_REASON_MAX_LENGTH) }),
  result: ShopRating,
  errors: ['not_found', 'done_before'],
})

/** Shows a hidden rating to everyone again. */
export const showRating = defineCall('POST /office/admin/ratings/:id/show', 'admin', {
  params: byId,
  result: ShopRating,
  errors: ['not_found', 'done_before', 'rating_not_hidden'],
})
