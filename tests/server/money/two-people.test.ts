import { describe, expect, onTestFinished } from 'vitest'
import * as acts from '../../../src/contract/office-acts.ts'
import { getClosing } from '../../../src/contract/office-closings.ts'
import { setNotice } from '../../../src/contract/office-desk.ts'
import { refundShopOrder } from '../../../src/contract/office-orders.ts'
import * as people from '../../../src/contract/office-people.ts'
import {
  confirmTransfer,
  listTransfers,
  refuseTransfer,
} from '../../../src/contract/office-transfers.ts'
import { adjustWallet } from '../../../src/contract/office-wallets.ts'
import * as own from '../../../src/contract/own-account.ts'
import { TEXTS } from '../../../src/i18n/texts.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DELETION_DAYS } from '../../../src/rules/own-data.ts'
import { tunisianDay } from '../../../src/rules/tunisia-time.ts'
import { RELATED_MS } from '../../../src/rules/two-people.ts'
import { signToken } from '../../../src/server/http/identity.ts'
import { tellAdministrators } from '../../../src/server/notices/notices.ts'
import { deleteDue } from '../../../src/server/own-data/own-data.ts'
import { aTransfer, expectOneSucceeds, key } from '../../support/admin/payments.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { PASSWORD } from '../../support/factories.ts'
import { callByCommand } from '../../support/operator.ts'
import { bought, expectSoundLedger } from '../../support/payments.ts'
import { type Person, withOfficeToken } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { test } from '../../support/test.ts'

const RIB = `${'0'.repeat(18)}97`

const confirm = (app: TestApp, as: Person, id: number | null) =>
  app.call(acts.confirmAct, { as, key: key(), params: { id: id ?? 0 } })
const give = async (app: TestApp, as: Person, to: Person, amount: number) => {
  const body = { userId: to.id, amount, reason: 'x' }
  return (await app.call(adjustWallet, { as, key: key(), body })).waits
}
const take = async (app: TestApp, as: Person, paymentRef: string) => {
  const body = { seen: 'pending', reason: 'on the list' } as const
  return (await app.call(confirmTransfer, { as, key: key(), params: { paymentRef }, body })).waits
}
const payBack = async (app: TestApp, as: Person, { id }: Person, seen: number) => {
  const body = { seen, reference: 'VIR 1', transferredOn: '2026-11-26', reason: 'leaves' }
  return (await app.call(own.returnMoney, { as, key: key(), params: { id }, body })).waits
}
const askToLeave = (app: TestApp, as: Person, { id }: Person, holder = 'Sami') => {
  const body = { account: { holder, rib: RIB }, givesUpMoney: false }
  return app.call(own.askForDeletionOf, { as, key: key(), params: { id }, body })
}
/** Says that somebody who leaves gives up what is in the wallet. */
const giveUp = async (app: TestApp, as: Person, { id }: Person, reason = 'at the counter') => {
  const body = { account: null, givesUpMoney: true, ...(reason && { reason }) }
  return (await app.call(own.askForDeletionOf, { as, key: key(), params: { id }, body })).waits
}
const refund = async (app: TestApp, as: Person, id: number, seen: number) => {
  const body = { seen, reason: 'x' }
  return (await app.call(refundShopOrder, { as, key: key(), params: { id }, body })).waits
}
const merge = async (app: TestApp, as: Person, from: Person, into: Person) => {
  const body = { fromId: from.id, reason: 'family' }
  const params = { id: into.id }
  return (await app.call(people.mergePeople, { as, key: key(), params, body })).waits
}
const three = (app: TestApp) =>
  Promise.all(
    ['Leïla Mansour', 'Karim Jaziri', 'Karim Jaziri'].map((name) => {
      const [firstName = '', lastName = ''] = name.split(' ')
      return app.anOfficeAdministrator({ firstName, lastName })
    }),
  ) as Promise<[Person, Person, Person]>

describe('what makes money appear, move or leave', () => {
  test('waits above its bound, whatever it is, and is done once by a second', async ({ app }) => {
    const [bad, good, other] = await three(app)
    const [leaver, rich, friend] = [
      await app.aCustomer({ balance: dinars(900) }),
      await app.aCustomer({ balance: dinars(900) }),
      await app.aCustomer(),
    ]
    await askToLeave(app, bad, leaver)
    const waiting = [
      await payBack(app, bad, leaver, 900),
      await merge(app, bad, rich, friend),
      await take(app, bad, await aTransfer(app, friend, 501)),
      await give(app, bad, friend, 201),
    ]
    expect(waiting).toEqual(waiting.map(() => expect.any(Number)))
    // Once more, in another session, changes nothing.
    await expectCode(payBack(app, bad, leaver, 900), 'act_waits')
    await expectCode(merge(app, bad, rich, friend), 'act_waits')
    for (const id of waiting) await expectCode(confirm(app, bad, id), 'act_is_yours')
    expect(await app.balanceOf(friend)).toBe(0)
    for (const id of waiting) {
      await expectOneSucceeds([confirm(app, good, id), confirm(app, other, id)])
    }
    expect(await app.balanceOf(leaver)).toBe(0)
    expect(await app.balanceOf(friend)).toBe(dinars(900 + 501 + 201))
    const { administrators } = await app.call(getClosing, {
      as: good,
      params: { day: tunisianDay(new Date(app.deps.now())) },
    })
    expect(administrators.map(({ kind, amount, alone }) => [kind, amount, alone])).toEqual([
      ['adjustment', 201, 0],
      ['merge', 900, 0],
      ['return', 900, 0],
      ['transfer', 501, 0],
    ])
    await expectSoundLedger(app)
  })

  test('is given up at a deletion by two, and no more than they were shown', async ({ app }) => {
    const [bad, good] = await three(app)
    const leaver = await app.aCustomer({ balance: dinars(900) })
    await expectCode(giveUp(app, bad, leaver, ''), 'invalid_input')
    const waits = await giveUp(app, bad, leaver)
    await expectCode(giveUp(app, bad, leaver), 'act_waits')
    const leaving = async () =>
      (await app.call(people.getPerson, { as: good, params: { id: leaver.id } })).deletion
    expect(await leaving()).toBeNull()
    await expectCode(confirm(app, bad, waits), 'act_is_yours')
    await give(app, good, leaver, 1)
    await expectCode(confirm(app, good, waits), 'act_changed')
    await give(app, good, leaver, -1)
    await confirm(app, good, waits)
    expect(await leaving()).toMatchObject({ givesUpMoney: true })
    // Small ones add up; what comes after they were asked for is not given up with them.
    const [small, next] = [
      await app.aCustomer({ balance: dinars(150) }),
      await app.aCustomer({ balance: dinars(150) }),
    ]
    expect(await giveUp(app, bad, small)).toBeNull()
    expect(await giveUp(app, bad, next)).toEqual(expect.any(Number))
    await give(app, good, small, 100)
    app.travel(DELETION_DAYS * DAY_MS + 1)
    await deleteDue(app.deps)
    expect(await app.balanceOf(leaver)).toBe(0)
    expect(await app.balanceOf(small)).toBe(dinars(250))
    expect(await app.row('users', small.id)).toMatchObject({ deletedAt: null })
    await expectSoundLedger(app)
  })

  test('is not given up against what its owner has said since, and never at once', async ({
    app,
  }) => {
    const [bad, good] = await three(app)
    const leaver = await app.aCustomer({ balance: dinars(900) })
    const leaving = async () =>
      (await app.call(people.getPerson, { as: good, params: { id: leaver.id } })).deletion
    const waits = await giveUp(app, bad, leaver)
    await askToLeave(app, good, leaver)
    await expectCode(confirm(app, good, waits), 'act_changed')
    expect(await leaving()).toMatchObject({ account: { rib: RIB }, givesUpMoney: false })
    // Its days are over, and it only waits for its money.
    app.travel(DELETION_DAYS * DAY_MS + 1)
    const staff = await Promise.all([bad, good].map((each) => withOfficeToken(app.deps, each)))
    await app.call(acts.withdrawAct, {
      as: staff[0] ?? bad,
      key: key(),
      params: { id: waits ?? 0 },
    })
    const again = await giveUp(app, staff[0] ?? bad, leaver)
    await confirm(app, staff[1] ?? good, again)
    await deleteDue(app.deps)
    expect(await app.row('users', leaver.id)).toMatchObject({ deletedAt: null })
    // Before a deletion is asked for, its owner ends what waits, too.
    const other = await app.aCustomer({ balance: dinars(900) })
    const unwanted = await giveUp(app, staff[0] ?? bad, other)
    await app.call(own.keepAccount, { as: other })
    await expectCode(confirm(app, staff[1] ?? good, unwanted), 'act_changed')
  })

  test('is a merge too, of a transfer that was refused and may still be confirmed', async ({
    app,
  }) => {
    const [bad] = await three(app)
    const [payer, friend] = [await app.aCustomer(), await app.aCustomer()]
    const paymentRef = await aTransfer(app, payer, 400)
    const body = { seen: 'pending', reason: 'never came' } as const
    await app.call(refuseTransfer, { as: bad, key: key(), params: { paymentRef }, body })
    expect(await merge(app, bad, payer, friend)).toEqual(expect.any(Number))
  })

  test('is a merge too, of what payments that wait may bring', async ({ app }) => {
    const [bad, good] = await three(app)
    const [payer, friend] = [await app.aCustomer(), await app.aCustomer()]
    const reference = await aTransfer(app, payer, 400)
    const waits = await merge(app, bad, payer, friend)
    expect(waits).toEqual(expect.any(Number))
    // It comes meanwhile: it is the same money.
    await take(app, good, reference)
    await confirm(app, good, waits)
    expect(await app.balanceOf(friend)).toBe(dinars(400))
  })

  test('is a refund too, alone up to 200 dinars in a day, whatever the orders', async ({ app }) => {
    const [bad, good] = await three(app)
    const buyer = await app.aCustomer({ balance: dinars(411) })
    const [first, second, third] = [
      await bought(app, buyer, await app.documentsAt(150)),
      await bought(app, buyer, await app.documentsAt(60)),
      await bought(app, buyer, await app.documentsAt(201)),
    ]
    expect(await refund(app, bad, first, 150)).toBeNull()
    const waits = [await refund(app, bad, second, 60), await refund(app, bad, third, 201)]
    expect(await app.balanceOf(buyer)).toBe(dinars(150))
    await expectCode(refund(app, bad, second, 60), 'act_waits')
    // Another administrator refunds it alone meanwhile: the second was shown another sum.
    expect(await refund(app, good, second, 60)).toBeNull()
    await expectCode(confirm(app, good, waits[0] ?? 0), 'done_before')
    await confirm(app, good, waits[1] ?? 0)
    expect(await app.balanceOf(buyer)).toBe(dinars(411))
    await expectSoundLedger(app)
  })

  test('is recorded once it is paid back: until then the deletion stays as it is', async ({
    app,
  }) => {
    const [bad, good] = await three(app)
    const [leaver, other] = [
      await app.aCustomer({ balance: dinars(900) }),
      await app.aCustomer({ balance: dinars(900) }),
    ]
    for (const each of [leaver, other]) await askToLeave(app, bad, each)
    const waits = await payBack(app, bad, leaver, 900)
    // The bank may have made the transfer already.
    const account = { holder: 'Sami', rib: '08006012345678912386' }
    const body = { account, givesUpMoney: false, password: PASSWORD }
    const params = { id: leaver.id }
    await expectCode(app.call(own.keepAccount, { as: leaver }), 'return_waits')
    await expectCode(app.call(own.keepAccountOf, { as: good, params }), 'return_waits')
    await expectCode(app.call(own.askForDeletion, { as: leaver, body }), 'return_waits')
    await expectCode(askToLeave(app, good, leaver, 'A friend'), 'return_waits')
    await expectCode(giveUp(app, good, leaver), 'return_waits')
    await confirm(app, good, waits)
    expect(await app.balanceOf(leaver)).toBe(0)
    await app.call(own.keepAccount, { as: leaver })
    await expectSoundLedger(app)

    // A return that was not transferred is withdrawn; then the account is kept, or merged.
    const unmade = await payBack(app, bad, other, 900)
    await app.call(acts.withdrawAct, { as: bad, params: { id: unmade ?? 0 } })
    await app.call(own.keepAccount, { as: other })
  })

  test('is a merge that ends a deletion too, and says so', async ({ app }) => {
    const [bad, good] = await three(app)
    const leaver = await app.aCustomer({ balance: dinars(900) })
    await askToLeave(app, bad, leaver)
    const body = { fromId: leaver.id, reason: 'family', endsDeletionOf: [leaver.id] }
    const params = { id: (await app.aCustomer()).id }
    await app.call(people.mergePeople, { as: bad, key: key(), params, body })
    const { content } = await app.call(acts.listActs, { as: good, query: { state: 'waiting' } })
    expect(content).toMatchObject([{ kind: 'merge', endsDeletion: true }])
    expect(await app.balanceOf(leaver)).toBe(dinars(900))
  })

  test('tells a customer where an administrator says that the money goes', async ({ app }) => {
    const [bad] = await three(app)
    const leaver = await app.aCustomer({ balance: dinars(90) })
    await askToLeave(app, bad, leaver, 'A friend')
    const told = async () =>
      (await app.mails())
        .filter(({ headers }) => headers.includes(leaver.email))
        .map(({ parts }) => parts['text/plain'] ?? '')
    expect((await told()).at(-1)).toMatch(/A friend.*0097/)
    await giveUp(app, bad, leaver)
    expect((await told()).at(-1)).toContain(TEXTS.ar['own-data'].goesTo.shop)
    const log = await logOf(app, `user ${leaver.id}`)
    expect(log.map(({ reason }) => reason)).toEqual([`A friend, ${RIB}`, 'at the counter'])
  })

  test('is listed by person and kind in the CSV of the day and in the mail of the sums', async () => {
    const owner = 'owner@mail.example'
    const app = await testApp({ env: { OWNER_EMAIL: owner } })
    onTestFinished(app.stop)
    const [bad, good] = await three(app)
    const customer = await app.aCustomer()
    await give(app, bad, customer, 120)
    await confirm(app, good, await give(app, bad, customer, 300))
    await take(app, good, await aTransfer(app, customer, 40))
    const day = tunisianDay(new Date(app.deps.now()))
    const csv = await app.request('GET', `/api/office/admin/closings/${day}/csv?locale=en`, {
      as: good,
    })
    const lines = String(csv.body)
      .split('\r\n')
      .filter((line) => /Mansour|Jaziri/.test(line))
    expect(lines.map((line) => line.split(/[;,]/))).toEqual([
      ['Leïla Mansour', 'Adjustment of a wallet', '2', '420', '120'],
      ['Karim Jaziri', 'Transfer or D17 payment confirmed', '1', '40', '40'],
    ])
    // Nobody of the shop keeps it from the owner.
    for (const kind of ['sums', 'acts'] as const) {
      await app.call(setNotice, { as: bad, body: { kind, isOn: false, seen: null } })
    }
    app.travel(HOUR_MS + 1)
    await tellAdministrators(app.deps)
    const mails = (await app.mails()).filter(({ headers }) => headers.includes(owner))
    const text = mails.map(({ parts }) => parts['text/plain']).join('\n')
    const { kinds } = TEXTS.ar['office-acts']
    expect(text).toMatch(new RegExp(`Leïla Mansour.*${kinds.adjustment}.*420`))
    expect(text).toMatch(new RegExp(`Karim Jaziri.*${kinds.transfer}.*40`))
  })

  test('adds up within a day: small transfers to 2 000 dinars, in two sessions', async ({
    app,
  }) => {
    const [bad] = await three(app)
    const payers = await Promise.all([1, 2, 3, 4, 5].map(() => app.aCustomer()))
    const references = await Promise.all(payers.map((payer) => aTransfer(app, payer, 500)))
    const waits = await Promise.all(references.map((reference) => take(app, bad, reference)))
    expect(waits.filter((id) => id !== null)).toHaveLength(1)
    await expectSoundLedger(app)
  })

  test('shows where it is listed that it needs a second, and that it waits for one', async ({
    app,
  }) => {
    const [bad] = await three(app)
    const small = await aTransfer(app, await app.aCustomer(), 20)
    const large = await aTransfer(app, await app.aCustomer(), 501)
    const listed = async () => {
      const { content } = await app.call(listTransfers, { as: bad, query: {} })
      const shown = content.map(
        ({ paymentRef, needsSecond, waits }) => [paymentRef, [needsSecond, waits]] as const,
      )
      return Object.fromEntries(shown)
    }
    expect(await listed()).toEqual({ [small]: [false, null], [large]: [true, null] })
    const waits = await take(app, bad, large)
    expect(await listed()).toEqual({ [small]: [false, null], [large]: [true, waits] })
  })

  test('is done only as the second was shown it', async ({ app }) => {
    const [bad, good] = await three(app)
    const leaver = await app.aCustomer({ balance: dinars(900) })
    await askToLeave(app, bad, leaver)
    const waits = await payBack(app, bad, leaver, 900)
    await give(app, good, leaver, 1)
    await expectCode(confirm(app, good, waits), 'act_changed')
    const rich = await app.aCustomer({ balance: dinars(300) })
    const merged = await merge(app, bad, rich, await app.aCustomer())
    await give(app, good, rich, 100)
    await expectCode(confirm(app, good, merged), 'act_changed')
    expect(await app.balanceOf(rich)).toBe(dinars(400))
    const { content } = await app.call(acts.listActs, { as: good, query: { state: 'waiting' } })
    expect(content.map(({ id, mayConfirm }) => [id, mayConfirm])).toEqual([
      [merged, true],
      [waits, true],
    ])
  })

  test('has bounds that are lowered at once and raised by two', async ({ app }) => {
    const [bad, good] = await three(app)
    const set = async (as: Person, amount: number) => {
      const body = { name: 'bound_adjustment', amount, reason: 'x' } as const
      return (await app.call(acts.setBound, { as, key: key(), body })).waits
    }
    const friend = await app.aCustomer()
    expect(await set(bad, 50)).toBeNull()
    expect(await give(app, bad, friend, 51)).toEqual(expect.any(Number))
    const raised = await set(bad, 900)
    const { content } = await app.call(acts.listActs, { as: good, query: { state: 'waiting' } })
    expect(content[0]).toMatchObject({
      id: raised,
      detail: '',
      bound: { name: 'bound_adjustment', from: 50, to: 900 },
    })
    await expectCode(confirm(app, bad, raised), 'act_is_yours')
    // Lowered meanwhile by somebody else: the second was shown another change.
    await set(good, 20)
    await expectCode(confirm(app, good, raised), 'act_changed')
    expect(await give(app, bad, friend, 21)).toEqual(expect.any(Number))
  })
})

describe('a second person', () => {
  test('is nobody whose second factor one has reset, nor the other way round', async ({ app }) => {
    const [bad, good, other] = await three(app)
    await app.kysely
      .insertInto('secondFactors')
      .values({ userId: good.id, sealedSecret: 'x', lastStep: 0, since: new Date() })
      .execute()
    const customer = await app.aCustomer()
    const hers = await give(app, good, customer, 900)
    const params = { id: good.id }
    await app.call(people.resetSecondFactorOf, { as: bad, params, body: { reason: 'lost' } })
    const again = { id: good.id, role: 'ADMIN', generation: 1, factors: 2 } as const
    const later = { ...good, token: await signToken(app.deps.secret, again, app.deps.now()) }
    await expectCode(confirm(app, bad, hers), 'not_a_second')
    await expectCode(confirm(app, later, await give(app, bad, customer, 900)), 'not_a_second')
    await confirm(app, other, hers)
  })

  test('is nobody whom one has let in, or whose factor one has reset, for 30 days', async ({
    app,
  }) => {
    const [bad, good] = await three(app)
    const body = {
      role: 'ADMIN',
      email: 'friend@mail.example',
      firstName: 'F',
      lastName: 'F',
      locale: 'fr',
    } as const
    const invite = (reason?: string) =>
      app.call(people.invitePerson, { as: bad, body: { ...body, ...(reason && { reason }) } })
    await expectCode(invite(), 'invalid_input')
    const { id, waits } = await invite('help')
    expect(id).toBeNull()
    await expectCode(confirm(app, bad, waits), 'act_is_yours')
    await confirm(app, good, waits)
    const joined = await app.kysely
      .updateTable('users')
      .set({ passwordHash: 'set' })
      .where('email', '=', body.email)
      .returning('id')
      .executeTakeFirstOrThrow()
    const friend = await withOfficeToken(app.deps, { ...bad, id: joined.id })
    const customer = await app.aCustomer()
    const act = await give(app, bad, customer, 900)
    await expectCode(confirm(app, friend, act), 'not_a_second')
    // Neither the other way round.
    await expectCode(confirm(app, bad, await give(app, friend, customer, 900)), 'not_a_second')
    const told = (await app.mails()).filter(({ parts }) =>
      parts['text/plain']?.includes('friend@mail.example'),
    )
    expect(told.length).toBeGreaterThanOrEqual(2)
    app.travel(RELATED_MS + DAY_MS)
    const later = await withOfficeToken(app.deps, friend)
    await confirm(app, later, act)
    expect(await app.balanceOf(customer)).toBe(dinars(900))
  })

  test('where nobody counts, is the next day: the owner is told, and any administrator refuses', async ({
    app,
  }) => {
    const [bad, good] = await Promise.all([1, 2].map(() => app.anOfficeAdministrator()))
    if (!bad || !good) throw new Error('there are two')
    const customer = await app.aCustomer({ firstName: 'Hela', lastName: 'Trabelsi' })
    const first = await give(app, bad, customer, 900)
    const second = await give(app, bad, customer, 800)
    await app.call(people.sendPasswordLink, { as: bad, params: { id: good.id } })
    // The day begins when the owner is told, not when it was proposed.
    app.travel(DAY_MS / 3)
    await expectCode(confirm(app, bad, first), 'act_waits_a_day')
    await expectCode(confirm(app, bad, second), 'act_waits_a_day')
    const mails = (await app.mails()).filter(({ headers }) => headers.includes(good.email))
    const told = mails.map(({ parts }) => parts['text/plain']).find((text) => text?.includes('900'))
    // An adjustment says no more than whose wallet it is.
    expect(told).toContain('Hela Trabelsi')
    const body = { reason: 'no' }
    await app.call(acts.refuseAct, { as: good, params: { id: second ?? 0 }, body })
    app.travel(DAY_MS + 1)
    const again = await withOfficeToken(app.deps, bad)
    await confirm(app, again, first)
    await expectCode(confirm(app, again, second), 'done_before')
    expect(await app.balanceOf(customer)).toBe(dinars(900))
  })

  test('may be the command line, for what it did not ask for itself', async ({ app }) => {
    const [bad] = await three(app)
    const customer = await app.aCustomer()
    const id = await give(app, bad, customer, 900)
    await callByCommand(app, 'confirmAct', `id=${id}`)
    expect(await app.balanceOf(customer)).toBe(dinars(900))
  })
})
