import type { Rating } from '../../contract/ratings.ts'
import { isStars } from '../../rules/rating.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'

export interface RatingSubject {
  kind: 'document' | 'teacher'
  id: number
}

export interface Average {
  rating: number
  count: number
  /** How many ratings of a document have 1, 2, … stars; missing if that is not known. */
  stars?: readonly number[]
}

/** Why a rating was not accepted. */
export type RatingProblem =
  /** Stars were chosen while logged out; the log-in page opens next. */
  | 'logInToRate'
  /** Submitted while logged out. */
  | 'logInToSubmit'
  | 'noStars'
  | 'notFound'
  | 'failed'

export function canRate(): boolean {
  return $session.get() !== null
}

/** The user's own rating; null if there is none, nobody is logged in, or it cannot be loaded. */
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

/** The result of submitting a rating. */
type RatingOutcome = { kind: 'taken'; rating: Rating } | { kind: 'refused'; problem: RatingProblem }

const refused = (problem: RatingProblem): RatingOutcome => ({ kind: 'refused', problem })

/** Submits a rating; `stars` is 0 if none are chosen. */
export async function submitRating(
  { kind, id }: RatingSubject,
  stars: number,
  comment: string,
): Promise<RatingOutcome> {
  const userId = $session.get()?.userId
  if (userId === undefined) return refused('logInToSubmit')
  if (!isStars(stars)) return refused('noStars')
  const createdAt = new Date().toISOString()
  const body = { user: { id: userId }, [kind]: { id }, rating: stars, comment, createdAt }
  try {
    const answer = await ask(({ ratings }) => ratings.addRating, { body })
    return { kind: 'taken', rating: { ...answer, rating: stars, comment } }
  } catch (error) {
    const { code, status } = problemOf(error)
    if (status === 401) return refused('logInToSubmit')
    return refused(code === `${kind}_not_found` ? 'notFound' : 'failed')
  }
}

/** Deletes a rating of the user; returns false on failure. */
export async function removeRating(id: number): Promise<boolean> {
  try {
    await ask(({ ratings }) => ratings.removeRating, { params: { id } })
    return true
  } catch (error) {
    logOnly('deleting a rating')(error)
    // It was deleted in another tab.
    return problemOf(error).code === 'not_found'
  }
}

/** Loads the new average of the document or teacher; null on failure. */
export async function readAverage({ kind, id }: RatingSubject): Promise<Average | null> {
  const input = { params: { id } }
  try {
    if (kind === 'teacher') {
      const { rating, ratingCount } = await ask(({ catalogue }) => catalogue.getTeacher, input)
      return { rating, count: ratingCount }
    }
    const [{ rating, ratingCount }, stars] = await Promise.all([
      ask(({ catalogue }) => catalogue.getDocument, input),
      // Another backend may not count them.
      ask(({ ratings }) => ratings.getDocumentStars, input).catch(() => undefined),
    ])
    return { rating, count: ratingCount, ...(stars && { stars }) }
  } catch (error) {
    logOnly('average')(error)
    return null
  }
}
