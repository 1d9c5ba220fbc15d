export const RATING_MIN = 1

export const RATING_MAX = 5

/** The stars that a rating may have, the fewest first. */
export const STARS: readonly number[] = Array.from(
  { length: RATING_MAX - RATING_MIN + 1 },
  (_, at) => RATING_MIN + at,
)

export const COMMENT_MAX_LENGTH = 2000

/** The longest answer of a teacher to a rating. */
export const ANSWER_MAX_LENGTH = 1000

/** The longest reason for hiding a rating, which its author reads. */
export const HIDING_REASON_MAX_LENGTH = 500

/** Whether a value is a rating: a whole number of stars from `RATING_MIN` to `RATING_MAX`. */
export function isStars(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= RATING_MIN && Number(value) <= RATING_MAX
}

/** The filter for a number of stars that a text in a URL means; none if it is no such number. */
export const starsIn = (text: string): { stars?: number } =>
  isStars(Number(text)) ? { stars: Number(text) } : {}

/** The average of ratings from their sum and number, with two decimals; 0 if there are none. */
export function averageOf(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum * 100) / count) / 100
}
