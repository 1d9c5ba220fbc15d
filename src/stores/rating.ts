import type { Rating } from '../contract/ratings.ts'
import { isStars } from '../rules/rating.ts'
import { ask } from './backend.ts'
import { logOnly, problemOf } from './problem.ts'
import { $session } from './session.ts'

/** What is rated. */
export interface RatingSubject {
  kind: 'document' | 'teacher'
  id: number
}

/** An average, and of how many ratings. */
export interface Average {
  rating: number
  count: number
}

/** Why a rating was not given, in the words of section 8. */
export type RatingProblem =
  /** Stars chosen while logged out; the log-in page is next. */
  | 'logInToRate'
  /** Submitted while logged out. */
  | 'logInToSubmit'
  | 'noStars'
  | 'notFound'
  | 'failed'

/** Whether anybody is logged in who could rate. */
export function canRate(): boolean {
  return $session.get() !== null
}

/** The user's own rating; null where there is none, nobody is logged in, or it cannot be read. */
export async function readOwnRating({ kind, id }: RatingSubject): Promise<Rating | null> {
  const userId = $session.get()?.userId
  if (userId === undefined) return null
  try {
    return kind === 'document'
      ? await ask(({ ratings }) => ratings.getDocumentRatingOf, {
          params: { documentId: id, userId },
        })
      : await ask(({ ratings }) => ratings.getTeacherRatingOf, {
          params: { teacherId: id, userId },
        })
  } catch (error) {
    logOnly('own rating')(error)
    return null
  }
}

/** Submits a rating; null when it was taken. `stars` 0 is none chosen. */
export async function submitRating(
  { kind, id }: RatingSubject,
  stars: number,
  comment: string,
): Promise<RatingProblem | null> {
  const userId = $session.get()?.userId
  if (userId === undefined) return 'logInToSubmit'
  if (!isStars(stars)) return 'noStars'
  const createdAt = new Date().toISOString()
  const body = { user: { id: userId }, [kind]: { id }, rating: stars, comment, createdAt }
  try {
    await ask(({ ratings }) => ratings.addRating, { body })
    return null
  } catch (error) {
    const { code, status } = problemOf(error)
    if (status === 401) return 'logInToSubmit'
    return code === `${kind}_not_found` ? 'notFound' : 'failed'
  }
}

/** Reads the rated document or teacher again; null when it cannot be read. */
export async function readAverage({ kind, id }: RatingSubject): Promise<Average | null> {
  const input = { params: { id } }
  try {
    const { rating, ratingCount } =
      kind === 'document'
        ? await ask(({ catalogue }) => catalogue.getDocument, input)
        : await ask(({ catalogue }) => catalogue.getTeacher, input)
    return { rating, count: ratingCount }
  } catch (error) {
    logOnly('average')(error)
    return null
  }
}
