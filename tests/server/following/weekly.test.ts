import { describe, expect, onTestFinished } from 'vitest'
import { addToWishlist } from '../../../src/contract/carts.ts'
import * as calls from '../../../src/contract/following.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import {
  NEWS_IN_MAIL,
  NEWS_MAIL_EVERY_MS,
  NEWS_TEXT_EVERY_MS,
  NEWS_TEXTS_SHARE,
} from '../../../src/rules/following.ts'
import { dinars } from '../../../src/rules/money.ts'
import { mailNews } from '../../../src/server/following/following.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { smsGateway } from '../../support/sms.ts'
import { test } from '../../support/test.ts'

/** Something new for an account: a document of a teacher that it follows, by the clock of the server. */
async function somethingNew(app: TestApp, { id: userId }: Person, title = 'Document') {
  const at = app.deps.now()
  const { teacherId } = await app.aDocument({ uploadedAt: new Date(0) })
  await app.kysely
    .insertInto('follows')
    .values({ userId, teacherId, niveauId: null, matiereId: null, followedAt: new Date(at - 1) })
    .execute()
  return app.aDocument({ teacherId, title, uploadedAt: new Date(at) })
}
const aReader = async (app: TestApp, locale: 'ar' | 'fr' = 'fr') => {
  const reader = await app.aCustomer()
  await app.change('users', reader.id, { locale, emailConfirmedAt: new Date(), firstName: 'Amine' })
  return reader
}
const mailsTo = async (app: TestApp, { email }: Person) =>
  (await app.mails()).filter(({ headers }) => headers.includes(`To: ${email}`))
/** As the scheduled job and the queue do. */
async function aWeekLater(app: TestApp, age = NEWS_MAIL_EVERY_MS) {
  app.travel(age + MINUTE_MS)
  await mailNews(app.deps)
  await app.runJobs()
}

describe('the weekly mail', () => {
  test('names what is new since the last, in the language of the account, once a week', async ({
    app,
  }) => {
    const reader = await aReader(app)
    const wished = await app.aDocument({ title: 'Vœu', price: dinars(8) })
    await app.call(addToWishlist, {
      as: reader,
      query: { userId: reader.id, documentId: wished.id },
    })
    await app.change('documents', wished.id, { priceDiscount: dinars(6) })
    await somethingNew(app, reader, 'Nouveau')
    await mailNews(app.deps)
    await app.runJobs()
    expect(await mailsTo(app, reader)).toEqual([])

    await aWeekLater(app)
    const [mail, ...others] = await mailsTo(app, reader)
    expect(others).toEqual([])
    const text = mail?.parts['text/plain'] ?? ''
    for (const said of ['Amine', 'Nouveau', 'Vœu', '8,00', '6,00', '/fr/news', '/fr/unsubscribe']) {
      expect(text).toContain(said)
    }
    expect(mail?.headers).toMatch(/List-Unsubscribe: <http.*\/api\/following\/unsubscribe\/fr\//)
    expect(mail?.headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')

    // Nothing is new a week later; then something is, and a day is too soon.
    await aWeekLater(app)
    await somethingNew(app, reader, 'Plus tard')
    await aWeekLater(app, DAY_MS)
    expect(await mailsTo(app, reader)).toHaveLength(1)
    await aWeekLater(app)
    const [, second] = await mailsTo(app, reader)
    expect(second?.parts['text/plain']).toContain('Plus tard')
    expect(second?.parts['text/plain']).not.toContain('Vœu')
  })

  test('goes to customers with a confirmed address who want it and have not seen the news', async ({
    app,
  }) => {
    const people = await Promise.all(Array.from({ length: 4 }, () => aReader(app)))
    const [unconfirmed, seen, unwilling, blocked] = people as [Person, Person, Person, Person]
    const teacher = await app.anOfficeTeacher()
    for (const person of people) await somethingNew(app, person)
    await app.change('users', unconfirmed.id, { emailConfirmedAt: null })
    const { readAt } = await app.call(calls.getNews, { as: seen })
    await app.call(calls.markNewsSeen, { as: seen, body: { readAt } })
    await app.call(calls.setNewsMails, { as: unwilling, body: { areWanted: false } })
    await app.change('users', blocked.id, { blockedAt: new Date() })
    await aWeekLater(app)
    for (const person of [...people, teacher]) expect(await mailsTo(app, person)).toEqual([])
  })

  test('names the latest, and says that there are more', async ({ app }) => {
    const reader = await aReader(app)
    const { teacherId } = await somethingNew(app, reader, 'Document 0')
    for (let at = 1; at <= NEWS_IN_MAIL; at++) {
      await app.aDocument({ teacherId, title: `Document ${at}` })
    }
    await aWeekLater(app)
    const text = (await mailsTo(app, reader))[0]?.parts['text/plain'] ?? ''
    expect(text.match(/Document \d+/g)).toHaveLength(NEWS_IN_MAIL)
    expect(text).toContain('La page des nouveautés en a d’autres.')
  })

  test('is queued once by two processes, and handed over once though a process ends after it', async ({
    app,
  }) => {
    const reader = await aReader(app)
    await somethingNew(app, reader)
    app.travel(NEWS_MAIL_EVERY_MS + MINUTE_MS)
    await Promise.all([mailNews(app.deps), mailNews(app.deps), mailNews(app.deps)])
    // The first try ends the process between handing the mail over and noting the job as done.
    const { send } = app.deps.mail
    let sent = 0
    app.deps.mail.send = async (mail) => {
      sent++
      await send(mail)
      throw new Error('the process ended')
    }
    await app.runJobs()
    app.deps.mail.send = send
    await app.runJobs()
    expect([sent, (await mailsTo(app, reader)).length]).toEqual([1, 1])
  })

  test('comes later where the mail server was not reached', async ({ app }) => {
    const reader = await aReader(app)
    await somethingNew(app, reader)
    const { send } = app.deps.mail
    let tries = 0
    app.deps.mail.send = async (mail) => {
      if (++tries === 1) throw Object.assign(new Error('refused'), { command: 'CONN' })
      await send(mail)
    }
    await aWeekLater(app)
    app.deps.mail.send = send
    expect([tries, (await mailsTo(app, reader)).length]).toEqual([2, 1])
  })
})

describe('the link that ends it', () => {
  test('ends it by a mail program’s POST without a log-in; a visit leads to the page and changes nothing', async ({
    app,
  }) => {
    const reader = await aReader(app)
    await somethingNew(app, reader)
    await aWeekLater(app)
    const [mail] = await mailsTo(app, reader)
    const [, path = ''] =
      /List-Unsubscribe: <https?:\/\/[^/]+([^>]+)>/.exec(mail?.headers ?? '') ?? []
    const wants = async () => (await app.row('users', reader.id)).wantsNews
    const visit = await app.request('GET', path)
    expect(visit.status).toBe(302)
    const token = path.split('/').at(-1) ?? ''
    expect(visit.headers.get('location')).toBe(`/fr/unsubscribe?token=${token}`)
    expect(await wants()).toBe(true)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'List-Unsubscribe=One-Click'
    for (const wrong of [`${path}x`, path.replace(/\/\d+\./, `/${reader.id + 1}.`)]) {
      expect((await app.request('POST', wrong, { headers, body })).status).toBe(400)
    }
    expect(await wants()).toBe(true)
    for (const _ of [1, 2]) {
      expect((await app.request('POST', path, { headers, body })).status).toBe(204)
    }
    expect(await wants()).toBe(false)

    await app.change('users', reader.id, { wantsNews: true })
    await expectCode(
      app.call(calls.endNewsMails, { body: { token: `${token}x` } }),
      'invalid_confirmation_token',
    )
    await app.call(calls.endNewsMails, { body: { token } })
    expect(await wants()).toBe(false)
  })
})

describe('accounts with a phone alone', () => {
  const aPhoneAccount = async (app: TestApp) => {
    const reader = await app.aCustomer()
    const confirmed = { email: null, phoneConfirmedAt: new Date(), createdAt: new Date(0) }
    await app.change('users', reader.id, confirmed)
    await somethingNew(app, reader)
    return reader
  }
  const aShop = async (env: Record<string, string>) => {
    const gateway = await smsGateway()
    onTestFinished(gateway.close)
    return { app: await testApp({ env: { ...gateway.env, ...env } }), gateway }
  }

  test('get one text message a month where the operator turned it on', async () => {
    const { app, gateway } = await aShop({ SMS_NEWS: '1' })
    onTestFinished(app.stop)
    const reader = await aPhoneAccount(app)
    await aWeekLater(app)
    expect(gateway.texts).toEqual([])
    await aWeekLater(app, NEWS_TEXT_EVERY_MS)
    expect(gateway.texts).toHaveLength(1)
    expect(JSON.stringify(gateway.texts)).toContain('/news')
    await somethingNew(app, reader)
    await aWeekLater(app)
    expect(gateway.texts).toHaveLength(1)
  })

  test('get none by default', async () => {
    const { app, gateway } = await aShop({})
    onTestFinished(app.stop)
    await aPhoneAccount(app)
    await aWeekLater(app, NEWS_TEXT_EVERY_MS)
    expect(gateway.texts).toEqual([])
  })

  test('leave most of the messages of a day to codes', async () => {
    const perDay = 8
    const { app, gateway } = await aShop({ SMS_NEWS: '1', SMS_PER_DAY: String(perDay) })
    onTestFinished(app.stop)
    for (let at = 0; at < perDay; at++) await aPhoneAccount(app)
    await aWeekLater(app, NEWS_TEXT_EVERY_MS)
    await mailNews(app.deps)
    await app.runJobs()
    expect(gateway.texts).toHaveLength(perDay * NEWS_TEXTS_SHARE)
  })
})
