import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { LOCALES } from '../../src/i18n/locales.ts'
import { outboxCarrier, smtpCarrier } from '../../src/server/mail/carriers.ts'
import { createMailer, type Mail } from '../../src/server/mail/mailer.ts'
import { resetMail } from '../../src/server/mail/reset-mail.ts'
import { outbox, readMail, smtpServer } from '../support/mail.ts'
import { said } from '../support/texts.ts'

const aMail = (locale: (typeof LOCALES)[number] = 'ar'): Mail =>
  resetMail({ locale, to: 'amal@karras.test', siteUrl: 'https://karras.test', token: 'to-ken' })

const carrier = (send: (mail: Mail) => Promise<void>) => ({ send, close: () => {} })

describe('the mail of a reset', () => {
  test.each(LOCALES)('in %s says all in its language, both ways', (locale) => {
    const { text, html, subject } = aMail(locale)
    const link = `https://karras.test${locale === 'ar' ? '' : `/${locale}`}/reset-password?token=to-ken`
    for (const part of [text, html]) {
      expect(part).toContain(said(locale, 'mail:reset.ignore'))
      expect(part).toContain(link)
      expect(part).toContain('30')
      expect(part).not.toMatch(/\{\{|undefined/)
    }
    expect(text.split('\n')).toContain(link)
    expect(subject).not.toMatch(/\{\{/)
    expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
  })

  test('holds nothing of an address as markup', () => {
    const siteUrl = 'https://karras.test/"><script>'
    const { html } = resetMail({ locale: 'fr', to: 'a@b.tn', siteUrl, token: 't' })
    expect(html).not.toContain('<script>')
  })
})

test('the outbox holds whole files that only their owner reads', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-mail-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const carry = outboxCarrier(join(dataDir, 'outbox'))
  await carry.send(aMail('ar'))
  const [name = '', ...others] = await readdir(join(dataDir, 'outbox'))
  expect(others).toEqual([])
  expect(name).toMatch(/^[\w-]+\.eml$/)
  expect((await stat(join(dataDir, 'outbox', name))).mode & 0o077).toBe(0)
  const [mail] = await outbox(dataDir)
  expect(mail?.headers).toContain('To: amal@karras.test')
  expect(mail?.headers).toContain('Auto-Submitted: auto-generated')
  expect(mail?.parts['text/plain']).toContain(said('ar', 'mail:reset.ignore'))
  expect(mail?.parts['text/html']).toContain('dir="rtl"')
})

describe('a mail server', () => {
  test('is given the mail, again when it was busy', async () => {
    const server = await smtpServer({ refusals: ['451 later'] })
    onTestFinished(() => server.close())
    const report = vi.fn()
    const mailer = createMailer({ carrier: smtpCarrier(server.url), report, pauses: [1] })
    mailer.post(async () => aMail('fr'))
    await mailer.idle()
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]?.headers).toMatch(/^To: amal@karras\.test$/m)
    expect(server.mails[0]?.parts['text/plain']).toContain(said('fr', 'mail:reset.hello'))
    expect(report).not.toHaveBeenCalled()
    await mailer.stop()
  })

  test('that refuses for good is not asked again, and the log does not name the recipient', async () => {
    const server = await smtpServer({ refusals: ['550 <amal@karras.test> unknown'] })
    onTestFinished(() => server.close())
    const report = vi.fn()
    const mailer = createMailer({ carrier: smtpCarrier(server.url), report, pauses: [1, 1] })
    mailer.post(async () => aMail())
    await mailer.idle()
    expect(server.connections()).toBe(1)
    expect(report).toHaveBeenCalledOnce()
    expect(report.mock.calls[0]?.[0]).toMatch(/550/)
    expect(report.mock.calls[0]?.[0]).not.toContain('amal')
    await mailer.stop()
  })

  test('that says nothing is left', async () => {
    const server = await smtpServer({ silent: true })
    onTestFinished(() => server.close())
    const report = vi.fn()
    const timeouts = { connection: 50, greeting: 50, silence: 50 }
    const mailer = createMailer({
      carrier: smtpCarrier(server.url, timeouts),
      report,
      pauses: [1],
    })
    mailer.post(async () => aMail())
    await mailer.idle()
    expect(server.connections()).toBe(2)
    expect(report).toHaveBeenCalledOnce()
    await mailer.stop()
  })
})

describe('the queue', () => {
  test('is bounded, and sends only so many at once', async () => {
    const held = Promise.withResolvers<void>()
    let most = 0
    let running = 0
    const mailer = createMailer({
      carrier: carrier(async () => {
        most = Math.max(most, ++running)
        await held.promise
        running--
      }),
      report: () => {},
      capacity: 6,
      atOnce: 2,
    })
    const taken = Array.from({ length: 8 }, () => mailer.post(async () => aMail()))
    expect(taken).toEqual([true, true, true, true, true, true, false, false])
    held.resolve()
    await mailer.idle()
    expect(most).toBe(2)
    expect(mailer.post(async () => null)).toBe(true)
    await mailer.idle()
  })

  test('goes on past a mail that waits for another attempt', async () => {
    const sent: string[] = []
    const mailer = createMailer({
      carrier: carrier(async ({ to }) => {
        if (to === 'bad@karras.test') throw new Error('later')
        sent.push(to)
      }),
      report: () => {},
      atOnce: 1,
      pauses: [3_600_000],
    })
    mailer.post(async () => ({ ...aMail(), to: 'bad@karras.test' }))
    mailer.post(async () => ({ ...aMail(), to: 'good@karras.test' }))
    await vi.waitFor(() => expect(sent).toEqual(['good@karras.test']))
    // A stop does not wait an hour for it.
    await mailer.stop()
    expect(mailer.post(async () => null)).toBe(false)
  })

  test('makes a mail once, however often it is sent', async () => {
    const prepare = vi.fn(async () => aMail())
    let attempts = 0
    const mailer = createMailer({
      carrier: carrier(async () => {
        if (++attempts < 3) throw new Error('later')
      }),
      report: () => {},
      pauses: [1, 1, 1],
    })
    mailer.post(prepare)
    await mailer.idle()
    expect([attempts, prepare.mock.calls.length]).toEqual([3, 1])
  })
})

test('what reads mails in tests reads a folded header', () => {
  expect(readMail('A: b\r\n c\r\n\r\n').headers).toBe('A: b c')
})
