import { describe, expect, test } from 'vitest'
import { getEarnings, getStatement } from '../../../src/contract/earnings.ts'
import { cancelPayout, listPayouts } from '../../../src/contract/payouts.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { dinars } from '../../../src/rules/money.ts'
import { PAYOUT_REQUESTS_A_DAY } from '../../../src/rules/payouts.ts'
import { tunisianDay, tunisianMonth } from '../../../src/rules/tunisia-time.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import { recordPayout } from '../../../src/server/money/payouts/decide-payouts.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { callByCommand } from '../../support/operator.ts'
import { aSeller, give, RIB, type Teacher } from '../../support/payouts.ts'
import { withOfficeToken } from '../../support/people.ts'
import { expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'
import { uiText } from '../../support/texts.ts'

const app = await sharedApp({ env: { SITE_URL: 'http://127.0.0.1:4321' } })
const anAccount = (teacher: Teacher) => give(app, teacher, { holder: 'Sami Trabelsi', rib: RIB })

/** The mails to a teacher as plain text, in any order. */
async function textsTo({ email }: Teacher): Promise<(string | undefined)[]> {
  const mails = (await app.mails()).filter(({ headers }) => headers.includes(email))
  return mails.map(({ parts }) => parts['text/plain'])
}

const call = (name: string, ...typed: string[]) => callByCommand(app, name, ...typed)
const record = (id: number, reference: string, seen = 'requested') => {
  const on = `transferredOn=${tunisianDay(new Date())}`
  return call('recordTeacherPayout', `id=${id}`, `reference=${reference}`, `seen=${seen}`, on)
}
const refuse = (id: number, reason: string) =>
  call('refuseTeacherPayout', `id=${id}`, `reason=${reason}`, 'seen=requested')

describe('a payout', () => {
  test('is requested, transferred, recorded once, and mailed about', async () => {
    const { teacher, ask } = await aSeller(app)
    await expectRefused(ask(60), 409, 'bank_account_missing')
    await anAccount(teacher)
    await expectRefused(ask(49.99), 409, 'payout_below_minimum')
    await expectRefused(ask(70.01), 409, 'payout_not_available')
    const payout = await ask(60, 'same')
    expect(await ask(60, 'same')).toEqual(payout)
    await expectRefused(ask(60), 409, 'payout_open')
    expect(await app.call(getEarnings, { as: teacher })).toMatchObject({
      balance: 70,
      available: 10,
      requested: 60,
    })

    const { content: listed } = await call('listTeacherPayouts')
    expect(listed).toMatchObject([{ rib: RIB, left: 10, amount: 60 }])
    await record(payout.id, 'VIR 2026-1187')
    await expect(record(payout.id, 'VIR 2')).rejects.toThrow()
    await expect(refuse(payout.id, 'late')).rejects.toThrow()
    expect((await call('listTeacherPayouts')).content).toEqual([])

    const { content } = await app.call(listPayouts, { as: teacher, query: {} })
    expect(content).toMatchObject([{ state: 'paid', amount: 60, reference: 'VIR 2026-1187' }])
    expect(await app.call(getEarnings, { as: teacher })).toMatchObject({
      balance: 10,
      available: 10,
      requested: 0,
      paidOut: 60,
    })
    // The command line has a clock of its own.
    const month = tunisianMonth(new Date())
    const statement = await app.call(getStatement, { as: teacher, params: { month } })
    expect(statement.payouts).toEqual({ count: 1, amount: 60 })
    expect(statement.paid).toMatchObject([{ reference: 'VIR 2026-1187' }])
    expect(await logOf(app, `payout ${payout.id}`)).toEqual([
      { actor: `user ${teacher.id}`, action: 'ask for payout', reason: null },
      { actor: 'command line', action: 'record payout', reason: null },
    ])
    const cancel = app.call(cancelPayout, { as: teacher, params: { id: payout.id } })
    await expectRefused(cancel, 409, 'payout_closed')
    const mails = (await textsTo(teacher)).filter((text) => text?.includes('VIR 2026-1187'))
    expect(mails).toEqual([expect.stringContaining(uiText('fr', 'mail:payoutPaid.text'))])
    expect(mails[0]).toContain('/fr/office/payouts')
  })

  test.each(LOCALES)('is refused with a reason, which its teacher reads in %s', async (locale) => {
    const { teacher, ask } = await aSeller(app, dinars(100), locale)
    await anAccount(teacher)
    const payout = await ask(70)
    const reason = 'Le RIB n’est pas à votre nom'
    await refuse(payout.id, reason)
    const { content } = await app.call(listPayouts, { as: teacher, query: {} })
    expect(content).toMatchObject([{ state: 'refused', reason, reference: null }])
    expect((await app.call(getEarnings, { as: teacher })).available).toBe(70)
    const texts = await textsTo(teacher)
    const refused = texts.find((text) => text?.includes(reason))
    const changed = texts.find((text) =>
      text?.includes(uiText(locale, 'mail:bankAccountChanged.text')),
    )
    expect(refused).toContain(uiText(locale, 'mail:payoutRefused.text'))
    expect(changed).toContain(`… ${RIB.slice(-4)}`)
    expect(changed?.replaceAll(/\s/g, '')).not.toContain(RIB.slice(5, 18))
    for (const text of texts) expect(text).not.toMatch(/\{\{|undefined/)
    expect(texts).toHaveLength(2)
    // Saving the same account again notifies nobody.
    await anAccount(teacher)
    expect(await textsTo(teacher)).toHaveLength(2)
    await ask(50)
  })

  test('is one at a time, and paid once, under concurrent requests', async () => {
    const { teacher, ask } = await aSeller(app)
    await anAccount(teacher)
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => ask(50)))
    const done = attempts.filter(({ status }) => status === 'fulfilled')
    expect(done).toHaveLength(1)
    const { content } = await app.call(listPayouts, { as: teacher, query: {} })
    const payoutId = content[0]?.id ?? 0
    const record = (reference: string) =>
      recordPayout(app.deps, { payoutId, reference }, { actor: 'test' })
    const recorded = await Promise.allSettled(
      ['A', 'A', 'B', 'A', 'B', 'B'].map((reference) => record(reference)),
    )
    expect(recorded.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const { transactions } = await app.deps.database.kysely
      .selectFrom('ledgerTransactions')
      .select(({ fn }) => fn.countAll<number>().as('transactions'))
      .where('payoutId', '=', payoutId)
      .executeTakeFirstOrThrow()
    expect(Number(transactions)).toBe(1)
  })

  test('is cancelled by its teacher alone, and counts if it was transferred all the same', async () => {
    const other = await aSeller(app)
    const { teacher, ask } = await aSeller(app)
    const stranger = await withOfficeToken(app.deps, other.teacher)
    await anAccount(teacher)
    const { id } = await ask(70)
    const cancel = (as: Teacher) => app.call(cancelPayout, { as, params: { id } })
    await expectRefused(cancel(stranger), 404, 'payout_not_found')
    expect(await cancel(teacher)).toMatchObject({ state: 'cancelled' })
    expect(await cancel(teacher)).toMatchObject({ state: 'cancelled' })
    await expect(refuse(id, 'x')).rejects.toThrow()
    await record(id, 'VIR 9', 'cancelled')
    expect((await app.call(getEarnings, { as: teacher })).balance).toBe(0)
  })

  test('before a refund leaves a negative balance, which later sales make up for', async () => {
    const { teacher, ask, orderId } = await aSeller(app)
    await anAccount(teacher)
    const { id } = await ask(70)
    await record(id, 'VIR 10')
    await refundOrder(app.deps, { orderId })
    const earnings = await app.call(getEarnings, { as: teacher })
    expect(earnings).toMatchObject({ balance: -70, available: 0, paidOut: 70 })
    await expectRefused(ask(50), 409, 'payout_not_available')
  })

  test('is rate-limited per day', async () => {
    const { teacher, ask } = await aSeller(app)
    await anAccount(teacher)
    for (let count = 0; count < PAYOUT_REQUESTS_A_DAY; count++) {
      const { id } = await ask(50)
      await app.call(cancelPayout, { as: teacher, params: { id } })
    }
    await expectRefused(ask(50), 429, 'too_many_requests')
  })
})

describe('the office', () => {
  test('sets shares, days and the minimum within their bounds, and lists the changes', async () => {
    const { teacher } = await aSeller(app)
    const termsNow = async () => (await app.call(getEarnings, { as: teacher })).terms
    const shareOf = async (teacherId: number | null, percent: number | null) => {
      const { shop } = await call('getCommissions')
      const { content } = await call('listTeacherShares', 'size=100')
      const own = content.find((each: { teacherId: number }) => each.teacherId === teacherId)
      const { seen } = teacherId === null ? shop : (own ?? shop)
      const what = [`teacherId=${teacherId}`, `percent=${percent}`, `seen=${seen}`]
      return call('setCommission', ...what, 'reason=Rentrée')
    }
    const { teacherId } = teacher
    await shareOf(null, 65)
    await shareOf(teacherId, 80)
    expect((await termsNow()).sharePercent).toBe(80)
    await shareOf(teacherId, null)
    expect((await termsNow()).sharePercent).toBe(65)
    const { shop, history } = await shareOf(null, null)
    expect(shop.percent).toBe(70)
    expect(history[0]).toMatchObject({ by: 'command line' })
    for (const wrong of [101, 7.5]) await expect(shareOf(null, wrong)).rejects.toThrow(/percent/)
    await expect(shareOf(999_999, 50)).rejects.toThrow(/no teacher/)
    const term = (typed: string) => call('setPayoutTerms', typed, 'reason=Rentrée')
    for (const wrong of ['holdDays=91', 'payoutMinimum=0', 'payoutMinimum=1000,01']) {
      await expect(term(wrong), wrong).rejects.toThrow(/holdDays|payoutMinimum/)
    }
    await term('holdDays=3')
    await term('payoutMinimum=20,5')
    expect(await termsNow()).toEqual({ sharePercent: 70, holdDays: 3, payoutMinimum: 20.5 })
    await term('holdDays=null')
    await term('payoutMinimum=null')
    expect(await call('getPayoutTerms')).toEqual({ holdDays: 7, payoutMinimum: 50 })
  })

  test('finds the ledger sound after all of this, and wrong where it was tampered with', async () => {
    const { kysely, pool } = app.deps.database
    const sound = await checkLedger(kysely)
    expect(isLedgerSound(sound), JSON.stringify(sound)).toBe(true)
    const { rows } = await pool.query(
      `UPDATE order_items SET teacher_share = teacher_share - 10
       WHERE order_id = (SELECT max(order_id) FROM order_items) RETURNING order_id AS id`,
    )
    expect((await checkLedger(kysely)).wrongShares).toEqual([{ orderId: rows[0].id }])
    await pool.query(
      'UPDATE order_items SET teacher_share = teacher_share + 10 WHERE order_id = $1',
      [rows[0].id],
    )
    const { rows: paid } = await pool.query(
      `UPDATE payouts SET amount = amount + 10
       WHERE id = (SELECT max(id) FROM payouts WHERE status = 'paid') RETURNING id`,
    )
    expect((await checkLedger(kysely)).wrongPayouts).toEqual([{ payoutId: paid[0].id }])
    await expect(pool.query('UPDATE settings SET value = 99')).rejects.toThrow('only added to')
  })
})
