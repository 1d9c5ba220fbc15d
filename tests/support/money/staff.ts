import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { MOST_OPEN_TRANSFERS } from '../../../src/rules/payment-methods.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { type Acting, BY_COMMAND } from '../../../src/server/money/acting.ts'
import { adjust, adjustmentAct } from '../../../src/server/money/admin/adjustments.ts'
import { recordPayout, refusePayout } from '../../../src/server/money/payouts/decide-payouts.ts'
import { cancelPayout, requestPayout } from '../../../src/server/money/payouts/payouts.ts'
import { changeSetting } from '../../../src/server/money/settings.ts'
import {
  confirmAct,
  type Executors,
  refuseAct,
  withdrawAct,
} from '../../../src/server/money/two-people/acts.ts'
import { mergeAccounts } from '../../../src/server/people/people.ts'
import { userActor } from '../../../src/server/staff-log/staff-log.ts'
import * as rules from './model.ts'
import { answerOf, at, count, expectThat, START, type Step, type World } from './world.ts'

const ACTOR = 'test'

/** Settings of shares and of what is withheld, and payouts to teachers, in the shop and in the model. */
export const TEACHERS = {
  async share(world: World, { what, how }: Step) {
    const place = what % (world.model.teachers.length + 1)
    const teacher = world.model.teachers[place]
    const value = how % 7 === 0 ? null : how % 101
    const teacherId = world.teacherIds[place] ?? null
    await changeSetting(world.app.deps, { name: 'share_percent', teacherId, value, actor: ACTOR })
    if (teacher) teacher.sharePercent = value
    else world.model.sharePercent = value ?? 70
    count(world, 'share set')
    if (!teacher || how % 2 === 0) return
    const rate = { name: 'withholding', teacherId, value: how % 3001, actor: ACTOR } as const
    await changeSetting(world.app.deps, rate)
    teacher.withholding = rate.value / 100
    count(world, 'withholding set')
  },

  async ask(world: World, { what, how }: Step) {
    const { place, teacher, teacherId } = chosen(world, what)
    const parts = [dinars(10 + (how % 90)), teacher.balance, teacher.balance, teacher.balance / 2]
    const amount = Math.max(dinars(1), Math.floor((parts[how % 4] ?? 0) / 10) * 10)
    const refusal = rules.payoutRefusal(teacher, amount)
    const request = { actor: userActor(place), teacherId, amount, at: world.app.deps.now() }
    const asked = transaction(world.app.deps.database, (tx) => requestPayout(tx, request))
    const answer = await answerOf(asked)
    if (answer === 'too_many_requests') return count(world, 'payout refused: too many')
    const isRefused = typeof answer === 'string'
    expectThat(isRefused ? answer === refusal : refusal === null, `${refusal} decides`, answer)
    if (isRefused) return count(world, `payout refused: ${answer}`)
    // In whole tens of millimes, never more than the exact part.
    const exact = BigInt(amount) * BigInt(Math.round(teacher.withholding * 100))
    teacher.pendingPayout = { id: answer.id, amount, withheld: Number(exact / 100_000n) * 10 }
    count(world, 'payout asked')
  },

  async decide(world: World, { what, how }: Step) {
    const { place, teacher, teacherId } = chosen(world, what)
    const { pendingPayout: asked } = teacher
    if (!asked) return
    const { deps } = world.app
    const decision = { payoutId: asked.id }
    teacher.pendingPayout = null
    if (how % 4 === 0) {
      const request = { actor: userActor(place), teacherId, payoutId: asked.id, at: deps.now() }
      await transaction(deps.database, (tx) => cancelPayout(tx, request))
      // Half of those were transferred all the same.
      if (how % 8 === 0) return count(world, 'payout cancelled')
    } else if (how % 4 === 1) {
      await refusePayout(deps, { ...decision, reason: 'wrong RIB' })
      return count(world, 'payout refused')
    }
    // Two operators, or one who clicks twice.
    const record = () => recordPayout(deps, { ...decision, reference: `VIR ${asked.id}` })
    await Promise.all([record(), record()])
    teacher.balance -= asked.amount
    world.model.paidOut += asked.amount - asked.withheld
    world.model.withheld += asked.withheld
    count(world, 'payout paid')
  },
}

function chosen({ model, teacherIds }: World, what: number) {
  const place = what % model.teachers.length
  const teacher = at(model.teachers, place)
  const teacherId = teacherIds[place]
  if (!teacher || teacherId === undefined) throw new Error('there is no teacher')
  return { place, teacher, teacherId }
}

/** Two administrators of each history alone, since the limit counts all wallets of the shop. */
const ACTORS = new WeakMap<World, Promise<readonly string[]>>()
function actorsOf(world: World): Promise<readonly string[]> {
  const known = ACTORS.get(world)
  if (known) return known
  const made = Promise.all(
    [0, 1].map(async () => userActor((await world.app.anAdministrator()).id)),
  )
  ACTORS.set(world, made)
  return made
}

const confirmIn = (app: World['app'], id: number, acting: Acting) =>
  confirmAct(app.deps, { adjustment: adjustmentAct(app.deps) } as Executors, id, acting)

const LIMIT = dinars(200)

/** Adjustments of wallets by administrators, alone and in pairs, in the shop and in the model. */
export const ADJUSTMENTS = {
  async adjust(world: World, { who, what, how }: Step) {
    const { app, model, people } = world
    const place = who % people.length
    const customer = model.customers[place]
    const actor = (await actorsOf(world))[what % 2] ?? ''
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
    const waits = answer
    const alone = model.adjusted
      .filter((one) => one.actor === actor && one.at > now - DAY_MS)
      .reduce((sum, one) => sum + one.size, 0)
    if (alone + size > LIMIT) {
      if (waits === null) throw new Error('it does not wait')
      model.proposed.push({ id: waits, customer, amount, actor })
      return count(world, 'adjustment proposed')
    }
    expectThat(waits === null, 'it is done alone', waits)
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
    const other = { actor: (await actorsOf(world)).find((actor) => actor !== proposal.actor) ?? '' }
    // A merged account no longer has a wallet.
    if (!model.customers.includes(customer)) {
      expectThat(
        (await answerOf(confirmIn(app, id, other))) === 'account_merged',
        'a closed wallet is not adjusted',
        id,
      )
      await refuseAct(app.deps, { id, reason: 'merged' }, other)
      model.proposed.splice(model.proposed.indexOf(proposal), 1)
      return count(world, 'adjustment of a merged account')
    }
    const decided = () => model.proposed.splice(model.proposed.indexOf(proposal), 1)
    if (how % 5 === 0) {
      expectThat(
        (await answerOf(confirmIn(app, id, own))) === 'act_is_yours',
        'nobody confirms what is their own',
        id,
      )
      return count(world, 'adjustment of one’s own')
    }
    if (how % 5 === 1) {
      await refuseAct(app.deps, { id, reason: 'no' }, other)
      decided()
      return count(world, 'proposal refused')
    }
    if (how % 5 === 2) {
      await withdrawAct(app.deps, id, own)
      decided()
      return count(world, 'proposal withdrawn')
    }
    // Two who confirm concurrently.
    const confirm = () => answerOf(confirmIn(app, id, other))
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

/** Actions on families with two accounts. */
export const FAMILIES = {
  /** Merges one customer's account into another's, and replaces it by a new customer. */
  async merge(world: World, { who, how }: Step) {
    const { app, model, people } = world
    const gone = who % people.length
    const stays = (gone + 1 + (how % (people.length - 1))) % people.length
    const [fromId, intoId] = [people[gone]?.id, people[stays]?.id]
    const [from, into] = [model.customers[gone], model.customers[stays]]
    if (!fromId || !intoId || !from || !into) throw new Error('there is nobody')
    // Together they may have more open than one may open: later steps rely on that limit.
    const open = [from, into].flatMap((one) => rules.openTransfers(model, one))
    if (open.length > MOST_OPEN_TRANSFERS) return
    if ([...from.owned.keys()].some((document) => into.owned.has(document))) {
      count(world, 'merge of what both own')
    }
    await mergeAccounts(app.deps, { fromId, intoId, reason: 'one family' }, BY_COMMAND)
    rules.merge(model, from, into)
    people[gone] = await app.aCustomer({ balance: START })
    model.customers[gone] = { balance: START, owned: new Map() }
    count(world, 'merge')
  },
}
