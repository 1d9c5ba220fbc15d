import { dinars } from '../../../src/rules/money.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { ApiFault } from '../../../src/server/http/errors.ts'
import { recordPayout, refusePayout } from '../../../src/server/money/payouts/decide-payouts.ts'
import { cancelPayout, requestPayout } from '../../../src/server/money/payouts/payouts.ts'
import { changeSetting } from '../../../src/server/money/settings.ts'
import { userActor } from '../../../src/server/staff-log/staff-log.ts'
import * as rules from './model.ts'
import { at, count, expectThat, type Step, type World } from './world.ts'

const ACTOR = 'test'

/** Settings of shares, and payouts to teachers, in the shop and in the model. */
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
  },

  async ask(world: World, { what, how }: Step) {
    const { place, teacher, teacherId } = chosen(world, what)
    const parts = [dinars(10 + (how % 90)), teacher.balance, teacher.balance, teacher.balance / 2]
    const amount = Math.max(dinars(1), Math.floor((parts[how % 4] ?? 0) / 10) * 10)
    const refusal = rules.payoutRefusal(teacher, amount)
    const request = { actor: userActor(place), teacherId, amount, at: world.app.deps.now() }
    const answer = await transaction(world.app.deps.database, (tx) =>
      requestPayout(tx, request),
    ).catch((error) => {
      if (error instanceof ApiFault) return error.code
      throw error
    })
    if (answer === 'too_many_requests') return count(world, 'payout refused: too many')
    const isRefused = typeof answer === 'string'
    expectThat(isRefused ? answer === refusal : refusal === null, `${refusal} decides`, answer)
    if (isRefused) return count(world, `payout refused: ${answer}`)
    teacher.pendingPayout = { id: answer.id, amount }
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
    world.model.paidOut += asked.amount
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
