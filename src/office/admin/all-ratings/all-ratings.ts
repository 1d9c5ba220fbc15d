import * as ratings from '../../../contract/office-ratings.ts'
import { RATED, RATING_STATES, type ShopRating } from '../../../contract/office-ratings.ts'
import { starsIn } from '../../../rules/rating.ts'
import { ask, orReload } from '../../kit/backend.ts'
import { tableOf } from '../../kit/tables/table.ts'

export const allRatingsTable = tableOf(ratings.listAllRatings, {
  choices: { state: RATING_STATES, of: RATED, words: ['written', 'unanswered'] },
  filters: { stars: starsIn },
})

/** Hides a rating for a reason, or shows it again if the reason is null. Throws an `ApiError`. */
export async function setHidden({ id }: ShopRating, reason: string | null): Promise<void> {
  const params = { id }
  const work =
    reason === null
      ? ask(ratings.showRating, { params })
      : ask(ratings.hideRating, { params, body: { reason } })
  await orReload<unknown>(work, allRatingsTable.refresh)
  allRatingsTable.refresh()
}
