import { describe, expect } from 'vitest'
import { logIn, logOut } from '../../../src/contract/accounts.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { createPasswords } from '../../../src/server/accounts/passwords.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { PASSWORD, type Person } from '../../support/factories.ts'
import { test } from '../../support/test.ts'

test('a flood of passwords is refused beyond the queue, and recovers', async () => {
  const passwords = createPasswords()
  const answers = await Promise.allSettled(
    Array.from({ length: 130 }, () => passwords.isRight('wrong', null, null)),
  )
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(20)
  expect(refused.length).toBeLessThan(31)
  for (const answer of refused) expect(answer).toMatchObject({ reason: { code: 'unavailable' } })
  expect(await passwords.isRight('wrong', null, null)).toBe(false)
})

describe('attempts to guess a password', () => {
  const few = {
    ...ALLOWANCES,
    logInsOfAccountAndAddress: { max: 3, windowMs: 15 * MINUTE_MS },
    logInsOfAccount: { max: 5, windowMs: 15 * MINUTE_MS },
    logInsOfAddress: { max: 4, windowMs: 15 * MINUTE_MS },
  }
  const attempt = (app: TestApp, username: string, address: string, password = 'wrong') =>
    app.request('POST', '/api/auth/login', {
      body: { username, password },
      headers: { 'x-forwarded-for': address },
    })

  test('end with 429 for the account from that address, however it is spelled', async () => {
    const app = await testApp({ allowances: few })
    const { email, phone } = await app.aCustomer()
    for (const name of [email, email.toUpperCase(), ` ${email}`]) {
      expect((await attempt(app, name, '203.0.113.1')).status).toBe(401)
    }
    const refused = await attempt(app, email, '203.0.113.1', PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
    expect((await attempt(app, phone, '203.0.113.1', PASSWORD)).status).toBe(429)
    expect((await attempt(app, email, '203.0.113.2', PASSWORD)).status).toBe(200)
    expect((await attempt(app, phone, '203.0.113.3', PASSWORD)).status).toBe(200)

    app.travel(16 * MINUTE_MS)
    expect((await attempt(app, email, '203.0.113.1', PASSWORD)).status).toBe(200)
  })

  test('end with 429 for the address, whatever the accounts', async () => {
    const app = await testApp({ allowances: few })
    for (let index = 0; index < 4; index++) await attempt(app, `u${index}@k.test`, '203.0.113.1')
    expect((await attempt(app, 'u5@k.test', '203.0.113.1')).status).toBe(429)
    expect((await attempt(app, 'u5@k.test', '203.0.113.2')).status).toBe(401)
  })

  test('end with 429 for the account, whatever the addresses', async () => {
    const app = await testApp({ allowances: few })
    for (let index = 0; index < 5; index++) await attempt(app, 'a@k.test', `203.0.113.${index}`)
    expect((await attempt(app, 'a@k.test', '203.0.113.9')).status).toBe(429)
  })

  test('gain nothing by being concurrent', async () => {
    const app = await testApp({ allowances: few })
    const { email } = await app.aCustomer()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => attempt(app, email, '203.0.113.1')),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
  })

  test('count only when they are wrong', async () => {
    const app = await testApp({ allowances: few })
    const { email } = await app.aCustomer()
    for (let index = 0; index < 8; index++) {
      expect((await attempt(app, email, '203.0.113.1', PASSWORD)).status).toBe(200)
    }
  })
})

describe('a token', () => {
  const balance = (app: TestApp, person: Person) =>
    app.request('GET', `/api/wallet/balance?userId=${person.id}`, { as: person })

  test('is valid for 12 hours', async ({ app }) => {
    const customer = await app.aCustomer({ balance: dinars(10) })
    app.travel(12 * HOUR_MS - MINUTE_MS)
    expect((await balance(app, customer)).body).toEqual({ balance: 10 })
    app.travel(MINUTE_MS)
    expect((await balance(app, customer)).body).toMatchObject({ error: 'invalid_token' })
  })

  test('ends when it is logged out, and no other with it', async ({ app }) => {
    const customer = await app.aCustomer()
    const body = { username: customer.email, password: PASSWORD }
    const { accessToken } = await app.call(logIn, { body })

    await app.call(logOut, { as: customer })
    expect((await balance(app, customer)).status).toBe(401)
    expect((await balance(app, { ...customer, token: accessToken })).status).toBe(200)
    expect((await app.request('POST', '/api/auth/logout', { as: customer })).status).toBe(401)
  })

  test('ends when its user’s generation is incremented, as a reset does', async ({ app }) => {
    const customer = await app.aCustomer()
    await app.deps.database.kysely
      .updateTable('users')
      .set({ tokenGeneration: 1 })
      .where('id', '=', customer.id)
      .execute()
    expect((await balance(app, customer)).status).toBe(401)
  })

  test('that has ended is deleted once it would have expired', async ({ app }) => {
    await app.call(logOut, { as: await app.aCustomer() })
    app.travel(13 * HOUR_MS)
    const { email } = await app.aCustomer()
    const body = { username: email, password: PASSWORD }
    await app.call(logOut, { as: { token: (await app.call(logIn, { body })).accessToken } })
    const ended = await app.deps.database.kysely.selectFrom('endedTokens').selectAll().execute()
    expect(ended).toHaveLength(1)
  })
})
