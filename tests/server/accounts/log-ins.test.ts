import { describe, expect } from 'vitest'
import { logIn, logOut } from '../../../src/contract/accounts.ts'
import { endLogIn, endOtherLogIns, getOwnAccount } from '../../../src/contract/own-account.ts'
import { LOG_INS_MAX } from '../../../src/rules/devices.ts'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import type { TestApp } from '../../support/app.ts'
import { PASSWORD, type Person } from '../../support/factories.ts'
import { test } from '../../support/test.ts'

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; SM-A057F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
const LAPTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0'

/** Logs a person in on a device. */
async function device(app: TestApp, { email }: Person, userAgent: string, address = '') {
  const body = { username: email, password: PASSWORD }
  const headers = { 'user-agent': userAgent, ...(address && { 'x-forwarded-for': address }) }
  const answer = await app.request('POST', '/api/auth/login', { headers, body })
  return { token: (answer.body as { accessToken: string }).accessToken }
}

const devices = async (app: TestApp, as: { token: string }) =>
  (await app.call(getOwnAccount, { as })).logIns.map((logIn) => logIn.device)

const isIn = async (app: TestApp, as: { token: string }) =>
  (await app.request('GET', '/api/account', { as })).status === 200

describe('the log-ins of an account', () => {
  test('are listed by device, this one marked, each ended alone', async ({ app }) => {
    const person = await app.aCustomer({ balance: dinars(12) })
    const stranger = await app.aCustomer()
    const phone = await device(app, person, PHONE)
    const laptop = await device(app, person, LAPTOP)

    const account = await app.call(getOwnAccount, { as: phone })
    expect(account).toMatchObject({ email: person.email, balance: 12, isEmailConfirmed: true })
    expect(account.logIns).toMatchObject([
      { device: 'Firefox, Windows', isThis: false },
      { device: 'Chrome, Android', isThis: true },
    ])
    const [other] = account.logIns
    const params = { id: other?.id ?? 0 }
    await expect(app.call(endLogIn, { as: stranger, params })).rejects.toThrow('404')
    expect(await isIn(app, laptop)).toBe(true)

    await app.call(endLogIn, { as: phone, params })
    expect(await isIn(app, laptop)).toBe(false)
    expect(await devices(app, phone)).toEqual(['Chrome, Android'])
    await expect(app.call(endLogIn, { as: phone, params })).rejects.toThrow('404')
  })

  test('show where they came from, and nothing keeps the whole address', async ({ app }) => {
    const person = await app.aCustomer()
    const addresses = ['197.2.14.33', '2c0f:f698:4001:12:3::1', '127.0.0.1']
    for (const address of addresses) await device(app, person, PHONE, address)
    const as = await device(app, person, LAPTOP)
    const { logIns } = await app.call(getOwnAccount, { as })
    expect(logIns.map(({ address }) => address).toSorted()).toEqual([
      '',
      '',
      '197.2.14.x',
      '2c0f:f698:4001:x',
    ])
    const rows = await app.kysely.selectFrom('logIns').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/\.14\.33|:4001:12/)
  })

  test('end all but this one, which goes on with a new token', async ({ app }) => {
    const person = await app.aCustomer()
    const phone = await device(app, person, PHONE)
    const laptop = await device(app, person, LAPTOP)
    const { accessToken } = await app.call(endOtherLogIns, { as: phone })
    expect(await isIn(app, phone)).toBe(false)
    expect(await isIn(app, laptop)).toBe(false)
    expect((await app.call(getOwnAccount, { as: { token: accessToken } })).logIns).toHaveLength(1)
  })

  test('are those of valid tokens alone, and say when they were used', async ({ app }) => {
    const person = await app.aCustomer()
    const phone = await device(app, person, PHONE)
    await app.call(logOut, { as: await device(app, person, LAPTOP) })
    expect(await devices(app, phone)).toEqual(['Chrome, Android'])

    const seenAt = async () => {
      const rows = await app.kysely.selectFrom('logIns').select('seenAt').execute()
      return rows[0]?.seenAt.getTime() ?? 0
    }
    const before = await seenAt()
    app.travel(2 * HOUR_MS)
    await app.call(getOwnAccount, { as: phone })
    await expect.poll(seenAt).toBeGreaterThan(before + HOUR_MS)

    app.travel(11 * HOUR_MS)
    const laptop = await device(app, person, LAPTOP)
    expect(await devices(app, laptop)).toEqual(['Firefox, Windows'])
    await cleanUp(app.deps)
    expect(await app.kysely.selectFrom('logIns').selectAll().execute()).toHaveLength(1)
  })

  test('are so many at most: one more ends the oldest', async ({ app }) => {
    const person = await app.aCustomer()
    const first = await device(app, person, PHONE)
    const body = { username: person.email, password: PASSWORD }
    for (let count = 1; count < LOG_INS_MAX; count++) await app.call(logIn, { body })
    expect(await isIn(app, first)).toBe(true)
    await app.call(logIn, { body })
    expect(await isIn(app, first)).toBe(false)
  })
})
