import * as contract from '../../contract/office-ratings.ts'
import { pageOf } from '../http/page-of.ts'
import { type Route, route, type User } from '../http/route.ts'
import { type Answerer, answerRating, removeAnswer } from './answers.ts'
import { presentReceived } from './present.ts'
import { ratedDocuments, receivedRatings } from './received.ts'

/** The ratings that a teacher received, and the answers to them. */
export const receivedRatingRoutes: Route[] = [
  route(contract.listReceivedRatings, async ({ input, user, deps }) => {
    const { kysely } = deps.database
    const { rows, awaiting, ...at } = await receivedRatings(kysely, user.teacherId, input.query)
    return { ...pageOf(rows.map(presentReceived), at), awaiting }
  }),
  route(contract.listRatedDocuments, ({ user, deps }) =>
    ratedDocuments(deps.database.kysely, user.teacherId),
  ),
  route(contract.answerRating, async ({ input, user, deps, limits }) => {
    limits.bound('answer', user.teacherId)
    const { text, ...read } = input.body
    const answer = { text, read }
    return presentReceived(await answerRating(deps, input.params.id, answererOf(user), answer))
  }),
  route(contract.removeAnswer, async ({ input, user, deps, limits }) => {
    limits.bound('answer', user.teacherId)
    return presentReceived(await removeAnswer(deps, input.params.id, answererOf(user)))
  }),
]

const answererOf = ({ actor, teacherId }: User & { teacherId: number }): Answerer => ({
  actor,
  teacherId,
})
