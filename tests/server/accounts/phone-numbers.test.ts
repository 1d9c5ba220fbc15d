import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import {
  confirmPhone,
  forgotPassword,
  logIn,
  register,
  resetPasswordByPhone,
} from '../../../src/contract/accounts.ts'
import { changePhone, confirmNewPhone } from '../../../src/contract/own-account.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { RETENTION } from '../../../src/rules/retention.ts'
import { CODE_TRIES, CODES_JUDGED_FROM, SLOWED_CODES_PER_HOUR } from '../../../src/rules/sms.ts'
import { endUnconfirmed } from '../../../src/server/accounts/unconfirmed.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { openCluster } from '../../support/chat-cluster.ts'
import { PASSWORD } from '../../support/factories.ts'
import { expectCode } from '../../support/refusals.ts'
import { smsGateway } from '../../support/sms.ts'
import { test } from '../../support/test.ts'

const PHONE = '98000111'
const FORM = {
  ...{ username: 'amal', firstName: 'Amal', lastName: 'Ben Salah', gender: 'female' as const },
  ...{ phone: PHONE, email: '', password: PASSWORD },
}

async function aShop(env: Record<string, string> = {}) {
  const gateway = await smsGateway()
  onTestFinished(gateway.close)
  const app = await testApp({ env: { ...gateway.env, ...env } })
  return { app, gateway }
}
type Shop = Awaited<ReturnType<typeof aShop>>

const send = (app: TestApp, path: string, body: object, ip: string) =>
  app.request('POST', `/api/auth/${path}`, { body, headers: { 'x-forwarded-for': ip } })
const registerFrom = (app: TestApp, ip: string, phone: string) =>
  send(app, 'register', { ...FORM, phone }, ip)
const numbers = (count: number, from = 98100000) =>
  Array.from({ length: count }, (_, each) => String(from + each))

/** An account that has confirmed the number and has no other contact. */
async function anOwner({ app, gateway }: Shop, phone = PHONE) {
  const { request } = await app.call(register, { body: { ...FORM, phone } })
  await app.runJobs()
  await app.call(confirmPhone, { body: { phone, code: gateway.codeFor(phone), request } })
}

test.for([
  ['one address', () => '203.0.113.9', 'phoneRegistrationsOfAddress'],
  ['the same, mapped into IPv6', () => '::ffff:203.0.113.9', 'phoneRegistrationsOfAddress'],
  ['one /24', (each: number) => `203.0.113.${each}`, 'phoneRegistrationsOfNetwork'],
  ['one /48', (each: number) => `2001:db8:1:${each}::1`, 'phoneRegistrationsOfNetwork'],
] as const)('%s registers so many numbers in a day', async ([, ip, allowance]) => {
  // More than the share of the day, so that only the bounds of addresses refuse.
  const { app } = await aShop({ SMS_PER_DAY: '1000' })
  const { max } = ALLOWANCES[allowance]
  const all = numbers(max + 2)
  const statuses: number[] = []
  for (const [each, phone] of all.entries()) {
    statuses.push((await registerFrom(app, ip(each), phone)).status)
    // They all come back.
    await app.kysely.updateTable('newcomerTexts').set({ cameBackAt: new Date() }).execute()
  }
  expect(statuses).toEqual([...Array(max).fill(200), 429, 429])
})

test('codes that do not come back slow registration, never resets, and are told', async () => {
  const shop = await aShop()
  const { app, gateway } = shop
  await anOwner(shop, '98000999')
  const troubles = () =>
    app.kysely.selectFrom('upkeep').select('what').where('wrongSince', 'is not', null).execute()
  // Many addresses of many networks.
  let count = 0
  const requests: { phone: string; request: string }[] = []
  const more = async (phone: string) => {
    const answer = await registerFrom(app, `198.51.${count++}.7`, phone)
    if (answer.status === 200) requests.push({ phone, ...(answer.body as { request: string }) })
    return answer.status
  }
  const taken = async (phones: readonly string[]) => {
    const statuses = []
    for (const phone of phones) statuses.push(await more(phone))
    return statuses.filter((status) => status === 200).length
  }
  const first = CODES_JUDGED_FROM - 1 // one came back already
  expect(await taken(numbers(first + 20))).toBe(first + SLOWED_CODES_PER_HOUR)
  expect(await troubles()).toEqual([{ what: 'codes' }])
  const { request } = (await send(app, 'forgot-password', { email: '98000999' }, '192.0.2.1'))
    .body as { request: string }
  await app.runJobs()
  const body = { phone: '98000999', code: gateway.codeFor('98000999'), newPassword: 'new one' }
  await app.call(resetPasswordByPhone, { body: { ...body, request } })

  // It stays slow while few of an hour's codes come back, however few they are.
  app.travel(HOUR_MS + 1)
  expect(await taken(numbers(SLOWED_CODES_PER_HOUR + 1, 98300000))).toBe(SLOWED_CODES_PER_HOUR)
  await app.runJobs()
  for (const each of requests.slice(-4)) {
    const code = gateway.codeFor(each.phone)
    await app.call(confirmPhone, { body: { ...each, code } })
  }
  expect(await taken(numbers(2, 98400000))).toBe(2)
  expect(await troubles()).toEqual([])
})

test('simultaneous registrations at two processes never have more than half of a day', async () => {
  const gateway = await smsGateway()
  onTestFinished(gateway.close)
  const cluster = await openCluster(2, { ...gateway.env, SMS_PER_DAY: '20' })
  onTestFinished(() => cluster.close())
  const answers = await Promise.all(
    numbers(30).map((phone, each) =>
      fetch(`${cluster.instances[each % 2]?.url}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.${each}.7` },
        body: JSON.stringify({ ...FORM, phone }),
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
})

test('a number that was typed beside an e-mail neither logs in nor keeps its owner out', async () => {
  const shop = await aShop()
  const { app, gateway } = shop
  const stranger = { ...FORM, email: 'stranger@karras.test', password: 'a stranger' }
  await app.call(register, { body: stranger })
  const byPhone = { username: PHONE, password: 'a stranger' }
  await expectCode(app.call(logIn, { body: byPhone }), 'wrong_credentials')
  await app.call(forgotPassword, { body: { email: PHONE } })
  await app.runJobs()
  expect(gateway.texts).toEqual([])
  expect(JSON.stringify(await app.mails())).not.toContain('reset-password')

  await anOwner(shop)
  await app.call(logIn, { body: { username: `+216 ${PHONE}`, password: PASSWORD } })
  // And beside a new e-mail, a taken number makes the account and sends nothing.
  const texts = gateway.texts.length
  await app.call(register, { body: { ...stranger, email: 'second@karras.test' } })
  await app.call(logIn, { body: { username: 'second@karras.test', password: 'a stranger' } })
  await app.runJobs()
  expect(gateway.texts).toHaveLength(texts)
  await app.call(logIn, { body: { username: PHONE, password: PASSWORD } })
})

test('a taken number alone answers alike, and is told once a day', async () => {
  const shop = await aShop()
  const { app, gateway } = shop
  await anOwner(shop)
  const texts = gateway.texts.length
  for (let time = 0; time < 2; time++) {
    const answer = await app.request('POST', '/api/auth/register', { body: FORM })
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'SUCCESS', request: expect.any(String) },
    })
  }
  await app.runJobs()
  expect(gateway.texts.slice(texts)).toEqual([
    { phone: PHONE, text: expect.stringContaining('/login') },
  ])
  const users = app.kysely.selectFrom('users').select('id')
  expect(await users.where('phone', '=', PHONE).execute()).toHaveLength(1)
})

test('of two accounts that confirm one number at the same time, one has it', async () => {
  const { app, gateway } = await aShop()
  const asked = []
  for (const password of ['the first', 'the second']) {
    const { request } = await app.call(register, { body: { ...FORM, password } })
    await app.runJobs()
    asked.push({ phone: PHONE, request, code: gateway.codeFor(PHONE) })
  }
  // A third one already has an account, and adds the number there.
  const as = await app.aCustomer()
  await app.call(changePhone, { as, body: { phone: PHONE, password: PASSWORD } })
  await app.runJobs()
  const code = gateway.codeFor(PHONE)
  const outcomes = await Promise.allSettled([
    ...asked.map((body) => app.call(confirmPhone, { body })),
    app.call(confirmNewPhone, { as, body: { code } }),
  ])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      await expectCode(Promise.reject(outcome.reason), 'contact_taken')
    }
  }
  const confirmed = app.kysely.selectFrom('users').select('id')
  expect(
    await confirmed.where('phone', '=', PHONE).where('phoneConfirmedAt', 'is not', null).execute(),
  ).toHaveLength(1)
})

test('strangers lock no owner out, of a number or an e-mail, where it has logged in before', async () => {
  const shop = await aShop()
  const { app, gateway } = shop
  const HOME = '192.0.2.10'
  await anOwner(shop)
  const own = { username: PHONE, password: PASSWORD }
  expect((await send(app, 'login', own, HOME)).status).toBe(200)
  app.travel(DAY_MS)

  const strangers = Array.from({ length: 12 }, (_, each) => `198.51.${each}.7`)
  for (const ip of strangers) await send(app, 'forgot-password', { email: PHONE }, ip)
  expect((await send(app, 'forgot-password', { email: PHONE }, strangers[0] ?? '')).status).toBe(
    429,
  )
  await app.runJobs()
  const asked = await send(app, 'forgot-password', { email: PHONE }, HOME)
  expect(asked.status).toBe(200)
  await app.runJobs()
  const { request } = asked.body as { request: string }
  const body = { phone: PHONE, code: gateway.codeFor(PHONE), newPassword: 'a new one' }
  const wrong = { ...body, code: body.code === '000000' ? '000001' : '000000' }
  for (let time = 0; time < 2 * CODE_TRIES; time++) {
    expect((await send(app, 'reset-password/phone', wrong, '198.51.1.7')).status).toBe(400)
  }
  const changed = await send(app, 'reset-password/phone', { ...body, request }, HOME)
  expect(changed.status).toBe(200)

  // Guesses at the password close the account to strangers alone.
  const guess = { ...own, password: 'a guess' }
  for (let time = 0; time < ALLOWANCES.logInsOfAccount.max; time++) {
    await send(app, 'login', guess, strangers[time % strangers.length] ?? '')
  }
  const right = { ...own, password: 'a new one' }
  expect((await send(app, 'login', right, '203.0.113.77')).status).toBe(429)
  expect((await send(app, 'login', right, HOME)).status).toBe(200)
})

test('accounts that nobody confirmed end, unless they hold something', async () => {
  const { app } = await aShop()
  await app.call(register, { body: FORM })
  await app.call(register, { body: { ...FORM, email: 'empty@karras.test' } })
  const rich = await app.aCustomer({ balance: dinars(1) })
  const buyer = await app.aCustomer()
  const { id } = await app.aDocument({ price: 0 })
  const bought = { userId: buyer.id, documentIds: [id] }
  await app.call(payFromWallet, { as: buyer, key: 'free', body: bought })
  const confirmed = await app.aCustomer()
  await app.change('users', confirmed.id, { emailConfirmedAt: new Date() })
  await sql`UPDATE users SET email_confirmed_at = NULL WHERE id IN (${rich.id}, ${buyer.id})`.execute(
    app.kysely,
  )
  const left = async () =>
    (await app.kysely.selectFrom('users').select('email').where('role', '=', 'PARENT').execute())
      .map(({ email }) => email)
      .sort()
  const kept = [rich.email, buyer.email, confirmed.email]
  await endUnconfirmed(app.deps)
  expect(await left()).toHaveLength(5)
  app.travel(RETENTION.unconfirmedPhones + 1000)
  await endUnconfirmed(app.deps)
  expect(await left()).toEqual([...kept, 'empty@karras.test'].sort())
  app.travel(RETENTION.unconfirmedEmails)
  await endUnconfirmed(app.deps)
  expect(await left()).toEqual(kept.sort())
})
