// The public interface of ratings: the rest of the server imports only this file.

export { answerRating, removeAnswer } from './answers.ts'
export { checkRatings } from './check.ts'
export { ratingState } from './find-ratings.ts'
export { mergeRatings } from './merge-ratings.ts'
export { setHidden } from './moderation.ts'
export { type RatingRow, readRatings, subjectOf } from './read-ratings.ts'
export { AWAITS_ANSWER } from './received.ts'
