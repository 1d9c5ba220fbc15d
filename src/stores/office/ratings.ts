import type { Result } from '../../contract/call.ts'
import * as ratings from '../../contract/office-ratings.ts'
import { RATED, type ReceivedRating } from '../../contract/office-ratings.ts'
import { isStars } from '../../rules/rating.ts'
import { problemOf } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { documentOf } from './sales.ts'
import { createTable } from './table.ts'

export const ratingsTable = createTable({
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

/** A filter for a document's id or for `teacher`; any other value in the URL is ignored. */
function subjectOf(value: unknown) {
  const of = RATED.find((each) => each === value)
  return of ? { of } : documentOf(value)
}

const loader = createLoader<Result<typeof ratings.listRatedDocuments>>('rated documents')
export const $ratedDocuments = loader.$state

export function loadRatedDocuments(): Promise<void> {
  return loader.load(() => ask(ratings.listRatedDocuments, {}))
}

/**
 * Answers a rating, or changes the answer. If the rating or its answer has changed since it was
 * shown, the list is reloaded. Throws an `ApiError`.
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

export async function removeAnswer(id: number): Promise<void> {
  await ask(ratings.removeAnswer, { params: { id } })
  ratingsTable.refresh()
}
