// @one-database: it is about mails.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { forgotPassword } from '../../../src/contract/accounts.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { TEXTS } from '../../../src/i18n/texts.ts'
import { type Mail, outboxCarrier, smtpCarrier } from '../../../src/server/carriers/carriers.ts'
import { deliverMail, type Writers } from '../../../src/server/mail/deliver.ts'
import { resetMail } from '../../../src/server/mail/link-mails.ts'
import { testApp } from '../../support/app.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { outbox, smtpServer } from '../../support/mail.ts'
import { uiText } from '../../support/texts.ts'

const aWrittenMail = (locale: (typeof LOCALES)[number] = 'ar') =>
  resetMail({
    texts: TEXTS,
    locale,
    to: 'amal@karras.test',
    siteUrl: 'https://karras.test',
    token: 'to-ken',
  })

const aMail = (locale?: (typeof LOCALES)[number]): Mail => {
  const { sender, ...mail } = aWrittenMail(locale)
  return { ...mail, to: 'amal@karras.test', from: { name: sender, address: 'shop@karras.test' } }
}

describe('the password reset mail', () => {
  test.each(LOCALES)('in %s is written in its language throughout, as text and HTML', (locale) => {
    const { text, html, subject } = aMail(locale)
    const link = `https://karras.test${locale === 'ar' ? '' : `/${locale}`}/reset-password?token=to-ken`
    for (const part of [text, html]) {
      expect(part).toContain(uiText(locale, 'mail:reset.ignore'))
      expect(part).toContain(link)
      expect(part).toContain('30')
      expect(part).not.toMatch(/\{\{|undefined/)
    }
    expect(text.split('\n')).toContain(link)
    expect(subject).not.toMatch(/\{\{/)
    expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
  })

  test('escapes markup in an address', () => {
    const siteUrl = 'https://karras.test/"><script>'
    const { html } = resetMail({
      texts: TEXTS,
      locale: 'fr',
      to: 'a@b.tn',
      siteUrl,
      token: 't',
    })
    expect(html).not.toContain('<script>')
  })
})

test('the outbox contains complete files that only their owner can read', async () => {
  const dataDir = temporaryDirectory()
  const carry = outboxCarrier(join(dataDir, 'outbox'))
  await carry.send(aMail('ar'))
  const [name = '', ...others] = await readdir(join(dataDir, 'outbox'))
  expect(others).toEqual([])
  expect(name).toMatch(/^[\w-]+\.eml$/)
  expect((await stat(join(dataDir, 'outbox', name))).mode & 0o077).toBe(0)
  const [mail] = await outbox(dataDir)
  expect(mail?.headers).toContain('To: amal@karras.test')
  expect(mail?.headers).toContain('Auto-Submitted: auto-generated')
  expect(mail?.parts['text/plain']).toContain(uiText('ar', 'mail:reset.ignore'))
  expect(mail?.parts['text/html']).toContain('dir="rtl"')
})

describe('a mail server', () => {
  test('gets the mail, and again after being busy', async () => {
    const server = await smtpServer({ refusals: ['451 later'] })
    const app = await testApp({ env: { SMTP_URL: server.url } })
    onTestFinished(() => server.close())
    const { email } = await app.aCustomer()
    await app.call(forgotPassword, { body: { email, locale: 'fr' } })
    await app.runJobs()
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]?.headers).toMatch(new RegExp(`^To: ${email}$`, 'm'))
    expect(server.mails[0]?.parts['text/plain']).toContain(uiText('fr', 'mail:reset.hello'))
    expect(app.reports).toEqual([
      expect.stringMatching(/^Mail fails since .*: .*451 later$/),
      'Mail works again.',
    ])
  })

  test('that refuses permanently is not retried, and the log does not name the recipient', async () => {
    const server = await smtpServer({ refusals: ['550 <amal@karras.test> unknown'] })
    const app = await testApp({ env: { SMTP_URL: server.url } })
    onTestFinished(() => server.close())
    const { email } = await app.aCustomer({ email: 'amal@karras.test' })
    await app.call(forgotPassword, { body: { email } })
    await app.runJobs()
    expect(server.connections()).toBe(1)
    expect(app.reports).toHaveLength(1)
    expect(app.reports[0]).toMatch(/550/)
    expect(app.reports[0]).not.toContain('amal')
    const [given] = await app.deps.jobs.list('failed_mail')
    expect(given).toMatchObject({ data: { kind: 'password_reset', email }, failure: { to: email } })
  })

  test('with a problem of its own gets the mail later, whatever its response', async () => {
    expect(await failureOf({ code: 'EAUTH', responseCode: 535 })).toMatchObject({ isFinal: false })
    expect(await failureOf({ code: 'EENVELOPE', responseCode: 450 })).toMatchObject({
      isFinal: false,
    })
    expect(await failureOf({ code: 'EMESSAGE', responseCode: 554 })).toMatchObject({
      isFinal: true,
    })
  })

  test('that does not respond is given up for now', async () => {
    const server = await smtpServer({ silent: true })
    onTestFinished(() => server.close())
    const timeouts = { connection: 50, greeting: 50, silence: 50 }
    await expect(smtpCarrier(server.url, timeouts).send(aMail())).rejects.toThrow()
    expect(server.connections()).toBe(1)
  })
})

/** How a mail ends whose transport fails with this error. */
async function failureOf(fault: object): Promise<unknown> {
  const carrier = { send: () => Promise.reject(Object.assign(new Error('no'), fault)), close() {} }
  const writers = { receipt: async () => aWrittenMail() } as unknown as Writers
  const shop = {
    senderAddress: async () => 'shop@karras.test',
    texts: async () => TEXTS,
    isOfMerged: async () => false,
  }
  const deliver = deliverMail(carrier, writers, shop, async () => {})
  return deliver({ kind: 'receipt' }, 'job').catch((error) => error)
}
