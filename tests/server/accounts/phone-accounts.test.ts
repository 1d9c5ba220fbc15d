import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import {
  confirmPhone,
  FORGOT_PASSWORD_MESSAGE,
  forgotPassword,
  logIn,
  register,
  resetPasswordByPhone,
} from '../../../src/contract/accounts.ts'
import { confirmAct } from '../../../src/contract/office-acts.ts'
import { getPerson, listPeople, readOutCode } from '../../../src/contract/office-people.ts'
import { confirmTransfer } from '../../../src/contract/office-transfers.ts'
import { listOrders } from '../../../src/contract/orders.ts'
import { addRating } from '../../../src/contract/ratings.ts'
import { initiateRecharge, payFromWallet } from '../../../src/contract/wallet.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { RETENTION } from '../../../src/rules/retention.ts'
import { CODE_LIFETIME_MS, CODE_TRIES } from '../../../src/rules/sms.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { forgetAttempts } from '../../../src/server/jobs/clean-up.ts'
import { sendText } from '../../../src/server/mail/text-messages.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { PASSWORD } from '../../support/factories.ts'
import { expectCode } from '../../support/refusals.ts'
import { smsGateway } from '../../support/sms.ts'
import { test } from '../../support/test.ts'

test('an account without an e-mail buys, is shown in the office, and gets no mail', async ({
  app,
}) => {
  const buyer = await app.aCustomer({ balance: dinars(20) })
  await app.change('users', buyer.id, { email: null, firstName: '', lastName: '' })
  const document = await app.aDocument({ price: dinars(3) })
  const body = { userId: buyer.id, documentIds: [document.id] }
  await app.call(payFromWallet, { as: buyer, key: 'once', body })
  const [order] = await app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
  expect(order?.buyer.email).toBeNull()

  const as = await app.anOfficeAdministrator()
  const shown = { email: null, phone: buyer.phone }
  const people = await app.call(listPeople, { as, query: { q: buyer.phone } })
  expect(people.content).toMatchObject([shown])
  const { person } = await app.call(getPerson, { as, params: { id: buyer.id } })
  expect(person).toMatchObject(shown)
  expect(await app.mails()).toEqual([])
  expect(await app.deps.jobs.list('failed_mail')).toEqual([])
})

const NEWCOMER = {
  username: 'amal',
  firstName: 'Amal',
  lastName: 'Ben Salah',
  phone: '+216 98 000 111',
  gender: 'female' as const,
  email: '',
  password: PASSWORD,
}
const PHONE = '98000111'
const NEW = 'a new password'

/** A shop that reaches phones, and its gateway. */
async function aShop({ answers, env, ...options }: Shop = {}) {
  const gateway = await smsGateway(answers)
  onTestFinished(gateway.close)
  const app = await testApp({ ...options, env: { ...gateway.env, ...env } })
  return { app, gateway }
}
type Shop = { answers?: (number | null)[] } & Parameters<typeof testApp>[0]

const enter = (app: TestApp, password = PASSWORD) =>
  app.call(logIn, { body: { username: PHONE, password } })
const askReset = (app: TestApp, email: string, headers = {}) =>
  app.request('POST', '/api/auth/forgot-password', { body: { email }, headers })

async function aPhoneAccount(shop: Awaited<ReturnType<typeof aShop>>) {
  const { app, gateway } = shop
  const { request } = await app.call(register, { body: NEWCOMER })
  await app.runJobs()
  await app.call(confirmPhone, { body: { phone: PHONE, code: gateway.codeFor(PHONE), request } })
  const { accessToken } = await enter(app)
  const { id } = await userBy(app)
  return { id, token: accessToken }
}
const userBy = (app: TestApp) =>
  app.kysely.selectFrom('users').selectAll().where('phone', '=', PHONE).executeTakeFirstOrThrow()

test('a shop that cannot reach phones asks for an e-mail as before', async ({ app }) => {
  const answer = await app.request('POST', '/api/auth/register', { body: NEWCOMER })
  expect(answer.body).toMatchObject({
    status: 400,
    error: 'invalid_input',
    fields: { email: 'required' },
  })
  expect((await askReset(app, PHONE)).body).toMatchObject({
    status: 400,
    fields: { email: 'email' },
  })
  const body = { phone: PHONE, password: PASSWORD }
  const as = await app.aCustomer()
  expect((await app.request('POST', '/api/account/phone', { as, body })).status).toBe(400)
})

test('an account with a phone alone is confirmed, logs in, and gets a new password', async () => {
  const shop = await aShop()
  const { app, gateway } = shop
  const { status, request } = await app.call(register, { body: { ...NEWCOMER, locale: 'fr' } })
  expect(status).toBe('SUCCESS')
  await app.runJobs()
  expect(gateway.texts).toHaveLength(1)
  expect(gateway.texts[0]?.text).toContain('Ne le donnez')
  await expectCode(enter(app), 'phone_unconfirmed')
  await expectCode(enter(app, 'wrong'), 'wrong_credentials')

  const code = gateway.codeFor(PHONE)
  const kept = app.kysely.selectFrom('codeRequests').selectAll()
  expect(JSON.stringify(await kept.execute())).not.toContain(code)
  const confirmation = { phone: NEWCOMER.phone, code, request }
  // The code belongs to the browser that asked for it.
  await expectCode(
    app.call(confirmPhone, { body: { phone: PHONE, code, request: 'another' } }),
    'wrong_phone_code',
  )
  await app.call(confirmPhone, { body: confirmation })
  await expectCode(app.call(confirmPhone, { body: confirmation }), 'wrong_phone_code')
  const { accessToken } = await enter(app)
  for (const pasted of ['٩٨ ٠٠٠ ١١١', '\u206698\u202f000\u202f111\u2069\u200f']) {
    await app.call(logIn, { body: { username: pasted, password: PASSWORD } })
  }

  const asked = (await askReset(app, NEWCOMER.phone)).body
  expect(asked).toMatchObject({ message: FORGOT_PASSWORD_MESSAGE })
  await app.runJobs()
  const body = {
    ...{ phone: PHONE, code: gateway.codeFor(PHONE), newPassword: NEW },
    request: (asked as { request: string }).request,
  }
  const answers = await Promise.allSettled(
    [1, 2, 3].map(() => app.call(resetPasswordByPhone, { body })),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const old = await app.request('POST', '/api/auth/language', {
    as: { token: accessToken },
    body: { locale: 'ar' },
  })
  expect(old.status).toBe(401)
  await enter(app, NEW)
  // Nothing of it in any log.
  const said = JSON.stringify([app.log, app.reports])
  for (const secret of [PHONE, code, body.code]) expect(said).not.toContain(secret)
})

test('a code takes five tries, also at once, and ten minutes', async () => {
  const shop = await aShop()
  const { app, gateway } = shop
  const { request } = await app.call(register, { body: NEWCOMER })
  await app.runJobs()
  const code = gateway.codeFor(PHONE)
  const wrong = code === '000000' ? '000001' : '000000'
  const tried = (typed: string) =>
    app.request('POST', '/api/auth/confirm-phone', { body: { phone: PHONE, code: typed, request } })
  const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => tried(wrong)))
  expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(400))
  const { tries } = await app.kysely
    .selectFrom('codeRequests')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(tries).toBe(CODE_TRIES)
  expect((await tried(code)).body).toMatchObject({ error: 'wrong_phone_code' })

  await app.call(forgotPassword, { body: { email: PHONE, request } })
  await app.runJobs()
  const late = gateway.codeFor(PHONE)
  app.travel(CODE_LIFETIME_MS)
  expect((await tried(late)).status).toBe(400)
  app.travel(RETENTION.phoneCodes + 1)
  await forgetAttempts(app.deps)
  const kept = app.kysely.selectFrom('codeRequests').selectAll()
  expect(await kept.execute()).toEqual([])
})

test('a number gets three messages an hour and ten a day, known or not; the answer says nothing', async () => {
  const { app, gateway } = await aShop()
  const { id } = await app.aCustomer({ phone: PHONE })
  await app.change('users', id, { phoneConfirmedAt: new Date() })
  for (const phone of [PHONE, '98000222']) {
    for (let time = 0; time < 3; time++) {
      const { body } = await askReset(app, phone)
      expect(body).toEqual({ message: FORGOT_PASSWORD_MESSAGE, request: expect.any(String) })
    }
    expect((await askReset(app, phone)).status).toBe(429)
  }
  for (let hour = 0; hour < 2; hour++) {
    app.travel(HOUR_MS)
    for (let time = 0; time < 3; time++) expect((await askReset(app, PHONE)).status).toBe(200)
  }
  app.travel(HOUR_MS)
  expect((await askReset(app, PHONE)).status).toBe(200)
  const refused = await askReset(app, PHONE)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(HOUR_MS / 1000)
  // An account with an e-mail address is not opened by its number: it gets the link by mail.
  expect((await app.mails()).length).toBeGreaterThan(0)
  expect(gateway.texts).toEqual([])
})

test('an address asks for so many codes, and a shop sends so many in a day', async () => {
  const allowances = { ...ALLOWANCES, codesOfAddress: { max: 2, windowMs: HOUR_MS } }
  const { app, gateway } = await aShop({ allowances, env: { SMS_PER_DAY: '3' } })
  const from = { 'x-forwarded-for': '203.0.113.9' }
  expect((await askReset(app, '98000301', from)).status).toBe(200)
  expect((await askReset(app, '98000302', from)).status).toBe(200)
  expect((await askReset(app, '98000303', from)).status).toBe(429)

  // Newcomers have at most half of the day, so that others have the rest.
  const owner = await app.aCustomer({ phone: '98000999' })
  await app.change('users', owner.id, { email: null, phoneConfirmedAt: new Date() })
  await app.call(register, { body: NEWCOMER })
  const late = { ...NEWCOMER, phone: '98000555' }
  await expectCode(app.call(register, { body: late }), 'no_texts_left')
  // Nor can codes for accounts that nobody confirmed use up the rest.
  await askReset(app, PHONE)
  await app.runJobs()
  expect(gateway.texts).toHaveLength(1)
  for (let time = 0; time < 2; time++) await askReset(app, '98000999')
  await app.runJobs()
  expect(gateway.texts).toHaveLength(3)
  for (const phone of [PHONE, '98000444']) {
    expect((await askReset(app, phone)).body).toMatchObject({ status: 503, error: 'no_texts_left' })
  }
  app.travel(DAY_MS)
  expect((await askReset(app, PHONE)).status).toBe(200)
})

test('a message that was certainly not taken is sent again, and any other never twice', async () => {
  const { app, gateway } = await aShop({ answers: [503, 200, null] })
  await app.call(register, { body: NEWCOMER })
  await app.runJobs()
  expect([gateway.asked(), gateway.texts.length]).toEqual([2, 1])
  await askReset(app, PHONE)
  await app.runJobs()
  expect(gateway.asked()).toBe(3)
  const [given] = await app.deps.jobs.list('failed_mail')
  expect(given?.failure).toMatchObject({ reason: expect.stringMatching(/may have been sent/) })
  expect(app.reports.join()).not.toContain(PHONE)
  const { rows } = await sql<{ what: string }>`
    SELECT what FROM upkeep WHERE wrong_since IS NOT NULL`.execute(app.kysely)
  expect(rows).toEqual([{ what: 'sms' }])

  // A process that ended while it was sent leaves its mark.
  const sms = { phone: PHONE, text: 'x', isCode: true }
  const job = randomUUID()
  await app.kysely.insertInto('sentTexts').values({ jobId: job, sentAt: new Date() }).execute()
  await expect(sendText(app.deps, job, sms)).rejects.toMatchObject({ isFinal: true })
  expect(gateway.asked()).toBe(3)
})

test('a confirmed number makes ratings count, and money is told by messages', async () => {
  const shop = await aShop()
  const { app, gateway } = shop
  const buyer = await aPhoneAccount(shop)
  const document = await app.aDocument({ price: 0 })
  await app.call(payFromWallet, {
    as: buyer,
    key: 'free',
    body: { userId: buyer.id, documentIds: [document.id] },
  })
  const rating = { user: { id: buyer.id }, document: { id: document.id }, rating: 4, comment: 'ok' }
  await app.call(addRating, { as: buyer, body: rating })
  expect(await app.row('documents', document.id)).toMatchObject({ ratingCount: 1, ratingSum: 4 })

  const as = await app.anOfficeAdministrator()
  const amount = { amount: 20, paymentMethod: 'D17' as const, userId: buyer.id }
  const { paymentRef } = await app.call(initiateRecharge, { as: buyer, key: 'top', body: amount })
  await app.call(confirmTransfer, {
    as,
    key: 'yes',
    params: { paymentRef },
    body: { seen: 'pending', reason: 'D17 list' },
  })
  await app.runJobs()
  expect(gateway.texts.at(-1)).toEqual({
    phone: PHONE,
    text: expect.stringMatching(/20\.00/),
  })
  expect(await app.mails()).toEqual([])
})

test('an administrator reads out a code once, in the log, that opens the account for ten minutes', async () => {
  const { app } = await aShop()
  const customer = await app.aCustomer()
  const as = await app.anOfficeAdministrator()
  const second = await app.anOfficeAdministrator()
  const params = { id: customer.id }
  const body = { reason: 'at the counter' }
  // One who has an e-mail gets a link.
  await expectCode(app.call(readOutCode, { as, params, body }), 'account_has_email')
  await app.kysely.updateTable('users').set({ email: null }).where('id', '=', customer.id).execute()
  const asked = await app.call(readOutCode, { as, params, body })
  expect(asked).toEqual({ waits: expect.any(Number), code: null })
  await expectCode(app.call(readOutCode, { as, params, body }), 'act_waits')
  const confirm = { key: 'yes', params: { id: asked.waits ?? 0 } }
  await expectCode(app.call(confirmAct, { as, ...confirm }), 'act_is_yours')
  await app.call(confirmAct, { as: second, ...confirm })
  const read = await app.call(readOutCode, { as, params, body })
  const { code = '', phone = '' } = read.code ?? {}
  expect(phone).toBe(customer.phone)
  // Each code is confirmed.
  expect((await app.call(readOutCode, { as, params, body })).code).toBeNull()
  await app.call(resetPasswordByPhone, { body: { phone, code, newPassword: NEW } })
  await app.call(logIn, { body: { username: phone, password: NEW } })
  const { log } = await app.call(getPerson, { as, params })
  expect(log.map(({ action }) => action)).toContain('read out code')
  expect(JSON.stringify(log)).not.toContain(code)
  for (const other of [await app.aTeacherAccount(), as]) {
    await expectCode(
      app.call(readOutCode, { as, params: { id: other.id }, body }),
      'user_not_found',
    )
  }
})
