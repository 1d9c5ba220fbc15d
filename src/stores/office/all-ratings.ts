import * as ratings from '../../contract/office-ratings.ts'
import { RATED, RATING_STATES, type ShopRating } from '../../contract/office-ratings.ts'
import { isStars } from '../../rules/rating.ts'
import { ask, orReload } from './backend.ts'
import { createTable } from './table.ts'

export const allRatingsTable = createTable({
  what: 'all ratings',
  sorts: ['-ratedAt'],
  filters: ['stars', 'state', 'of', 'words'],
  load: ({ page, q, ...filters }, signal) => {
    const state = RATING_STATES.find((each) => each === filters.state)
    const of = RATED.find((each) => each === filters.of)
    const words = (['written', 'unanswered'] as const).find((each) => each === filters.words)
    const query = {
      page,
      ...(q && { q }),
      ...(isStars(Number(filters.stars)) && { stars: Number(filters.stars) }),
      ...(state && { state }),
      ...(of && { of }),
      ...(words && { words }),
    }
    return ask(ratings.listAllRatings, { query }, { signal })
  },
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
