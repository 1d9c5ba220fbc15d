import type { Rating } from '../../contract/ratings.ts'
import { isStars } from '../../rules/rating.ts'
import { $session } from '../account/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'

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

/** Why a rating was not given. */
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

/** What came of a rating that was submitted. */
export type RatingOutcome =
  | { kind: 'taken'; rating: Rating }
  | { kind: 'refused'; problem: RatingProblem }

const refused = (problem: RatingProblem): RatingOutcome => ({ kind: 'refused', problem })

/** Submits a rating; `stars` 0 is none chosen. */
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
    return { kind: 'taken', rating: await ask(({ ratings }) => ratings.addRating, { body }) }
  } catch (error) {
    const { code, status } = problemOf(error)
    if (status === 401) return refused('logInToSubmit')
    return refused(code === `${kind}_not_found` ? 'notFound' : 'failed')
  }
}

/** Deletes a rating of the user's own; false when that failed. */
export async function removeRating(id: number): Promise<boolean> {
  try {
    await ask(({ ratings }) => ratings.removeRating, { params: { id } })
    return true
  } catch (error) {
    logOnly('deleting a rating')(error)
    // Deleted already, in another tab.
    return problemOf(error).code === 'not_found'
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
