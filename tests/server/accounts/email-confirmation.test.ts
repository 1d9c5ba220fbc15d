import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { logIn, register } from '../../../src/contract/accounts.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { TEXTS } from '../../../src/i18n/texts.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { CONFIRMATION_LINK_LIFETIME_MS } from '../../../src/rules/roles.ts'
import { keepConfirmationToken } from '../../../src/server/accounts/email-confirmations.ts'
import { hashLinkToken } from '../../../src/server/accounts/link-token.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { URGENT } from '../../../src/server/jobs/queues.ts'
import { confirmEmailMail } from '../../../src/server/mail/link-mails.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { PASSWORD, type Person } from '../../support/factories.ts'
import { linkIn, tokenIn } from '../../support/mail.ts'
import { test } from '../../support/test.ts'
import { uiText } from '../../support/texts.ts'

const NEWCOMER = {
  username: 'amal',
  firstName: 'Gagnez 1000 dinars sur evil.example',
  lastName: 'Ben Salah',
  phone: '98000111',
  gender: 'female' as const,
  email: 'amal@karras.test',
  password: PASSWORD,
}

const anUnconfirmed = (app: TestApp) => app.aCustomer({ isConfirmed: false })
const confirm = (app: TestApp, token: string, headers = {}) =>
  app.request('POST', '/api/auth/confirm-email', { body: { token }, headers })
const askAgain = (app: TestApp, as: Pick<Person, 'token'>, headers = {}) =>
  app.request('POST', '/api/auth/confirmation-link', { as, headers })
const isConfirmed = async (app: TestApp, email: string) => {
  const { emailConfirmedAt } = await app.kysely
    .selectFrom('users')
    .select('emailConfirmedAt')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return emailConfirmedAt !== null
}

/** Waits for so many mails, and returns them. */
async function mails(app: TestApp, count: number) {
  const found = await app.mails()
  expect(found).toHaveLength(count)
  return found
}

const INVALID = { status: 400, error: 'invalid_confirmation_token' }

describe('registration', () => {
  test('mails a link that confirms the address once, and responds kindly when repeated', async ({
    app,
  }) => {
    await app.call(register, { body: { ...NEWCOMER, locale: 'fr' } })
    const [mail] = await mails(app, 1)
    if (!mail) throw new Error('no mail')
    expect(mail.headers).toContain(`To: ${NEWCOMER.email}`)
    const link = linkIn(mail)
    expect(link.pathname).toBe('/fr/confirm-email')
    const token = link.searchParams.get('token') ?? ''
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    // User input is not mailed to somebody else in the shop's name.
    expect(Object.values(mail.parts).join()).not.toContain('evil')

    // Only the token's hash is stored.
    const kept = app.kysely.selectFrom('emailConfirmations').select('tokenHash')
    expect(await kept.execute()).toEqual([{ tokenHash: hashLinkToken(token) }])

    // The account works meanwhile.
    const body = { username: NEWCOMER.email, password: PASSWORD }
    const { accessToken } = await app.call(logIn, { body })
    expect(await isConfirmed(app, NEWCOMER.email)).toBe(false)
    expect((await confirm(app, token)).body).toEqual({ status: 'CONFIRMED' })
    expect(await isConfirmed(app, NEWCOMER.email)).toBe(true)
    for (let time = 0; time < 2; time++) {
      expect((await confirm(app, token)).body).toEqual({ status: 'ALREADY_CONFIRMED' })
    }
    const asked = await askAgain(app, { token: accessToken })
    expect(asked.body).toEqual({ status: 'ALREADY_CONFIRMED' })
    await mails(app, 1)
  })

  test('queues the mail where a kill does not lose it, before receipts, and without its token', async ({
    app,
  }) => {
    await app.call(register, { body: NEWCOMER })
    const { rows } = await sql<{ data: { kind: string }; priority: number }>`
      SELECT data, priority FROM jobs.job WHERE name = 'mail'`.execute(app.kysely)
    expect(rows).toMatchObject([{ data: { kind: 'email_confirmation' }, priority: URGENT }])
    expect(Object.keys(rows[0]?.data ?? {}).sort()).toEqual(['kind', 'userId'])
    const kept = app.kysely.selectFrom('emailConfirmations').selectAll()
    expect(await kept.execute()).toEqual([])
    await mails(app, 1)
    expect(await kept.execute()).toHaveLength(1)
    app.travel(CONFIRMATION_LINK_LIFETIME_MS + 1000)
    await cleanUp(app.deps)
    expect(await kept.execute()).toEqual([])
  })

  test('with a taken address sends no other link', async ({ app }) => {
    await app.call(register, { body: NEWCOMER })
    await mails(app, 1)
    const again = { ...NEWCOMER, phone: '98000112' }
    await app.call(register, { body: again })
    const sent = await mails(app, 2)
    expect(sent.filter((mail) => JSON.stringify(mail).includes('confirm-email'))).toHaveLength(1)
  })
})

describe('a confirmation link', () => {
  test('used many times at once confirms once', async ({ app }) => {
    const { id } = await anUnconfirmed(app)
    const token = await keepConfirmationToken(app.deps, id)
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(app, token)))
    expect(answers.map(({ body }) => (body as { status: string }).status).sort()).toEqual([
      ...Array(3).fill('ALREADY_CONFIRMED'),
      'CONFIRMED',
    ])
  })

  test('expires after its lifetime; a confirmed account is told so', async ({ app }) => {
    const [one, two] = [await anUnconfirmed(app), await anUnconfirmed(app)]
    const first = await keepConfirmationToken(app.deps, one.id)
    const second = await keepConfirmationToken(app.deps, two.id)
    app.travel(CONFIRMATION_LINK_LIFETIME_MS - 1000)
    expect((await confirm(app, first)).status).toBe(200)
    app.travel(1000)
    expect((await confirm(app, second)).body).toMatchObject(INVALID)
    expect(await isConfirmed(app, two.email)).toBe(false)
    expect((await confirm(app, first)).body).toEqual({ status: 'ALREADY_CONFIRMED' })
  })

  test('confirms one account, and does nothing else', async ({ app }) => {
    const [me, other] = [await anUnconfirmed(app), await anUnconfirmed(app)]
    const token = await keepConfirmationToken(app.deps, me.id)
    const body = { token, newPassword: 'another password' }
    expect((await app.request('POST', '/api/auth/reset-password', { body })).status).toBe(400)
    expect((await confirm(app, token)).status).toBe(200)
    expect(await isConfirmed(app, other.email)).toBe(false)
  })

  test('that is invalid is refused; visiting the URL confirms nothing', async ({ app }) => {
    const { id, email } = await anUnconfirmed(app)
    const token = await keepConfirmationToken(app.deps, id)
    for (const wrong of ['x', `${token}x`, token.toUpperCase(), 'x'.repeat(200)]) {
      expect((await confirm(app, wrong)).body).toMatchObject(INVALID)
    }
    expect((await app.request('GET', `/api/auth/confirm-email?token=${token}`)).status).toBe(405)
    expect(await isConfirmed(app, email)).toBe(false)
  })

  test('is unnecessary after a password reset by mail', async ({ app }) => {
    const { email } = await anUnconfirmed(app)
    await app.request('POST', '/api/auth/forgot-password', { body: { email } })
    const [mail] = await mails(app, 1)
    const token = mail && linkIn(mail).searchParams.get('token')
    const body = { token, newPassword: 'another password' }
    expect((await app.request('POST', '/api/auth/reset-password', { body })).status).toBe(200)
    expect(await isConfirmed(app, email)).toBe(true)
  })
})

describe('requesting the link again', () => {
  test('sends another one, and both are valid', async ({ app }) => {
    const me = await anUnconfirmed(app)
    expect((await askAgain(app, me)).body).toEqual({ status: 'SENT' })
    expect((await askAgain(app, me)).body).toEqual({ status: 'SENT' })
    const tokens = (await mails(app, 2)).map(tokenIn)
    expect(new Set(tokens).size).toBe(2)
    expect((await confirm(app, tokens[0] ?? '')).body).toEqual({ status: 'CONFIRMED' })
    expect((await confirm(app, tokens[1] ?? '')).body).toEqual({ status: 'ALREADY_CONFIRMED' })
  })

  test('is refused with 429 after too many requests, by account and by address', async () => {
    const confirmationLinksOfAccount = { max: 2, windowMs: HOUR_MS }
    const resetsOfAddress = { max: 3, windowMs: HOUR_MS }
    const allowances = { ...ALLOWANCES, confirmationLinksOfAccount, resetsOfAddress }
    const app = await testApp({ allowances })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const [me, other] = [await anUnconfirmed(app), await anUnconfirmed(app)]
    for (const address of ['203.0.113.1', '203.0.113.2']) {
      expect((await askAgain(app, me, from(address))).status).toBe(200)
    }
    const refused = await askAgain(app, me, from('203.0.113.3'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    // Tried tokens count for their address as well.
    await confirm(app, 'x', from('203.0.113.1'))
    await confirm(app, 'x', from('203.0.113.1'))
    expect((await confirm(app, 'x', from('203.0.113.1'))).status).toBe(429)
    expect((await askAgain(app, other, from('203.0.113.1'))).status).toBe(429)
    app.travel(HOUR_MS)
    expect((await askAgain(app, me, from('203.0.113.1'))).status).toBe(200)
    await mails(app, 3)
  })
})

test.each(LOCALES)('the mail in %s is entirely in its language, as text and HTML', (locale) => {
  const siteUrl = 'https://karras.test'
  const to = 'amal@karras.test'
  const mail = confirmEmailMail({ texts: TEXTS, locale, to, siteUrl, token: 'to-ken' })
  const link = `${siteUrl}${locale === 'ar' ? '' : `/${locale}`}/confirm-email?token=to-ken`
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain(uiText(locale, 'mail:confirmEmail.ignore'))
    expect(part).toContain(link)
    expect(part).toContain(String(CONFIRMATION_LINK_LIFETIME_MS / DAY_MS))
    expect(part).not.toMatch(/\{\{|undefined/)
  }
})
