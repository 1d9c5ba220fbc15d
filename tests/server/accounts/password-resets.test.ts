import { describe, expect, onTestFinished } from 'vitest'
import {
  FORGOT_PASSWORD_MESSAGE,
  forgotPassword,
  logIn,
  resetPassword,
} from '../../../src/contract/accounts.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { hashLinkToken } from '../../../src/server/accounts/link-token.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { type Answer, type TestApp, testApp } from '../../support/app.ts'
import { PASSWORD, type Person } from '../../support/factories.ts'
import { linkIn, outbox, type ReadMail, smtpServer, tokenIn } from '../../support/mail.ts'
import { test } from '../../support/test.ts'

const NEW = 'a new password'

const askReset = (app: TestApp, email: string, headers = {}) =>
  app.request('POST', '/api/auth/forgot-password', { body: { email }, headers })
const reset = (app: TestApp, token: string, newPassword = NEW, headers = {}) =>
  app.request('POST', '/api/auth/reset-password', { body: { token, newPassword }, headers })
const canLogIn = async (app: TestApp, { email }: Person, password: string) =>
  (await app.request('POST', '/api/auth/login', { body: { username: email, password } })).status

const tokensIn = (mails: readonly ReadMail[]) => mails.map(tokenIn)

/** Requests a link and reads it from the outbox. */
async function tokenFor(app: TestApp, { email }: Person): Promise<string> {
  const before = tokensIn(await outbox(app.deps.config.dataDir))
  expect((await askReset(app, email)).status).toBe(200)
  const fresh = tokensIn(await app.mails()).filter((token) => !before.includes(token))
  expect(fresh).toHaveLength(1)
  return fresh[0] ?? ''
}

const REFUSED = { status: 400, error: 'invalid_reset_token' }

describe('a reset link', () => {
  test('sets a new password, once', async ({ app }) => {
    const customer = await app.aCustomer()
    const token = await tokenFor(app, customer)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    // Only the token's hash is stored.
    const kept = app.kysely.selectFrom('passwordResets').select('tokenHash')
    expect(await kept.execute()).toEqual([{ tokenHash: hashLinkToken(token) }])

    expect((await reset(app, token)).body).toEqual({
      message: 'Your password has been reset successfully.',
    })
    expect(await canLogIn(app, customer, NEW)).toBe(200)
    expect(await canLogIn(app, customer, PASSWORD)).toBe(401)
    expect((await reset(app, token, 'another one')).body).toEqual({
      ...REFUSED,
      message: 'Error resetting password. The token might be invalid or expired.',
    })
    expect(await canLogIn(app, customer, NEW)).toBe(200)
  })

  test('used twice at once works once', async ({ app }) => {
    const customer = await app.aCustomer()
    const tokens = [await tokenFor(app, customer), await tokenFor(app, customer)]
    const answers = await Promise.all([...tokens, ...tokens].map((token) => reset(app, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  })

  test('is valid for 30 minutes', async ({ app }) => {
    const customer = await app.aCustomer()
    const [first, second] = [await tokenFor(app, customer), await tokenFor(app, customer)]
    app.travel(29 * MINUTE_MS)
    expect((await reset(app, first)).status).toBe(200)
    // A reset invalidates the other links too.
    expect((await reset(app, second)).body).toMatchObject(REFUSED)
    const third = await tokenFor(app, customer)
    app.travel(31 * MINUTE_MS)
    expect((await reset(app, third)).body).toMatchObject(REFUSED)
    await askReset(app, customer.email)
    await app.runJobs()
    await cleanUp(app.deps)
    const kept = await app.kysely.selectFrom('passwordResets').selectAll().execute()
    expect(kept).toHaveLength(1)
  })

  test('ends all earlier tokens, and nobody else’s', async ({ app }) => {
    const [customer, other] = [await app.aCustomer(), await app.aCustomer()]
    const body = { username: customer.email, password: PASSWORD }
    const { accessToken } = await app.call(logIn, { body })
    await reset(app, await tokenFor(app, customer))
    const balance = async (person: Person, token: string) =>
      (await app.request('GET', `/api/wallet/balance?userId=${person.id}`, { as: { token } }))
        .status
    for (const token of [customer.token, accessToken]) {
      expect(await balance(customer, token)).toBe(401)
    }
    expect(await balance(other, other.token)).toBe(200)
    const again = await app.call(logIn, { body: { ...body, password: NEW } })
    expect(await balance(customer, again.accessToken)).toBe(200)
  })

  test('that is invalid is refused, and so is a password that is too short', async ({ app }) => {
    const token = await tokenFor(app, await app.aCustomer())
    for (const wrong of ['x', `${token}x`, token.toUpperCase(), 'x'.repeat(200)]) {
      expect((await reset(app, wrong)).body).toMatchObject(REFUSED)
    }
    const short = await reset(app, token, '12345')
    expect(short.body).toMatchObject({ status: 400, fields: { newPassword: 'minLength' } })
    expect((await reset(app, token)).status).toBe(200)
  })

  test('is written in the requested language, Arabic otherwise', async ({ app }) => {
    const { email } = await app.aCustomer()
    await app.call(forgotPassword, { body: { email: email.toUpperCase(), locale: 'fr' } })
    await app.call(forgotPassword, { body: { email } })
    const mails = await app.mails()
    const paths = mails.map((mail) => linkIn(mail).pathname).sort()
    expect(paths).toEqual(['/fr/reset-password', '/reset-password'])
    const [token = ''] = tokensIn(mails)
    await app.call(resetPassword, { body: { token, newPassword: NEW } })
  })
})

describe('requesting a link', () => {
  test('gets the same response, byte for byte, for an unknown e-mail', async ({ app }) => {
    const { email } = await app.aCustomer()
    const seen = (answer: Answer) => {
      const headers = [...answer.headers].filter(([name]) => name !== 'date')
      return JSON.stringify([answer.status, headers, answer.body])
    }
    const known = await askReset(app, email)
    const unknown = await askReset(app, 'nobody.at.all@karras.test')
    expect(known.body).toEqual({ message: FORGOT_PASSWORD_MESSAGE })
    expect(seen(unknown)).toBe(seen(known))
    expect(await app.mails()).toHaveLength(1)
  })

  test('takes as long for an unknown e-mail', async () => {
    const app = await testApp({
      allowances: { ...ALLOWANCES, resetLinksOfAccount: { max: 1000, windowMs: HOUR_MS } },
    })
    const { email } = await app.aCustomer()
    // Alternates, and takes the fastest of each: other load only makes one slower.
    const fastest = new Map([email, 'nobody@karras.test'].map((name) => [name, Infinity]))
    for (let round = 0; round < 40; round++) {
      for (const [name, before] of fastest) {
        const startedAt = performance.now()
        await askReset(app, name)
        fastest.set(name, Math.min(before, performance.now() - startedAt))
      }
    }
    const [known = 0, unknown = 0] = fastest.values()
    expect(Math.abs(known - unknown)).toBeLessThan(5)
  })

  test('is refused with 429 after too many, known or not, and by address', async () => {
    const resetLinksOfAccount = { max: 2, windowMs: HOUR_MS }
    const resetsOfAddress = { max: 5, windowMs: 15 * MINUTE_MS }
    const allowances = { ...ALLOWANCES, resetLinksOfAccount, resetsOfAddress }
    const app = await testApp({ allowances })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const { email } = await app.aCustomer()
    for (const name of [email, 'nobody@karras.test']) {
      expect((await askReset(app, name, from('203.0.113.1'))).status).toBe(200)
      expect((await askReset(app, name.toUpperCase(), from('203.0.113.2'))).status).toBe(200)
      const refused = await askReset(app, name, from('203.0.113.3'))
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    }
    for (let index = 0; index < 5; index++) await reset(app, 'x', NEW, from('203.0.113.9'))
    expect((await reset(app, 'x', NEW, from('203.0.113.9'))).status).toBe(429)
    expect((await askReset(app, 'other@karras.test', from('203.0.113.9'))).status).toBe(429)
    app.travel(HOUR_MS)
    expect((await askReset(app, email, from('203.0.113.9'))).status).toBe(200)
  })

  test('is answered at once while the mail server hangs', async () => {
    const server = await smtpServer({ silent: true })
    const app = await testApp({ env: { SMTP_URL: server.url } })
    // Before the server stops: it waits for mails being sent.
    onTestFinished(() => server.close())
    const { email } = await app.aCustomer()
    // Calls that waited for the mail server would exceed the test's time-out.
    for (let index = 0; index < 8; index++) {
      expect((await askReset(app, index % 2 ? email : `p${index}@karras.test`)).status).toBe(200)
    }
    expect((await app.request('GET', '/api/documents')).status).toBe(200)
  })
})
