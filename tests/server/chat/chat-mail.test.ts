import { describe, expect, test } from 'vitest'
import { markRead, openRoom } from '../../../src/contract/chat.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { TEXTS } from '../../../src/i18n/texts.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { absenceMail, CHAT_MAIL_AFTER_MS, mailAbsent } from '../../../src/server/chat/absence.ts'
import { testApp } from '../../support/app.ts'
import { aConversation, rawSocket, sendChat, socketUrl } from '../../support/chat.ts'

const SITE_URL = 'https://karras.test'

describe('an absent user', () => {
  test('is notified once of unread messages, until they read again', async () => {
    const app = await testApp({ env: { SITE_URL } })
    const { customer, admin, room } = await aConversation(app)
    const content = 'هذه رسالة أطول من ثلاثين حرفا ولا يقرأ البريد آخرها السرّيّ'
    const sent = await sendChat(app, admin, customer, content)
    app.travel(CHAT_MAIL_AFTER_MS - MINUTE_MS)
    expect(await mailAbsent(app.deps)).toBe(0)
    app.travel(2 * MINUTE_MS)
    expect((await Promise.all([mailAbsent(app.deps), mailAbsent(app.deps)])).sort()).toEqual([0, 1])
    const [mail] = await app.mails()
    expect(mail?.headers).toMatch(new RegExp(`^To: .*${customer.email}`, 'm'))
    for (const body of Object.values(mail?.parts ?? {})) {
      expect(body).toContain(`${[...content].slice(0, 30).join('')}...`)
      expect(body).not.toContain('السرّيّ')
      expect(body).toContain(`${SITE_URL}/chat`)
    }

    await sendChat(app, admin, customer, 'more')
    app.travel(2 * CHAT_MAIL_AFTER_MS)
    expect(await mailAbsent(app.deps)).toBe(0)

    const params = { roomId: room }
    await app.call(markRead, { as: customer, params, body: { upTo: sent.id } })
    app.travel(2 * CHAT_MAIL_AFTER_MS)
    expect(await mailAbsent(app.deps)).toBe(1)
    app.travel(DAY_MS / 2)
    expect(await mailAbsent(app.deps)).toBe(0)
    expect(await app.mails()).toHaveLength(2)
  })

  test('gets one mail for all their conversations', async () => {
    const app = await testApp()
    const { customer, admin } = await aConversation(app)
    const others = await Promise.all([app.anAdministrator(), app.anAdministrator()])
    await sendChat(app, admin, customer, 'one')
    for (const other of others) {
      const query = { user1Id: other.id, user2Id: customer.id }
      await app.call(openRoom, { as: other, query })
      await sendChat(app, other, customer, `from ${other.id}`)
    }
    app.travel(2 * CHAT_MAIL_AFTER_MS)
    expect(await mailAbsent(app.deps)).toBe(1)
    const [mail] = await app.mails()
    expect(mail?.parts['text/plain']).toContain(`from ${others[1]?.id}`)
  })

  test('gets no mail if present, if everything is read, or if the message is old', async () => {
    const app = await testApp()
    const { customer, admin, room } = await aConversation(app)
    const sent = await sendChat(app, admin, customer, 'hello')
    app.travel(CHAT_MAIL_AFTER_MS + MINUTE_MS)
    const raw = await rawSocket(socketUrl(app.url, customer.token))
    await raw.connect()
    const seen = () => app.kysely.selectFrom('chatPresence').selectAll().execute()
    await expect.poll(async () => (await seen()).length).toBe(1)
    expect(await mailAbsent(app.deps)).toBe(0)
    raw.socket.close()
    await raw.closed

    const params = { roomId: room }
    await app.call(markRead, { as: customer, params, body: { upTo: sent.id } })
    app.travel(2 * CHAT_MAIL_AFTER_MS)
    expect(await mailAbsent(app.deps)).toBe(0)
    await sendChat(app, customer, admin, 'an answer')
    app.travel(2 * DAY_MS)
    expect(await mailAbsent(app.deps)).toBe(0)
    expect(await app.mails()).toEqual([])
  })
})

test.each(LOCALES)('the mail names the author in %s, on one line', (locale) => {
  const mail = absenceMail({
    texts: TEXTS,
    locale,
    to: 'a@b.c',
    name: 'Amal',
    sender: 'Sami\r\nBcc: x@y.z',
    content: '<script>alert(1)</script>',
    siteUrl: SITE_URL,
  })
  expect(mail.subject).toContain('Sami Bcc: x@y.z')
  expect(mail.subject).not.toContain('\n')
  expect(mail.html).not.toContain('<script>')
  expect(mail.text).toContain(`${SITE_URL}${locale === 'ar' ? '' : `/${locale}`}/chat`)
  expect(mail.text + mail.html).not.toContain('{{')
})
