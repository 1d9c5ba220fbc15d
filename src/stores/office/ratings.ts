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

/** The ratings that the teacher received, narrowed to what awaits an answer, to stars, or to what they are of. */
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

/** A document by its id, or all that is of the teacher; what an address cannot mean is no filter. */
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
 * Answers a rating as it was read, or changes the answer. Where either has changed meanwhile, the list
 * is read again. Throws an `ApiError`.
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

/** Takes an answer back. Throws an `ApiError`. */
export async function removeAnswer(id: number): Promise<void> {
  await ask(ratings.removeAnswer, { params: { id } })
  ratingsTable.refresh()
}
