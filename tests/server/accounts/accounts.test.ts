import { parseOptions } from '@node-rs/argon2'
import { Client } from 'pg'
import { describe, expect, vi } from 'vitest'
import {
  logIn,
  logOut,
  type Registration,
  register,
  setLanguage,
} from '../../../src/contract/accounts.ts'
import { addToCart, getAnonymousCart, getCart } from '../../../src/contract/carts.ts'
import { getBalance } from '../../../src/contract/wallet.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { isParent, readToken } from '../../../src/rules/token.ts'
import { NAME_MAX_LENGTH } from '../../../src/rules/validators.ts'
import type { TestApp } from '../../support/app.ts'
import { PASSWORD, type Person } from '../../support/factories.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp, test } from '../../support/test.ts'

const shared = await sharedApp()

const form: Registration = {
  username: 'amal',
  firstName: 'أمل',
  lastName: 'بن صالح',
  phone: '+216 98 765 432',
  gender: 'female',
  email: 'Amal@Karras.test',
  password: 'abcdef',
  role: ['PARENT'],
}

describe('the language of an account', () => {
  test('is that of the registration page, then of the log-in, then the chosen one', async ({
    app,
  }) => {
    const users = app.kysely.selectFrom('users').select('locale')
    const locale = async () => (await users.executeTakeFirst())?.locale
    await app.call(register, { body: { ...form, locale: 'fr' } })
    expect(await locale()).toBe('fr')
    const body = { username: form.email, password: form.password }
    const { accessToken } = await app.call(logIn, { body })
    expect(await locale()).toBe('fr')
    const refused = { ...body, password: 'wrong', locale: 'ar' }
    expect((await app.request('POST', '/api/auth/login', { body: refused })).status).toBe(401)
    expect(await locale()).toBe('fr')
    await app.call(logIn, { body: { ...body, locale: 'en' } })
    expect(await locale()).toBe('en')
    await app.call(setLanguage, { as: { token: accessToken }, body: { locale: 'ar' } })
    expect(await locale()).toBe('ar')
  })

  test('is Arabic by default, and never an unknown one', async ({ app }) => {
    const body = { ...form, locale: 'tlh' }
    expect((await app.request('POST', '/api/auth/register', { body })).status).toBe(400)
    const { id } = await app.aCustomer()
    const users = app.kysely.selectFrom('users').select('locale')
    expect(await users.where('id', '=', id).execute()).toEqual([{ locale: 'ar' }])
  })
})

const idOf = (token: string) => readToken(token, Date.now())?.userId ?? 0

describe('POST /api/auth/register', () => {
  test('creates a customer account with an empty wallet', async ({ app }) => {
    expect(await app.call(register, { body: form })).toEqual({ status: 'SUCCESS' })

    const body = { username: 'amal@karras.test', password: 'abcdef' }
    const { accessToken } = await app.call(logIn, { body })
    const payload = readToken(accessToken, Date.now())
    expect(payload?.authorities).toEqual(['PARENT'])
    const account = { id: payload?.userId ?? 0, token: accessToken }
    const balance = await app.call(getBalance, { as: account, query: { userId: account.id } })
    expect(balance).toEqual({ balance: 0 })
  })

  test('stores the password as argon2id of at least 19 MiB and 2 passes', async ({ app }) => {
    await app.call(register, { body: form })
    const user = await app.kysely.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(user).toMatchObject({ email: 'amal@karras.test', phone: '98765432', role: 'PARENT' })
    expect(user.passwordHash).toMatch(/^\$argon2id\$/)
    const { memoryCost, timeCost } = parseOptions(user.passwordHash ?? '')
    expect([memoryCost >= 19 * 1024, timeCost >= 2]).toEqual([true, true])
  })

  test('never creates staff, whatever is requested', async ({ app }) => {
    await app.call(register, { body: { ...form, role: ['ADMIN', 'TEACHER'] } })
    const body = { username: form.email, password: form.password }
    const { accessToken } = await app.call(logIn, { body })
    expect(readToken(accessToken, Date.now())?.authorities).toEqual(['PARENT'])
  })

  test('answers alike for a known e-mail, changes nothing, and tells its owner', async ({
    app,
  }) => {
    const answers = []
    for (const body of [form, { ...form, email: 'AMAL@karras.TEST', password: 'another' }]) {
      answers.push(await app.request('POST', '/api/auth/register', { body }))
    }
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      Array(2).fill({ status: 200, body: { status: 'SUCCESS' } }),
    )
    const users = app.kysely.selectFrom('users').select('id')
    expect(await users.where('role', '=', 'PARENT').execute()).toHaveLength(1)
    await app.call(logIn, { body: { username: form.email, password: form.password } })
    await app.runJobs()
    const isTold = (mail: object) => !JSON.stringify(mail).includes('confirm-email')
    const told = JSON.stringify((await app.mails()).filter(isTold))
    expect(told).toContain('To: amal@karras.test')
    expect(told).toContain('/login')
    expect(told).not.toContain(form.firstName)
  })

  test('does as much work for a known e-mail as for a new one', async ({ app }) => {
    const statements: string[] = []
    const seen = async (email: string) => {
      statements.length = 0
      const { query } = Client.prototype
      const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
        this: InstanceType<typeof Client>,
        ...given: unknown[]
      ) {
        const [sent] = given as [{ text?: string } | string]
        const text = typeof sent === 'string' ? sent : (sent.text ?? '')
        statements.push(text.trim().split(/\s/).slice(0, 3).join(' '))
        return Reflect.apply(query, this, given)
      })
      await app.call(register, { body: { ...form, email } })
      spy.mockRestore()
      return statements.filter((text) => /^(insert|update|delete|commit|rollback)/i.test(text))
    }
    const made = await seen('first@karras.test')
    const known = await seen('first@karras.test')
    // One transaction is taken back instead of committed; the mail is queued behind it.
    const writes = (all: string[]) => all.filter((text) => !/^(commit|rollback)/i.test(text)).sort()
    expect(made.length).toBeGreaterThan(3)
    expect(writes(known)).toEqual(writes(made))
  })

  test('creates one account when the same form is sent twenty times at once', async ({ app }) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.request('POST', '/api/auth/register', { body: form })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const users = app.kysely.selectFrom('users').select('id')
    expect(await users.where('role', '=', 'PARENT').execute()).toHaveLength(1)
  })

  test('moves the anonymous cart into the account', async ({ app }) => {
    const sessionId = `anon-${crypto.randomUUID()}`
    const documents = [await app.aDocument(), await app.aDocument()]
    for (const { id: documentId } of documents) {
      await app.call(addToCart, { query: { sessionId, documentId } })
    }
    await app.call(register, { body: { ...form, sessionId } })

    const body = { username: form.email, password: form.password }
    const { accessToken } = await app.call(logIn, { body })
    const params = { userId: idOf(accessToken) }
    const cart = await app.call(getCart, { as: { token: accessToken }, params })
    expect(cart.map(({ document }) => document.id)).toEqual(documents.map(({ id }) => id))
    expect(await app.call(getAnonymousCart, { params: { sessionId } })).toEqual([])
  })

  test.for([
    ['email', 'amal@', 'email'],
    ['email', `${'a'.repeat(65)}@karras.test`, 'email'],
    ['email', '', 'required'],
    ['phone', '1234567', 'phone'],
    ['phone', '+33 6 12 34 56 78', 'phone'],
    ['password', 'abcde', 'minLength'],
    ['password', 'x'.repeat(129), 'maxLength'],
    ['password', '', 'required'],
    ['gender', 'other', 'invalid'],
    ['firstName', '  ', 'required'],
    ['lastName', 'x'.repeat(NAME_MAX_LENGTH + 1), 'maxLength'],
    ['username', undefined, 'required'],
    ['username', 'a\0b', 'invalid'],
    ['sessionId', 'not-a-session', 'pattern'],
  ] as const)('refuses %s %j: %s', async ([field, value, reason]) => {
    const body = { ...form, [field]: value }
    const fields = value?.includes('\0') ? { body: reason } : { [field]: reason }
    const answer = await shared.request('POST', '/api/auth/register', { body })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_input', fields } })
  })
})

describe('POST /api/auth/login', () => {
  test('accepts the e-mail in any case, and no number where the shop reaches no phones', async () => {
    const { id, email, phone } = await shared.aCustomer()
    await shared.change('users', id, { phoneConfirmedAt: new Date() })
    const byPhone = { username: phone, password: PASSWORD }
    await expectCode(shared.call(logIn, { body: byPhone }), 'wrong_credentials')
    const names = [email, ` ${email.toUpperCase()} `]
    for (const username of names) {
      const { accessToken } = await shared.call(logIn, { body: { username, password: PASSWORD } })
      expect(idOf(accessToken)).toBe(id)
    }
  })

  test('gives staff a token too, with their own authority', async () => {
    const { email } = await shared.aTeacherAccount()
    const { accessToken } = await shared.call(logIn, {
      body: { username: email, password: PASSWORD },
    })
    const payload = readToken(accessToken, Date.now())
    expect(payload?.authorities).toEqual(['TEACHER'])
    expect(payload && isParent(payload)).toBe(false)
  })

  test('answers a wrong password and an unknown account with identical bytes', async () => {
    const { email } = await shared.aCustomer()
    const answers = []
    for (const username of [email, 'nobody@karras.test', '29999999']) {
      const body = { username, password: 'wrong-one' }
      const {
        status,
        headers,
        body: said,
      } = await shared.request('POST', '/api/auth/login', { body })
      const { date, ...kept } = Object.fromEntries(headers)
      answers.push({ status, kept, said })
    }
    expect(answers[0]).toMatchObject({ status: 401, said: { error: 'wrong_credentials' } })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('takes as long for an unknown account as for a wrong password', async ({ app }) => {
    await app.call(register, { body: form })
    // The time of the processor, of which the hash is nearly all; alternating, the least of each: what
    // else the machine does changes neither.
    const least = new Map([form.email, 'nobody@karras.test'].map((name) => [name, Infinity]))
    // Fewer than the wrong passwords after which an account is refused without hashing.
    for (let round = 0; round < 9; round++) {
      for (const [username, before] of least) {
        const start = process.cpuUsage()
        const body = { username, password: 'wrong' }
        const { status } = await app.request('POST', '/api/auth/login', { body })
        expect(status).toBe(401)
        const { user, system } = process.cpuUsage(start)
        least.set(username, Math.min(before, user + system))
      }
    }
    const [known = 0, unknown = 0] = least.values()
    // Without hashing the response takes a tenth of it.
    expect(Math.min(known, unknown) / Math.max(known, unknown)).toBeGreaterThan(0.5)
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
    await app.change('users', customer.id, { tokenGeneration: 1 })
    expect((await balance(app, customer)).status).toBe(401)
  })

  test('that has ended is deleted once it would have expired', async ({ app }) => {
    await app.call(logOut, { as: await app.aCustomer() })
    app.travel(13 * HOUR_MS)
    const { email } = await app.aCustomer()
    const body = { username: email, password: PASSWORD }
    await app.call(logOut, { as: { token: (await app.call(logIn, { body })).accessToken } })
    const ended = await app.kysely.selectFrom('endedTokens').selectAll().execute()
    expect(ended).toHaveLength(1)
  })
})
