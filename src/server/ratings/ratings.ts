// The public interface of ratings: the rest of the server imports only this file.

export { checkRatings } from './check.ts'
export { mergeRatings } from './merge-ratings.ts'
