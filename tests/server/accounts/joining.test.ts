import { describe, expect } from 'vitest'
import { forgotPassword, resetPassword } from '../../../src/contract/accounts.ts'
import { listTeachers } from '../../../src/contract/catalogue.ts'
import * as office from '../../../src/contract/office-access.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { linkIn, type ReadMail, tokenIn } from '../../support/mail.ts'
import { PASSWORD } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { office as officeCommand } from '../../support/staff.ts'
import { test } from '../../support/test.ts'
import { uiText } from '../../support/texts.ts'

const EMAIL = 'amira@karras.test'

const command = (app: TestApp, ...typed: string[]) => officeCommand(app, typed)

const form = {
  firstName: 'أميرة',
  lastName: 'الطرابلسي',
  email: ` ${EMAIL.toUpperCase()} `,
  phone: '98 000 000',
  subjects: 'رياضيات، فيزياء',
  message: 'أدرّس منذ عشر سنوات.',
  locale: 'fr' as const,
}
const accept = (app: TestApp, token: string, password = PASSWORD) =>
  app.call(office.acceptInvitation, {
    body: { token, firstName: 'Amira', lastName: 'Trabelsi', password, locale: 'fr' },
  })

/** The requests that wait, as the command line lists them. */
async function requestsOf(app: TestApp): Promise<{ id: number; message: string }[]> {
  return (await command(app, 'call', 'listJoinRequests', '--json')).json().requests
}

/** A request with a confirmed address; returns its id. */
async function aConfirmedRequest(
  app: TestApp,
  overrides: Partial<typeof form> = {},
): Promise<number> {
  await app.call(office.askToJoin, { body: { ...form, ...overrides } })
  const token = tokenIn((await app.mails()).at(-1))
  const confirmed = await app.call(office.confirmJoining, { body: { token } })
  expect(confirmed).toEqual({ status: 'CONFIRMED' })
  return (await requestsOf(app)).at(-1)?.id ?? 0
}

describe('office invite-teacher', () => {
  test('mails and prints a link that sets name and password, once, and creates the teacher', async ({
    app,
  }) => {
    const done = await command(app, 'invite-teacher', EMAIL, '--name', 'Amira Ben Salah', '--json')
    expect([done.exit, done.all]).toEqual([0, expect.stringContaining('reach nobody')])
    const token = new URL(done.json().link).searchParams.get('token') ?? ''
    const mailed = tokenIn((await app.mails()).at(-1))
    expect(mailed).not.toBe(token)
    expect(await app.call(office.readInvitation, { body: { token } })).toEqual({
      email: EMAIL,
      role: 'TEACHER',
      firstName: 'Amira',
      lastName: 'Ben Salah',
    })

    const { accessToken } = await accept(app, token)
    const me = await app.call(office.getStaff, { as: { token: accessToken ?? '' } })
    expect(me).toMatchObject({ role: 'TEACHER', name: 'Amira Trabelsi', email: EMAIL })
    // Buyers see only teachers with something to buy.
    expect(await app.call(listTeachers, {})).toEqual([])
    await app.aDocument({ teacherId: me.teacherId ?? 0 })
    const teachers = await app.call(listTeachers, {})
    expect(teachers.map(({ id }) => id)).toEqual([me.teacherId])
    for (const used of [token, mailed]) {
      await expectCode(accept(app, used), 'invalid_invitation')
      const body = { token: used, newPassword: PASSWORD }
      await expectCode(
        app.call(office.readInvitation, { body: { token: used } }),
        'invalid_invitation',
      )
      await expectCode(app.call(resetPassword, { body }), 'invalid_reset_token')
    }
    const log = (await command(app, 'call', 'listLog', '--json')).json().content
    const invited = { action: 'invite teacher', actor: { userId: null, name: 'command line' } }
    expect(log).toContainEqual(expect.objectContaining(invited))
  })

  test('gives an imported teacher without an account one, and no second', async ({ app }) => {
    const { id } = await app.aTeacher({ email: 'Amira@Karras.test' })
    const { link } = (await command(app, 'invite-teacher', EMAIL, '--json')).json()
    const { accessToken } = await accept(app, new URL(link).searchParams.get('token') ?? '')
    const me = await app.call(office.getStaff, { as: { token: accessToken ?? '' } })
    expect(me.teacherId).toBe(id)
    expect(await app.kysely.selectFrom('teachers').select('id').execute()).toEqual([{ id }])
  })

  test('lasts 24 hours; a password cannot be reset before it is set', async ({ app }) => {
    const { link } = (await command(app, 'invite-teacher', EMAIL, '--json')).json()
    const mails = (await app.mails()).length
    await app.call(forgotPassword, { body: { email: EMAIL } })
    expect(await app.mails()).toHaveLength(mails)
    app.travel(24 * HOUR_MS + 1000)
    const token = new URL(link).searchParams.get('token') ?? ''
    await expectCode(accept(app, token), 'invalid_invitation')
  })
})

test('the password reset link leads staff to the office', async ({ app }) => {
  const { email } = await app.anOfficeTeacher()
  await app.call(forgotPassword, { body: { email, locale: 'fr' } })
  const link = linkIn((await app.mails())[0] as ReadMail)
  expect(link.pathname).toBe('/fr/office/reset-password')
  const newPassword = 'a password of her own'
  const token = link.searchParams.get('token') ?? ''
  await app.call(resetPassword, { body: { token, newPassword } })
  const body = { username: email, password: newPassword }
  expect((await app.call(office.officeLogIn, { body })).accessToken).not.toBeNull()
})

describe('an application to join', () => {
  test('counts once its address is confirmed, and is accepted by an invitation', async ({
    app,
  }) => {
    expect(await app.call(office.askToJoin, { body: form })).toEqual({ status: 'SENT' })
    expect(await requestsOf(app)).toEqual([])
    const [mail] = await app.mails()
    if (!mail) throw new Error('no mail')
    expect(linkIn(mail).pathname).toBe('/fr/office/join')
    const confirm = () => app.call(office.confirmJoining, { body: { token: tokenIn(mail) } })
    expect(await confirm()).toEqual({ status: 'CONFIRMED' })
    expect(await confirm()).toEqual({ status: 'ALREADY_CONFIRMED' })

    const listed = await command(app, 'call', 'listJoinRequests')
    for (const shown of ['98000000', EMAIL, form.message]) expect(listed.out).toContain(shown)
    const requests = await requestsOf(app)
    const done = await command(app, 'call', 'acceptJoinRequest', `id=${requests[0]?.id}`)
    expect([done.exit, done.all]).toEqual([0, expect.stringContaining('reach nobody')])
    const again = await command(app, 'call', 'acceptJoinRequest', `id=${requests[0]?.id}`)
    expect(again.exit).toBe(1)
    const invitation = (await app.mails()).at(-1)
    expect(invitation?.parts['text/html']).toContain(uiText('fr', 'staff-mail:invitation.button'))
    const { accessToken } = await accept(app, tokenIn(invitation))
    expect(accessToken).not.toBeNull()
    expect((await command(app, 'call', 'listTeacherShares')).out).toContain('Amira Trabelsi')
  })

  test('is refused by a mail with the reason', async ({ app }) => {
    const id = String(await aConfirmedRequest(app))
    expect((await command(app, 'call', 'refuseJoinRequest', `id=${id}`)).exit).toBe(2)
    const reason = 'Nous avons assez de documents de cette matière.'
    const refuse = ['call', 'refuseJoinRequest', `id=${id}`, `reason=${reason}`]
    expect((await command(app, ...refuse)).exit).toBe(0)
    const mail = (await app.mails()).at(-1)
    expect(mail?.parts['text/plain']).toContain(reason)
    expect(mail?.headers).toContain(EMAIL)
    expect((await command(app, ...refuse)).exit).toBe(1)
    expect(await requestsOf(app)).toEqual([])
    // A refused applicant may apply again.
    await aConfirmedRequest(app)
  })

  test('leaves others’ requests alone, and keeps one request per address', async ({ app }) => {
    // Mails are sent in any order: the second request is made after the mail of the first.
    await app.call(office.askToJoin, { body: { ...form, message: 'one' } })
    const first = (await app.mails()).map(tokenIn)
    await app.call(office.askToJoin, { body: { ...form, message: 'two' } })
    const second = (await app.mails()).map(tokenIn).filter((token) => !first.includes(token))
    const tokens = [...first, ...second]
    const confirm = (token = '') => app.call(office.confirmJoining, { body: { token } })
    expect(await confirm(tokens[0])).toEqual({ status: 'CONFIRMED' })
    expect(await confirm(tokens[1])).toEqual({ status: 'ALREADY_CONFIRMED' })
    const requests = await requestsOf(app)
    expect(requests.map(({ message }) => message)).toEqual(['one'])
    await expectCode(confirm('x'.repeat(43)), 'invalid_confirmation_token')
  })

  test.each(LOCALES)('tells only the mailbox, in %s, that the account exists', async (locale) => {
    const app = await testApp()
    const customer = await app.aCustomer()
    const teacher = await app.anOfficeTeacher()
    for (const [email, kind] of [
      [customer.email, 'taken'],
      [teacher.email, 'joined'],
    ] as const) {
      const body = { ...form, email, locale }
      expect(await app.call(office.askToJoin, { body })).toEqual({ status: 'SENT' })
      const mail = (await app.mails()).at(-1)
      expect(mail?.parts['text/html']).toContain(uiText(locale, `staff-mail:${kind}.title`))
      expect(mail?.parts['text/html']).not.toMatch(/\{\{|undefined|token=/)
    }
  })

  test('is limited per e-mail and per network address', async ({ app }) => {
    const ask = (email: string, address: string) =>
      app.request('POST', '/api/office/join', {
        body: { ...form, email },
        headers: { 'x-forwarded-for': address },
      })
    for (let n = 0; n < 3; n++) expect((await ask(EMAIL, `203.0.113.${n}`)).status).toBe(200)
    expect((await ask(EMAIL.toUpperCase(), '203.0.113.9')).status).toBe(429)
    for (let n = 0; n < 20; n++) await ask(`t${n}@karras.test`, '203.0.113.20')
    expect((await ask('last@karras.test', '203.0.113.20')).status).toBe(429)
  })

  test('expires unconfirmed after three days, and is deleted', async ({ app }) => {
    await app.call(office.askToJoin, { body: form })
    const token = tokenIn((await app.mails())[0])
    app.travel(3 * DAY_MS + HOUR_MS)
    await expectCode(
      app.call(office.confirmJoining, { body: { token } }),
      'invalid_confirmation_token',
    )
    app.travel(5 * DAY_MS)
    await cleanUp(app.deps)
    expect(await app.kysely.selectFrom('joinRequests').selectAll().execute()).toEqual([])
  })
})
