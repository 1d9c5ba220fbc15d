import { describe, expect, test } from 'vitest'
import { getEarnings, getStatement } from '../../../src/contract/earnings.ts'
import * as acts from '../../../src/contract/office-acts.ts'
import { listTeacherShares, setWithholding } from '../../../src/contract/office-commissions.ts'
import { getWithheld, recordTaxPayment } from '../../../src/contract/office-withheld.ts'
import {
  askForPayoutApproval,
  cancelPayout,
  getBankAccount,
  listPayouts,
  listTeacherPayouts,
  recordTeacherPayout,
  refuseTeacherPayout,
  requestPayout,
  setBankAccount,
} from '../../../src/contract/payouts.ts'
import { LOCALES, type Locale } from '../../../src/i18n/locales.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { BANK_ACCOUNT_WAIT_MS, PAYOUT_REQUESTS_A_DAY } from '../../../src/rules/payouts.ts'
import { readableRib } from '../../../src/rules/rib.ts'
import { tunisianDay, tunisianMonth } from '../../../src/rules/tunisia-time.ts'
import { checkLedger } from '../../../src/server/money/ledger-check.ts'
import { recordPayout } from '../../../src/server/money/payouts/decide-payouts.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { expectOneSucceeds, key } from '../../support/admin/payments.ts'
import type { TestApp } from '../../support/app.ts'
import { PASSWORD } from '../../support/factories.ts'
import { codeNow, setUp } from '../../support/office-access.ts'
import { callByCommand } from '../../support/operator.ts'
import { bought, soundApp } from '../../support/payments.ts'
import { type Person, withOfficeToken } from '../../support/people.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { uiText } from '../../support/texts.ts'

const RIB = `${'0'.repeat(18)}97`
const TAX_NUMBER = '1282182W/A/M/000'
const OTHER = { holder: 'Sami Trabelsi', rib: '10006035183598478831' }
const ACCOUNT = { holder: 'Sami Trabelsi', rib: RIB }

const app = await soundApp({ env: { SITE_URL: 'http://127.0.0.1:4321' } })

type Teacher = Awaited<ReturnType<TestApp['anOfficeTeacher']>>

/** A teacher with 70 dinars to be paid out, of a sale eight days ago by the shop's clock. */
async function aSeller({
  locale = 'fr' as Locale,
  account = ACCOUNT as typeof ACCOUNT | null,
} = {}) {
  const person = await app.anOfficeTeacher({ firstName: 'Sami', lastName: 'Trabelsi', locale })
  const buyer = await app.aCustomer({ balance: dinars(100) })
  const document = await app.aDocument({ teacherId: person.teacherId, price: dinars(100) })
  const orderId = await bought(app, buyer, [document])
  app.travel(8 * DAY_MS)
  const teacher = await withOfficeToken(app.deps, person)
  const give = (body: typeof ACCOUNT & { taxNumber?: string } = ACCOUNT) =>
    app.call(setBankAccount, { as: teacher, body: { ...body, password: PASSWORD } })
  if (account) await give()
  const ask = (amount: number, mine = key()) =>
    app.call(requestPayout, { as: teacher, key: mine, body: { amount, password: PASSWORD } })
  const payouts = async () => (await app.call(listPayouts, { as: teacher, query: {} })).content
  const earnings = () => app.call(getEarnings, { as: teacher })
  return { teacher, orderId, ask, give, payouts, earnings }
}

/** The administrators, with tokens that are good now. */
async function administrators() {
  return [
    await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' }),
    await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' }),
  ] as const
}

const today = () => tunisianDay(new Date(app.deps.now()))

type Seen = 'requested' | 'cancelled'
const record = (
  by: Person,
  id: number,
  body: { reference: string; seen?: Seen; transferredOn?: string },
) =>
  app.call(recordTeacherPayout, {
    as: by,
    key: key(),
    params: { id },
    body: { seen: 'requested', transferredOn: today(), ...body },
  })
const refuse = (by: Person, id: number, reason = 'RIB fermé') =>
  app.call(refuseTeacherPayout, {
    as: by,
    key: key(),
    params: { id },
    body: { seen: 'requested', reason },
  })

/** The mails to a teacher as plain text, in any order. */
async function textsTo({ email }: Teacher): Promise<(string | undefined)[]> {
  const mails = (await app.mails()).filter(({ headers }) => headers.includes(email))
  return mails.map(({ parts }) => parts['text/plain'])
}

describe('a bank account', () => {
  test('is stored as digits, once per change', async () => {
    const { teacher, give } = await aSeller({ account: null })
    const none = { account: null, payableFrom: null, asksCode: false }
    expect(await app.call(getBankAccount, { as: teacher })).toEqual(none)
    const known = { ...none, account: { ...ACCOUNT, taxNumber: '' } }
    expect(await give({ ...ACCOUNT, rib: readableRib(RIB) })).toEqual(known)
    await give()
    expect(await app.call(getBankAccount, { as: teacher })).toEqual(known)
    const log = await logOf(app, `teacher ${teacher.teacherId}`)
    expect(log).toEqual([{ actor: `user ${teacher.id}`, action: 'set bank account', reason: RIB }])
  })

  test.each([
    [{ rib: `${'0'.repeat(18)}96` }, { rib: 'pattern' }],
    [{ rib: '' }, { rib: 'required' }],
    [{ holder: ' ' }, { holder: 'required' }],
    [{ taxNumber: '1282182X' }, { taxNumber: 'pattern' }],
  ])('with %j is refused', async (wrong, fields) => {
    const { give } = await aSeller({ account: null })
    await expectRefused(give({ ...ACCOUNT, ...wrong }), 400, 'invalid_input', { fields })
  })
})

describe('the money of a teacher', () => {
  test('goes nowhere without the password, and a code where the second factor is on', async () => {
    const { teacher } = await aSeller()
    type Proof = { password: string; code?: string }
    const change = (as: { token: string }, proof: Proof) =>
      app.call(setBankAccount, { as, body: { ...OTHER, ...proof } })
    const request = (as: { token: string }, proof: Proof) =>
      app.call(requestPayout, { as, key: key(), body: { amount: 60, ...proof } })
    for (const call of [change, request]) {
      await expectRefused(call(teacher, { password: '' }), 400)
      await expectCode(call(teacher, { password: 'x' }), 'wrong_password')
    }
    const as = await setUp(app, teacher)
    const none = { password: PASSWORD }
    for (const call of [change, request]) await expectCode(call(as, none), 'wrong_code')
    const account = await app.call(getBankAccount, { as })
    expect(account).toMatchObject({ account: { rib: RIB }, asksCode: true })
    await request(as, { ...none, code: codeNow(app, as.secret) })
  })

  test('waits three days after another account', async () => {
    const { teacher, give, ask } = await aSeller()
    expect(await give({ ...ACCOUNT, taxNumber: TAX_NUMBER })).toMatchObject({ payableFrom: null })
    const least = app.deps.now() + BANK_ACCOUNT_WAIT_MS
    const { account, payableFrom } = await give(OTHER)
    expect(account).toMatchObject(OTHER)
    expect(Date.parse(payableFrom ?? '')).toBeGreaterThanOrEqual(least)
    await expectCode(ask(60), 'bank_account_new')

    app.travel(BANK_ACCOUNT_WAIT_MS)
    const as = await withOfficeToken(app.deps, teacher)
    const body = { amount: 60, password: PASSWORD }
    await app.call(requestPayout, { as, key: key(), body })
  })
})

describe('a payout', () => {
  test('is requested, transferred, recorded once, and mailed about', async () => {
    const { teacher, ask, give, payouts, earnings } = await aSeller({ account: null })
    await expectCode(ask(60), 'bank_account_missing')
    await give()
    await expectCode(ask(49.99), 'payout_below_minimum')
    await expectCode(ask(70.01), 'payout_not_available')
    const payout = await ask(60, 'same')
    const { id } = payout
    expect(await ask(60, 'same')).toEqual(payout)
    await expectCode(ask(60), 'payout_open')
    expect(await earnings()).toMatchObject({ balance: 70, available: 10, requested: 60 })

    const [first, second] = await administrators()
    const listed = async (state?: 'paid') => {
      const { content } = await app.call(listTeacherPayouts, { as: first, query: { state } })
      return content.find((each) => each.id === id)
    }
    const name = { teacher: { name: 'Sami Trabelsi' } }
    expect(await listed()).toMatchObject({ ...ACCOUNT, left: 10, amount: 60, ...name })
    const reference = 'VIR 2026-1187'
    for (const transferredOn of ['2199-01-01', '2026-02-30']) {
      await expectRefused(record(first, id, { reference, transferredOn }), 400)
    }
    await expectOneSucceeds([record(first, id, { reference }), record(second, id, { reference })])
    await expectOneSucceeds([refuse(second, id), Promise.resolve()])
    expect(await listed()).toBeUndefined()
    expect(await listed('paid')).toMatchObject({ reference, transferredOn: today() })

    expect(await payouts()).toMatchObject([{ state: 'paid', amount: 60, reference }])
    const left = { balance: 10, available: 10, requested: 0, paidOut: 60 }
    expect(await earnings()).toMatchObject(left)
    const month = tunisianMonth(new Date(app.deps.now()))
    const statement = await app.call(getStatement, { as: teacher, params: { month } })
    expect(statement.payouts).toEqual({ count: 1, amount: 60, withheld: 0 })
    expect(statement.paid).toMatchObject([{ reference }])
    expect(await logOf(app, `payout ${id}`)).toMatchObject([
      { actor: `user ${teacher.id}`, action: 'ask for payout' },
      { action: 'record payout' },
    ])
    const cancel = app.call(cancelPayout, { as: teacher, params: { id } })
    await expectCode(cancel, 'payout_closed')
    const mails = (await textsTo(teacher)).filter((text) => text?.includes(reference))
    expect(mails).toEqual([expect.stringContaining(uiText('fr', 'mail:payoutPaid.text'))])
    expect(mails[0]).toContain('/fr/office/payouts')
  })

  test('is paid without what is withheld of it, which is owed to the tax office', async () => {
    const { teacher, ask, give, payouts, earnings } = await aSeller()
    const [first] = await administrators()
    const { teacherId } = teacher
    const taxNumber = TAX_NUMBER
    await give({ ...ACCOUNT, taxNumber: '1282182w am 000' })
    // An account that is sent without it keeps it.
    expect(await give()).toMatchObject({ account: { ...ACCOUNT, taxNumber }, payableFrom: null })
    const withhold = (withholding: number, seen: number | null) =>
      app.call(setWithholding, {
        as: first,
        body: { teacherId, withholding, reason: 'Contrat', seen },
      })
    const shown = async () => {
      const query = { size: 100 }
      const { content } = await app.call(listTeacherShares, { as: first, query })
      return content.find((each) => each.teacherId === teacherId)?.withholding
    }
    await expectRefused(withhold(30.5, null), 400, 'invalid_input', {
      fields: { withholding: 'max' },
    })
    await expectRefused(withhold(1.555, null), 400)
    expect(await shown()).toEqual({ percent: 0, seen: null })
    await withhold(15, null)
    const { percent, seen = 0 } = (await shown()) ?? {}
    expect(percent).toBe(15)
    await expectCode(withhold(3, null), 'done_before')

    const { id } = await ask(60)
    // The rate of the request stays.
    await withhold(0, seen)
    const reference = 'VIR 2026-RS'
    await record(first, id, { reference })
    expect(await payouts()).toMatchObject([{ state: 'paid', amount: 60, withheld: 9 }])
    expect(await earnings()).toMatchObject({ balance: 10, paidOut: 60 })
    const month = tunisianMonth(new Date(app.deps.now()))
    const statement = await app.call(getStatement, { as: teacher, params: { month } })
    expect(statement.payouts).toEqual({ count: 1, amount: 60, withheld: 9 })
    expect(statement.paid).toMatchObject([{ reference, taxNumber }])
    expect(await logOf(app, `teacher ${teacherId}`)).toContainEqual(
      expect.objectContaining({ action: 'change setting', reason: 'withholding = 1500: Contrat' }),
    )
    const mail = (await textsTo(teacher)).find((text) => text?.includes(reference))
    for (const [label, amount] of [
      ['withheld', '9,00'],
      ['transferred', '51,00'],
    ] as const) {
      expect(mail).toContain(uiText('fr', `mail:labels.${label}`))
      expect(mail).toContain(amount)
    }
    const lines = String(
      (await app.request('GET', `/api/office/statements/${month}/csv?locale=fr`, { as: teacher }))
        .body,
    )
    expect(lines).toMatch(/Versement.*;-51;.*\r\n.*Retenue à la source.*;-9;10\r\n/)
    expect(lines).toContain(`${reference} · ${taxNumber};`)
    const year = month.slice(0, 4)
    const withheld = () => app.call(getWithheld, { as: first, query: { year } })
    const { owed, teachers } = await withheld()
    expect(teachers.find(({ id }) => id === teacherId)).toMatchObject({ taxNumber, withheld: 9 })
    expect(owed).toBeGreaterThanOrEqual(9)

    const paid = 'Quittance 2026-1'
    const pay = (body: object, mine = key()) =>
      app.call(recordTaxPayment, {
        as: first,
        key: mine,
        body: { amount: 8, paidOn: today(), reference: paid, ...body },
      })
    await expectRefused(pay({ paidOn: '2099-01-01' }), 400, 'invalid_input', {
      fields: { paidOn: 'max' },
    })
    await expectRefused(pay({ amount: 0 }), 400, 'invalid_input', { fields: { amount: 'min' } })
    await expectCode(pay({ amount: owed + 0.01 }), 'more_than_owed')
    expect(await pay({}, 'once')).toEqual({ owed: owed - 8 })
    expect(await pay({}, 'once')).toEqual({ owed: owed - 8 })
    // Two at once, each within the debt and together beyond it: one is booked.
    const both = await Promise.allSettled([1, 2].map(() => pay({ amount: owed - 8 })))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await withheld()).toMatchObject({
      owed: 0,
      payments: [{ amount: 8 }, { amount: owed - 8 }],
    })

    const path = `/api/office/admin/withheld/csv?year=${year}&locale=fr`
    const file = String((await app.request('GET', path, { as: first })).body)
    expect(file).toContain(`Sami Trabelsi;Sami Trabelsi;${taxNumber};1;60,000;9,000;51,000\r\n`)
    expect(file).toContain(`${today()};${paid};8,000\r\n`)
  })

  test('a tax number that is given after the payout is in the year’s list as well', async () => {
    const { teacher, ask, give } = await aSeller()
    const [first] = await administrators()
    const { teacherId } = teacher
    await app.call(setWithholding, {
      as: first,
      body: { teacherId, withholding: 15, reason: 'Contrat', seen: null },
    })
    await give({ ...ACCOUNT, taxNumber: '' })
    const { id } = await ask(60)
    await record(first, id, { reference: 'VIR 2026-RT' })
    const query = { year: tunisianMonth(new Date(app.deps.now())).slice(0, 4) }
    const shown = async () => {
      const { teachers } = await app.call(getWithheld, { as: first, query })
      return teachers.find((each) => each.id === teacherId)?.taxNumber
    }
    expect(await shown()).toBe('')
    await give({ ...ACCOUNT, taxNumber: TAX_NUMBER })
    expect(await shown()).toBe(TAX_NUMBER)
  })

  test.each(LOCALES)(
    'is refused with a reason, once, which its teacher reads in %s',
    async (locale) => {
      const { teacher, ask, give, payouts, earnings } = await aSeller({ locale })
      const { id } = await ask(70)
      const reason = 'Le RIB n’est pas à votre nom'
      const [first, second] = await administrators()
      await expectOneSucceeds([refuse(first, id, reason), refuse(second, id, reason)])
      await expectOneSucceeds([record(second, id, { reference: 'late' }), Promise.resolve()])
      await expectCode(refuse(first, 999_999), 'payout_not_found')
      expect(await payouts()).toMatchObject([{ state: 'refused', reason, reference: null }])
      expect(await logOf(app, `payout ${id}`)).toMatchObject([
        { action: 'ask for payout' },
        { action: 'refuse payout', reason },
      ])
      expect((await earnings()).available).toBe(70)
      const texts = await textsTo(teacher)
      const refused = texts.find((text) => text?.includes(reason))
      expect(refused).toContain(uiText(locale, 'mail:payoutRefused.text'))
      const change = uiText(locale, 'mail:bankAccountChanged.text')
      const changed = texts.find((text) => text?.includes(change))
      expect(changed).toContain(`… ${RIB.slice(-4)}`)
      expect(changed?.replaceAll(/\s/g, '')).not.toContain(RIB.slice(5, 18))
      for (const text of texts) expect(text).not.toMatch(/\{\{|undefined/)
      expect(texts).toHaveLength(2)
      // Saving the same account again notifies nobody.
      await give()
      expect(await textsTo(teacher)).toHaveLength(2)
      await ask(50)
    },
  )

  test('is one at a time, and paid once, under concurrent requests', async () => {
    const { ask, payouts } = await aSeller()
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => ask(50)))
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const payoutId = (await payouts())[0]?.id ?? 0
    const recorded = await Promise.allSettled(
      ['A', 'A', 'B', 'A', 'B', 'B'].map((reference) =>
        recordPayout(app.deps, { payoutId, reference }, { actor: 'test' }),
      ),
    )
    expect(recorded.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const transactions = await app.kysely
      .selectFrom('ledgerTransactions')
      .select('id')
      .where('payoutId', '=', payoutId)
      .execute()
    expect(transactions).toHaveLength(1)
  })

  test('is cancelled by its teacher alone, and counts if it was transferred all the same', async () => {
    const other = await aSeller()
    const { teacher, ask, earnings } = await aSeller()
    const stranger = await withOfficeToken(app.deps, other.teacher)
    const { id } = await ask(70)
    const cancel = (as: Teacher) => app.call(cancelPayout, { as, params: { id } })
    await expectCode(cancel(stranger), 'payout_not_found')
    expect(await cancel(teacher)).toMatchObject({ state: 'cancelled' })
    expect(await cancel(teacher)).toMatchObject({ state: 'cancelled' })
    const [first] = await administrators()
    await expectRefused(refuse(first, id), 409)
    await record(first, id, { reference: 'VIR 9', seen: 'cancelled' })
    expect((await earnings()).balance).toBe(0)
  })

  test('before a refund leaves a negative balance, which later sales make up for', async () => {
    const { ask, orderId, earnings } = await aSeller()
    const { id } = await ask(70)
    const [first] = await administrators()
    await record(first, id, { reference: 'VIR 10' })
    await refundOrder(app.deps, { orderId })
    expect(await earnings()).toMatchObject({ balance: -70, available: 0, paidOut: 70 })
    await expectCode(ask(50), 'payout_not_available')
  })

  test('is rate-limited per day', async () => {
    const { teacher, ask } = await aSeller()
    for (let count = 0; count < PAYOUT_REQUESTS_A_DAY; count++) {
      const { id } = await ask(50)
      await app.call(cancelPayout, { as: teacher, params: { id } })
    }
    await expectCode(ask(50), 'too_many_requests')
  })
})

test('the command line sets days and the minimum of payouts within their bounds', async () => {
  const { earnings } = await aSeller()
  const term = (typed: string) => callByCommand(app, 'setPayoutTerms', typed, 'reason=Rentrée')
  for (const wrong of ['holdDays=91', 'payoutMinimum=0', 'payoutMinimum=1000,01']) {
    await expect(term(wrong), wrong).rejects.toThrow(/holdDays|payoutMinimum/)
  }
  await term('holdDays=3')
  await term('payoutMinimum=20,5')
  expect((await earnings()).terms).toMatchObject({ holdDays: 3, payoutMinimum: 20.5 })
  await term('holdDays=null')
  await term('payoutMinimum=null')
  const terms = await callByCommand(app, 'getPayoutTerms')
  expect(terms).toEqual({ holdDays: 7, payoutMinimum: 50 })
  const rewritten = app.deps.database.pool.query('UPDATE settings SET value = 99')
  await expect(rewritten).rejects.toThrow('only added to')
})

test('the ledger is found wrong where shares or payouts were tampered with', async () => {
  const { ask } = await aSeller()
  const { id } = await ask(70)
  await recordPayout(app.deps, { payoutId: id, reference: 'A' }, { actor: 'test' })
  const { kysely, pool } = app.deps.database
  const { rows } = await pool.query(
    `UPDATE order_items SET teacher_share = teacher_share - 10
     WHERE order_id = (SELECT max(order_id) FROM order_items) RETURNING order_id AS "orderId"`,
  )
  await pool.query(`UPDATE payouts SET amount = amount + 10 WHERE id = ${id}`)
  expect(await checkLedger(kysely)).toMatchObject({
    wrongShares: rows,
    wrongPayouts: [{ payoutId: id }],
  })
  // The other tests' ledger stays sound.
  await pool.query(`UPDATE payouts SET amount = amount - 10 WHERE id = ${id}`)
  await pool.query(
    `UPDATE order_items SET teacher_share = teacher_share + 10 WHERE order_id = ${rows[0].orderId}`,
  )
})

test('a payout above its bound is approved by a second, or marked where it was transferred already', async () => {
  const { ask } = await aSeller()
  const first = await ask(60)
  const [as, second] = await Promise.all([1, 2].map(() => app.anOfficeAdministrator()))
  if (!as || !second) throw new Error('there are two')
  const bound = { name: 'bound_payout', amount: 50, reason: 'x' } as const
  await app.call(acts.setBound, { as, key: key(), body: bound })
  const transfer = { seen: 'requested', reference: 'VIR 1', transferredOn: '2026-11-20' } as const
  const record = (id: number, body: object = {}) =>
    app.call(recordTeacherPayout, {
      as,
      key: key(),
      params: { id },
      body: { ...transfer, ...body },
    })
  await expectCode(record(first.id), 'payout_not_approved')
  const params = { id: first.id }
  const { waits } = await app.call(askForPayoutApproval, {
    as,
    key: key(),
    params,
    body: { reason: 'sold well' },
  })
  await expectCode(record(first.id), 'payout_not_approved')
  const { content } = await app.call(listTeacherPayouts, { as, query: {} })
  expect(content.find(({ id }) => id === first.id)).toMatchObject({ needsApproval: true, waits })
  await app.call(acts.confirmAct, { as: second, key: key(), params: { id: waits } })
  expect(await record(first.id)).toMatchObject({ state: 'paid', isUnapproved: false })
  const other = await aSeller()
  const [next, signedIn] = [await other.ask(60), await withOfficeToken(app.deps, as)]
  const early = { ...transfer, wasTransferred: true }
  const paid = await app.call(recordTeacherPayout, {
    as: signedIn,
    key: key(),
    params: { id: next.id },
    body: early,
  })
  expect(paid).toMatchObject({ state: 'paid', isUnapproved: true })
  const told = (await app.mails()).filter(({ headers }) => headers.includes(second.email))
  expect(told.length).toBeGreaterThan(0)
})
