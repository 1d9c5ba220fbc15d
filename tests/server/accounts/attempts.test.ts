import { beforeAll, describe, expect } from 'vitest'
import { logIn, register } from '../../../src/contract/accounts.ts'
import type { AnyCall } from '../../../src/contract/call.ts'
import {
  confirmSecondFactor,
  officeLogIn,
  startSecondFactor,
} from '../../../src/contract/office-access.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { createPasswords } from '../../../src/server/accounts/accounts.ts'
import { fault } from '../../../src/server/http/errors.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { forgetAttempts } from '../../../src/server/jobs/clean-up.ts'
import { addressOfNetwork } from '../../chaos/calls.ts'
import { amount } from '../../support/amount.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { authenticatorCode } from '../../support/authenticator.ts'
import { openCluster } from '../../support/chat-cluster.ts'
import { PASSWORD } from '../../support/factories.ts'
import { test } from '../../support/test.ts'

const QUARTER = 15 * MINUTE_MS

/** How many of these answers are what they are, by status. */
function byStatus(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('three processes on one database', () => {
  let cluster: Awaited<ReturnType<typeof openCluster>>
  beforeAll(async () => {
    cluster = await openCluster(3)
    return () => cluster.close()
  })

  async function send(at: number, call: AnyCall, body: object, headers: Record<string, string>) {
    const answer = await fetch(`${cluster.instances[at % 3]?.url}/api${call.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const guesses = async (email: string, address: string, count: number) => {
    const all = Array.from({ length: count }, (_, at) => {
      const body = { username: email, password: 'wrong' }
      return send(at, logIn, body, { 'x-forwarded-for': address })
    })
    return byStatus((await Promise.all(all)).map(({ status }) => status))
  }
  const codes = async (email: string, count: number) => {
    const all = Array.from({ length: count }, (_, at) => {
      const body = { username: email, password: PASSWORD, code: 'ZZZZ-ZZZZ-ZZZZ-ZZZZ' }
      return send(at, officeLogIn, body, { 'x-forwarded-for': `198.51.100.${at}` })
    })
    return (await Promise.all(all)).map(({ body }) => body.error).sort()
  }

  test('count passwords and codes together, over a restart', async () => {
    const { email } = await cluster.made.aCustomer()
    const teacher = await cluster.made.anOfficeTeacher()
    const authorization = `Bearer ${teacher.token}`
    const started = await send(0, startSecondFactor, { password: PASSWORD }, { authorization })
    const code = authenticatorCode(started.body.secret, Date.now())
    expect((await send(1, confirmSecondFactor, { code }, { authorization })).status).toBe(200)

    for (let address = 0; address < 9; address++) {
      expect(await guesses(email, `203.0.113.${address}`, 15)).toEqual({ 401: 10, 429: 5 })
    }
    expect(await codes(teacher.email, 15)).toEqual([
      ...Array(5).fill('too_many_requests'),
      ...Array(10).fill('wrong_code'),
    ])
    await Promise.all([0, 1, 2].map((at) => cluster.replace(at)))
    expect(await guesses(email, '203.0.113.0', 15)).toEqual({ 429: 15 })
    expect(new Set(await codes(teacher.email, 15))).toEqual(new Set(['too_many_requests']))
    // A hundred of an account, from all addresses.
    expect(await guesses(email, '203.0.113.9', 15)).toEqual({ 401: 10, 429: 5 })
    expect(await guesses(email, '203.0.113.10', 15)).toEqual({ 429: 15 })
  })
})

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

describe('attempts', () => {
  const few = {
    ...ALLOWANCES,
    logInsOfAddress: { max: 4, windowMs: QUARTER },
    logInsOfAccount: { max: 5, windowMs: QUARTER },
  }
  const attempt = (app: TestApp, username: string, address: string, password = 'wrong') =>
    app.request('POST', '/api/auth/login', {
      body: { username, password },
      headers: { 'x-forwarded-for': address },
    })
  const statusOf = async (...attempted: Parameters<typeof attempt>) =>
    (await attempt(...attempted)).status
  const counted = ({ deps }: TestApp) =>
    deps.database.kysely.selectFrom('attemptCounts').selectAll().execute()

  test('are refused for the account from that address, however it is spelled, and count only when they are wrong', async () => {
    const logInsOfAccountAndAddress = { max: 3, windowMs: QUARTER }
    const app = await testApp({ allowances: { ...few, logInsOfAccountAndAddress } })
    const { email } = await app.aCustomer()
    for (let time = 0; time < 8; time++) {
      expect(await statusOf(app, email, '203.0.113.1', PASSWORD)).toBe(200)
    }
    for (const name of [email, email.toUpperCase(), ` ${email}`]) {
      expect(await statusOf(app, name, '203.0.113.1')).toBe(401)
    }
    const refused = await attempt(app, email, '203.0.113.1', PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(await statusOf(app, email, '203.0.113.1', PASSWORD)).toBe(429)
    expect(await statusOf(app, email, '203.0.113.2', PASSWORD)).toBe(200)
    expect(await statusOf(app, email, '203.0.113.3', PASSWORD)).toBe(200)
    app.travel(QUARTER)
    expect(await statusOf(app, email, '203.0.113.1', PASSWORD)).toBe(200)
  })

  test('of an address over its allowance are not counted for the account', async () => {
    const app = await testApp({ allowances: few })
    const [own, { email }] = [await app.aCustomer(), await app.aCustomer()]
    for (let n = 0; n < 4; n++) await attempt(app, own.email, '203.0.113.1')
    const rows = await counted(app)
    for (let n = 0; n < 8; n++) expect(await statusOf(app, email, '203.0.113.1')).toBe(429)
    expect(await counted(app)).toEqual(rows)
    for (let n = 2; n < 7; n++) expect(await statusOf(app, email, `203.0.113.${n}`)).toBe(401)
    expect(await statusOf(app, email, '203.0.113.9')).toBe(429)
  })

  const ADDRESSES = amount('ATTEMPT_ADDRESSES', { usual: 1000, long: 20_000 })
  const AT_ONCE = 20

  // ATTEMPT_ADDRESSES sets another number; 200000 need a longer --testTimeout.
  test(`from ${ADDRESSES} addresses of one IPv6 /48 neither free a closed account nor fill the database`, async () => {
    const app = await testApp({ allowances: few })
    const [victim, other] = [await app.aCustomer(), await app.aCustomer()]
    for (let n = 0; n < 5; n++) await attempt(app, victim.email, `203.0.113.${n}`)
    expect(await statusOf(app, victim.email, '203.0.113.9')).toBe(429)

    const statuses: number[] = []
    for (let first = 0; first < ADDRESSES; first += AT_ONCE) {
      const answers = Array.from({ length: AT_ONCE }, (_, at) => {
        const n = first + at
        return attempt(app, n < 5 ? other.email : `u${n}@k.test`, addressOfNetwork(n))
      })
      statuses.push(...(await Promise.all(answers)).map(({ status }) => status))
    }
    expect(byStatus(statuses)).toEqual({ 401: 40, 429: ADDRESSES - 40 })
    expect(await statusOf(app, victim.email, '2001:db8:2::1')).toBe(429)
    // An attempt has up to four counts.
    expect((await counted(app)).length).toBeLessThan(4 * (40 + 6))
    expect(await statusOf(app, other.email, '2001:db8:2::1', PASSWORD)).toBe(429)
    app.travel(QUARTER)
    expect(await statusOf(app, victim.email, '2001:db8:1:1::1', PASSWORD)).toBe(200)
  })

  test('are not prolonged by refused ones', async () => {
    const app = await testApp({ allowances: few })
    const { email } = await app.aCustomer()
    for (let n = 0; n < 5; n++) await attempt(app, email, `203.0.113.${n}`)
    app.travel(QUARTER - MINUTE_MS)
    const refused = await attempt(app, email, '203.0.113.9')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    app.travel(MINUTE_MS)
    expect(await statusOf(app, email, '203.0.113.9', PASSWORD)).toBe(200)
  })

  test('count nowhere if no password was checked', async () => {
    let isFull = true
    const passwords = createPasswords()
    const app = await testApp({
      allowances: few,
      deps: {
        passwords: {
          ...passwords,
          isRight: async (...given) => {
            if (isFull) throw fault('unavailable')
            return passwords.isRight(...given)
          },
        },
      },
    })
    const { email } = await app.aCustomer()
    for (let n = 0; n < 10; n++) {
      const busy = await attempt(app, email, '203.0.113.1')
      expect(busy.status).toBe(503)
      expect(busy.headers.get('retry-after')).toBe('5')
    }
    isFull = false
    expect(await statusOf(app, email, '203.0.113.1')).toBe(401)
  })

  test('with right passwords have a budget, by account and by address', async () => {
    const app = await testApp({
      allowances: {
        ...ALLOWANCES,
        passwordsOfAccount: { max: 3, windowMs: QUARTER },
        passwordsOfAddress: { max: 7, windowMs: QUARTER },
      },
    })
    const [one, other] = [await app.aCustomer(), await app.aCustomer()]
    const right = async (email: string, address: string) =>
      await statusOf(app, email, address, PASSWORD)
    // The first one makes the address known, where the account then has a budget of its own.
    for (let n = 0; n < 4; n++) expect(await right(one.email, '203.0.113.1')).toBe(200)
    expect(await right(one.email, '203.0.113.1')).toBe(429)
    expect(await right(one.email, '203.0.113.2')).toBe(200)
    expect(await right(other.email, '203.0.113.1')).toBe(200)
    expect(await right(other.email, '203.0.113.1')).toBe(200)
    expect(await right(other.email, '203.0.113.1')).toBe(429)
    expect(await right(other.email, '203.0.113.2')).toBe(200)
    app.travel(QUARTER)
    expect(await right(one.email, '203.0.113.1')).toBe(200)
  })

  test('to register count for the address, and for the whole IPv6 /48', async () => {
    const app = await testApp({
      allowances: { ...ALLOWANCES, registrationsOfAddress: { max: 1, windowMs: HOUR_MS } },
    })
    const join = async (n: number, address: string) => {
      const body = {
        username: 'Amal',
        firstName: 'Amal',
        lastName: 'Ben Salah',
        phone: `2200${1000 + n}`,
        gender: 'female',
        email: `new${n}@karras.test`,
        password: PASSWORD,
      }
      const headers = { 'x-forwarded-for': address }
      return (await app.request('POST', `/api${register.path}`, { body, headers })).status
    }
    expect(await join(0, '2001:db8:1:0::1')).toBe(200)
    expect(await join(1, '2001:db8:1:0::2')).toBe(429)
    for (let n = 1; n < 10; n++) expect(await join(n, `2001:db8:1:${n}::1`)).toBe(200)
    expect(await join(10, '2001:db8:1:a::1')).toBe(429)
    expect(await join(10, '2001:db8:2:a::1')).toBe(200)
  })

  test('are forgotten once their window is over', async ({ app }) => {
    await attempt(app, 'a@karras.test', '203.0.113.1')
    app.travel(QUARTER - MINUTE_MS)
    await attempt(app, 'b@karras.test', '203.0.113.2')
    const all = await counted(app)
    await forgetAttempts(app.deps)
    expect(await counted(app)).toEqual(all)
    app.travel(2 * MINUTE_MS)
    await forgetAttempts(app.deps)
    const left = await counted(app)
    expect(left).toHaveLength(3)
    expect(all.length).toBe(6)
    // Nobody who reads the table learns who has tried.
    expect(JSON.stringify(all)).not.toMatch(/karras|203\.0\.113/)
  })
})

test('calls of a whole IPv6 /48 are counted, with more room', async () => {
  const calls = { max: 2, windowMs: MINUTE_MS }
  const app = await testApp({ allowances: { ...ALLOWANCES, calls } })
  const get = async (address: string) =>
    (await app.request('GET', '/api/category', { headers: { 'x-forwarded-for': address } })).status
  for (let n = 0; n < 20; n++) expect(await get(`2001:db8:1:${n}::1`)).toBe(200)
  expect(await get('2001:db8:1:20::1')).toBe(429)
  expect(await get('2001:db8:2:20::1')).toBe(200)
  app.travel(MINUTE_MS)
  expect(await get('2001:db8:1:20::1')).toBe(200)
})
