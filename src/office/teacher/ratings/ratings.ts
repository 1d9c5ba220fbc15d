import * as ratings from '../../../contract/office-ratings.ts'
import { RATED, type ReceivedRating } from '../../../contract/office-ratings.ts'
import { starsIn } from '../../../rules/rating.ts'
import { problemOf } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'
import { documentOf } from '../sales/sales.ts'

export const ratingsTable = tableOf(ratings.listReceivedRatings, {
  choices: { awaits: ['answer'] },
  filters: { stars: starsIn, about: subjectOf },
})

/** A filter for a document's id or for `teacher`; any other value in the URL is ignored. */
function subjectOf(value: string) {
  const of = RATED.find((each) => each === value)
  return of ? { of } : documentOf(value)
}

export const { $state: $ratedDocuments, load: loadRatedDocuments } = resource(
  ratings.listRatedDocuments,
)

/**
 * Answers a rating, or changes the answer. If the rating or its answer has changed since it was
 * shown, the list is reloaded. Throws an `ApiError`.
 */
export async function answerRating(rating: ReceivedRating, text: string): Promise<void> {
  const { id, ratedAt, answer } = rating
  const body = { text: text.trim(), ratedAt, answeredAt: answer?.answeredAt ?? null }
  try {
    const answered = await ask(ratings.answerRating, { params: { id }, body })
    ratingsTable.put((row) => row.id === id, answered)
  } catch (error) {
    const { code } = problemOf(error)
    if (code === 'rating_changed' || code === 'not_found') ratingsTable.refresh()
    throw error
  }
}

export async function removeAnswer(id: number): Promise<void> {
  await ask(ratings.removeAnswer, { params: { id } })
  ratingsTable.refresh()
}
