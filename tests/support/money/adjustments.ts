import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ApiFault } from '../../../src/server/http/errors.ts'
import {
  adjust,
  confirmAdjustment,
  refuseAdjustment,
  withdrawAdjustment,
} from '../../../src/server/money/admin/adjustments.ts'
import { at, count, expectThat, type Step, type World } from './world.ts'

/** Two administrators of this history alone, since the limit counts all wallets of the shop. */
const actorsOf = ({ teacherIds: [id = 0] }: World) =>
  [0, 1].map((place) => `user ${900_000 + 2 * id + place}`)

const LIMIT = dinars(200)

/** The response, or the error code of a refusal. */
const answerOf = (work: Promise<number>): Promise<number | string> =>
  work.catch((error) => {
    if (error instanceof ApiFault) return error.code
    throw error
  })

/** Adjustments of wallets by administrators, alone and in pairs, in the shop and in the model. */
export const ADJUSTMENTS = {
  async adjust(world: World, { who, what, how }: Step) {
    const { app, model, people } = world
    const place = who % people.length
    const customer = model.customers[place]
    const actor = actorsOf(world)[what % 2] ?? ''
    if (!customer) return
    const size = dinars(what % 3 === 0 ? 180 + (how % 90) : (how % 40) + 0.25)
    const amount = how % 2 === 0 ? size : -size
    const now = app.deps.now()
    const request = { userId: people[place]?.id ?? 0, amount, reason: 'history' }
    const answer = await answerOf(adjust(app.deps, request, { actor }))
    if (customer.balance + amount < 0) {
      expectThat(answer === 'wallet_too_low', 'no wallet goes below 0', answer)
      return count(world, 'adjustment refused')
    }
    if (typeof answer === 'string') throw new Error(answer)
    const alone = model.adjusted
      .filter((one) => one.actor === actor && one.at > now - DAY_MS)
      .reduce((sum, one) => sum + one.size, 0)
    if (alone + size > LIMIT) {
      model.proposed.push({ id: answer, customer, amount, actor })
      return count(world, 'adjustment proposed')
    }
    model.adjusted.push({ actor, size, at: now })
    customer.balance += amount
    model.adjustments -= amount
    count(world, 'wallet adjusted')
  },

  async second(world: World, { what, how }: Step) {
    const { app, model } = world
    const proposal = at(model.proposed, what)
    if (!proposal) return
    const { id, customer, amount } = proposal
    const own = { actor: proposal.actor }
    const other = { actor: actorsOf(world).find((actor) => actor !== proposal.actor) ?? '' }
    // A merged account no longer has a wallet.
    if (!model.customers.includes(customer)) {
      expectThat(
        (await answerOf(confirmAdjustment(app.deps, id, other))) === 'account_merged',
        'a closed wallet is not adjusted',
        id,
      )
      await refuseAdjustment(app.deps, { id, reason: 'merged' }, other)
      model.proposed.splice(model.proposed.indexOf(proposal), 1)
      return count(world, 'adjustment of a merged account')
    }
    const decided = () => model.proposed.splice(model.proposed.indexOf(proposal), 1)
    if (how % 5 === 0) {
      expectThat(
        (await answerOf(confirmAdjustment(app.deps, id, own))) === 'adjustment_is_yours',
        'nobody confirms what is their own',
        id,
      )
      return count(world, 'adjustment of one’s own')
    }
    if (how % 5 === 1) {
      await refuseAdjustment(app.deps, { id, reason: 'no' }, other)
      decided()
      return count(world, 'proposal refused')
    }
    if (how % 5 === 2) {
      await withdrawAdjustment(app.deps, id, own)
      decided()
      return count(world, 'proposal withdrawn')
    }
    // Two who confirm concurrently.
    const confirm = () => answerOf(confirmAdjustment(app.deps, id, other))
    const answers = await Promise.all([confirm(), confirm()])
    if (customer.balance + amount < 0) {
      expectThat(
        answers.every((each) => each === 'wallet_too_low'),
        'no wallet goes below 0',
        answers,
      )
      return count(world, 'adjustment refused')
    }
    expectThat(answers.filter((each) => each === id).length === 1, 'it is confirmed once', answers)
    decided()
    customer.balance += amount
    model.adjustments -= amount
    count(world, 'adjustment confirmed')
  },
}
