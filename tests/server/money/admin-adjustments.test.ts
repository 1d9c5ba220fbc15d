import { describe, expect, test } from 'vitest'
import * as acts from '../../../src/contract/office-acts.ts'
import * as wallets from '../../../src/contract/office-wallets.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { adjust as adjustIn } from '../../../src/server/money/admin/adjustments.ts'
import { expectOneSucceeds, key } from '../../support/admin/payments.ts'
import type { Person } from '../../support/factories.ts'
import { callByCommand } from '../../support/operator.ts'
import { expectSoundLedger, soundApp } from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'

const app = await soundApp()
/** Two who have not adjusted anything: the limit counts all of one person's adjustments. */
const administrators = async () =>
  [
    await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' }),
    await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' }),
  ] as const
/** As many customers, each with this much in their wallet. */
const customersWith = (balance: number, count: number) =>
  Promise.all(Array.from({ length: count }, () => app.aCustomer({ balance: dinars(balance) })))

describe('adjustments', () => {
  /** The act that waits, or null. */
  const adjust = async (by: Person, { id: userId }: Person, amount: number, mine = key()) => {
    const body = { userId, amount, reason: 'خطأ في الشحن' }
    return (await app.call(wallets.adjustWallet, { as: by, key: mine, body })).waits
  }
  const propose = async (...asked: Parameters<typeof adjust>) => {
    const id = await adjust(...asked)
    if (id === null) throw new Error('it was done at once')
    return id
  }
  const walletOf = (by: Person, { id }: Person) =>
    app.call(wallets.getCustomerWallet, { as: by, params: { id }, query: {} })
  /** What an administrator may still adjust alone, as the page of a wallet says. */
  const leftOf = async (by: Person, whose: Person) => (await walletOf(by, whose)).leftAlone
  const confirm = (by: Person, id: number) =>
    app.call(acts.confirmAct, { as: by, key: key(), params: { id } })

  test('are made alone up to the limit, once per request, and never below 0', async () => {
    const customer = await app.aCustomer({ balance: dinars(10) })
    const [first, second] = await administrators()
    const mine = key()
    const made = await adjust(first, customer, 120, mine)
    expect(made).toBeNull()
    expect(await adjust(first, customer, 120, mine)).toEqual(made)
    expect(await app.balanceOf(customer)).toBe(dinars(130))
    await expectCode(adjust(first, customer, -130.5), 'wallet_too_low')
    for (const amount of [0, 10_000.01, 0.005, 'x' as never]) {
      await expectRefused(adjust(first, customer, amount), 400)
    }
    await expectCode(adjust(first, { ...customer, id: 999_999 }, 1), 'user_not_found')
    // Staff have no wallet to adjust.
    await expectCode(adjust(first, second, 1), 'user_not_found')
    const wallet = await walletOf(second, customer)
    expect(wallet).toMatchObject({ balance: 130, totalElements: 2 })
    const movement = { kind: 'adjustment', amount: 120, note: 'خطأ في الشحن', by: 'Leïla Mansour' }
    expect(wallet.content[0]).toMatchObject(movement)
  })

  test('of one day add up: one above the limit waits for a second administrator', async () => {
    const customer = await app.aCustomer({ balance: dinars(100) })
    const [first, second] = await administrators()
    await adjust(first, customer, 150)
    const waiting = await propose(first, customer, -50.01)
    expect(await adjust(second, customer, -50.01)).toBeNull()
    expect(await app.balanceOf(customer)).toBe(dinars(199.99))
    await expectCode(confirm(first, waiting), 'act_is_yours')
    const seen = await app.call(acts.listActs, {
      as: second,
      query: { state: 'waiting', userId: customer.id },
    })
    const listed = { id: waiting, proposer: 'Leïla Mansour', isYours: false, mayConfirm: true }
    expect(seen.content).toMatchObject([listed])
    const third = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })
    await expectOneSucceeds([confirm(second, waiting), confirm(third, waiting)])
    expect(await app.balanceOf(customer)).toBe(dinars(149.98))
    app.travel(DAY_MS / 4)
    expect(await adjust(first, customer, 60)).toEqual(expect.any(Number))
  })

  test('of one day add up over all wallets, both ways, for each administrator', async () => {
    const [first, second] = await administrators()
    const customers = await customersWith(100, 5)
    const [one, two, three, four, five] = customers as [Person, Person, Person, Person, Person]
    expect(await leftOf(first, one)).toBe(200)
    expect(await adjust(first, one, 120)).toBeNull()
    expect(await leftOf(first, two)).toBe(80)
    expect(await adjust(first, two, -79.99)).toBeNull()
    expect(await adjust(first, three, 0.02)).toEqual(expect.any(Number))
    expect(await adjust(first, three, 0.01)).toBeNull()
    expect(await leftOf(first, three)).toBe(0)
    const waiting = await propose(first, four, 0.01)

    // What somebody else confirms is not on the sum of either.
    await confirm(second, waiting)
    await confirm(second, await propose(first, five, 900))
    expect(await leftOf(second, five)).toBe(200)
    expect(await adjust(second, four, 200)).toBeNull()
    expect(await adjust(second, five, -0.01)).toEqual(expect.any(Number))
    expect(await Promise.all(customers.map((each) => app.balanceOf(each)))).toEqual(
      [220, 20.01, 100.01, 300.01, 1000].map(dinars),
    )
  })

  test('of an earlier day do not count', async () => {
    // The token of an administrator is good for half a day.
    const [first] = await administrators()
    const customer = await app.aCustomer()
    await adjust(first, customer, 200)
    await app.kysely
      .updateTable('acts')
      .set({ decidedAt: new Date(app.deps.now() - DAY_MS + MINUTE_MS) })
      .where('userId', '=', customer.id)
      .execute()
    expect(await adjust(first, customer, 1)).toEqual(expect.any(Number))
    app.travel(MINUTE_MS)
    expect(await leftOf(first, customer)).toBe(200)
    expect(await adjust(first, customer, 200)).toBeNull()
  })

  test.each([
    ['calls', 1],
    ['processes', 2],
  ])(
    'of many wallets at once by one administrator are counted one after the other: %s',
    async (_, processes) => {
      const [first] = await administrators()
      const others = Array.from({ length: processes - 1 }, () => openDatabase(app.databaseUrl))
      const shops = [app.deps, ...others.map((database) => ({ ...app.deps, database }))]
      const customers = await customersWith(0, 8)
      const acting = { actor: `user ${first.id}` }
      await Promise.all(
        customers.map(async ({ id: userId }, at) => {
          const shop = shops[at % shops.length] ?? app.deps
          if (processes === 1) return adjust(first, { ...first, id: userId }, 90)
          return adjustIn(shop, { userId, amount: dinars(90), reason: 'race' }, acting)
        }),
      )
      await Promise.all(others.map((database) => database.close()))
      const balances = await Promise.all(customers.map((each) => app.balanceOf(each)))
      expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(dinars(180))
      expect(await leftOf(first, customers[0] ?? first)).toBe(20)
      await expectSoundLedger(app)
    },
  )

  test('on the command line count as those of one administrator', async () => {
    const [one, other] = [await app.aCustomer(), await app.aCustomer()]
    const give = ({ id }: Person, sum: number) =>
      callByCommand(app, 'adjustWallet', `userId=${id}`, `amount=${sum}`, 'reason=x')
    const leftAlone = async () =>
      (await callByCommand(app, 'getCustomerWallet', `id=${other.id}`)).leftAlone
    expect(await give(one, 150)).toEqual({ waits: null })
    expect(await leftAlone()).toBe(50)
    expect(await give(other, 50.01)).toEqual({ waits: expect.any(Number) })
    expect(await give(other, 50)).toEqual({ waits: null })
    expect(await leftAlone()).toBe(0)
    expect(await app.balanceOf(other)).toBe(dinars(50))
  })

  test('that are pending are withdrawn by their proposer, and refused by others', async () => {
    const customer = await app.aCustomer()
    const refuse = (by: Person, id: number, reason = 'بلا وثيقة') =>
      app.call(acts.refuseAct, { as: by, params: { id }, body: { reason } })
    const withdraw = (by: Person, id: number) =>
      app.call(acts.withdrawAct, { as: by, params: { id } })
    const [first, second] = await administrators()
    const id = await propose(first, customer, 500)
    await expectCode(refuse(first, id), 'act_is_yours')
    await expectCode(withdraw(second, id), 'act_not_yours')
    await expectOneSucceeds([withdraw(first, id), confirm(second, id)])
    const other = await propose(first, customer, 500)
    expect(await refuse(second, other)).toMatchObject({
      state: 'refused',
      refusal: 'بلا وثيقة',
      decider: 'Karim Jaziri',
    })
    await expectCode(confirm(second, other), 'done_before')
    await expectCode(confirm(second, 999_999), 'act_not_found')
    expect(await logOf(app, `act ${other}`)).toMatchObject([
      { action: 'propose act' },
      { action: 'refuse act' },
    ])
  })

  // From its sixth use on a connection, a statement may be planned without its parameters.
  test('are proposed again and again on the same connection', async () => {
    const customer = await app.aCustomer({ balance: dinars(50) })
    const [first] = await administrators()
    for (let count = 0; count < 8; count++) await propose(first, customer, 500 + count)
  })

  test('are mailed to the customer in their language, without the reason', async () => {
    const customer = await app.aCustomer({ balance: dinars(50), locale: 'fr' })
    const [first] = await administrators()
    for (const amount of [12.5, -7]) await adjust(first, customer, amount)
    const mails = (await app.mails()).filter(({ headers }) => headers.includes(customer.email))
    expect(mails).toHaveLength(2)
    expect(mails.map(({ parts }) => parts['text/plain']).join()).toContain('12,50')
    for (const { parts } of mails) expect(JSON.stringify(parts)).not.toContain('خطأ')
  })

  test('end if the wallet has been emptied meanwhile', async () => {
    const customer = await app.aCustomer({ balance: dinars(300) })
    const [first, second] = await administrators()
    const id = await propose(first, customer, -250)
    await adjust(second, customer, -100)
    await expectCode(confirm(second, id), 'wallet_too_low')
    expect(await app.balanceOf(customer)).toBe(dinars(200))
  })
})
