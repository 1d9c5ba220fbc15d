import type { Result } from '../../contract/call.ts'
import * as ratings from '../../contract/office-ratings.ts'
import {
  type listReceivedRatings,
  RATED,
  type ReceivedRating,
} from '../../contract/office-ratings.ts'
import { isStars } from '../../rules/rating.ts'
import { problemOf } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { documentOf } from './sales.ts'
import { createTable } from './table.ts'

/** The ratings that the teacher received, filtered by whether they await an answer, by stars, or by what they are about. */
export const ratingsTable = createTable<
  ReceivedRating,
  '-ratedAt',
  Result<typeof listReceivedRatings>
>({
  what: 'ratings',
  sorts: ['-ratedAt'],
  filters: ['awaits', 'stars', 'about'],
  load: ({ page, awaits, stars, about }, signal) => {
    const query = {
      page,
      ...(awaits === 'answer' && { awaits: 'answer' as const }),
      ...(isStars(Number(stars)) && { stars: Number(stars) }),
      ...subjectOf(about),
    }
    return ask(ratings.listReceivedRatings, { query }, { signal })
  },
})

/** The id of a document, or `teacher`; anything else in a URL is ignored. */
function subjectOf(value: unknown) {
  const of = RATED.find((each) => each === value)
  return of ? { of } : documentOf(value)
}

const reading = createLoader<Result<typeof ratings.listRatedDocuments>>('rated documents')
/** The documents that have ratings. */
export const $ratedDocuments = reading.$state

export function loadRatedDocuments(): Promise<void> {
  return reading.load(() => ask(ratings.listRatedDocuments, {}))
}

/**
 * Answers a rating as it was shown, or changes the answer. If either has changed in the meantime, the
 * list is reloaded. Throws an `ApiError`.
 */
export async function answerRating(rating: ReceivedRating, text: string): Promise<void> {
  const { id, ratedAt, answer } = rating
  const body = { text: text.trim(), ratedAt, answeredAt: answer?.answeredAt ?? null }
  try {
    await ask(ratings.answerRating, { params: { id }, body })
  } catch (error) {
    const { code } = problemOf(error)
    if (code === 'rating_changed' || code === 'not_found') ratingsTable.refresh()
    throw error
  }
  ratingsTable.refresh()
}

/** Removes an answer. Throws an `ApiError`. */
export async function removeAnswer(id: number): Promise<void> {
  await ask(ratings.removeAnswer, { params: { id } })
  ratingsTable.refresh()
}
