import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished } from 'vitest'
import { forgotPassword, resetPassword } from '../../../src/contract/accounts.ts'
import { listTeachers } from '../../../src/contract/catalogue.ts'
import * as office from '../../../src/contract/office-access.ts'
import { createOwnDocument, submitOwnDocument } from '../../../src/contract/office-documents.ts'
import { beginImport } from '../../../src/contract/office-imports.ts'
import * as joining from '../../../src/contract/office-joining.ts'
import { requestPayout, setBankAccount } from '../../../src/contract/payouts.ts'
import { getOwnProfile, setOwnLink } from '../../../src/contract/teacher-profile.ts'
import { openUpload } from '../../../src/contract/uploads.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import {
  UNAPPROVED_DRAFTS_MAX,
  UNAPPROVED_MAX_BYTES,
  UNAPPROVED_TEACHERS_MAX,
} from '../../../src/rules/approval.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DELETION_DAYS } from '../../../src/rules/own-data.ts'
import { RETENTION } from '../../../src/rules/retention.ts'
import { CODE_TRIES, fitsOneMessage } from '../../../src/rules/sms.ts'
import { UPLOAD_MAX_BYTES } from '../../../src/rules/uploads.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { deleteDue, endUnapproved } from '../../../src/server/own-data/own-data.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { linkIn, type ReadMail, tokenIn } from '../../support/mail.ts'
import { act, create, save, setFile, textOfDocument } from '../../support/own-documents.ts'
import { PASSWORD, type Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { smsGateway } from '../../support/sms.ts'
import { office as officeCommand } from '../../support/staff.ts'
import { test } from '../../support/test.ts'
import { uiText } from '../../support/texts.ts'

const EMAIL = 'amira@karras.test'
const RIB = `${'0'.repeat(18)}97`

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

const waiting = (app: TestApp, as: Person) => app.call(joining.listJoinRequests, { as })
const logIn = async (app: TestApp, username: string) =>
  (await app.call(office.officeLogIn, { body: { username, password: PASSWORD } })).accessToken
const open = (app: TestApp, token: string, code?: string) =>
  app.call(office.confirmJoining, { body: { token, code, password: PASSWORD, locale: 'fr' } })

/** A teacher who opened an account by e-mail. */
async function aNewcomer(app: TestApp, overrides: Partial<typeof form> = {}) {
  await app.call(office.askToJoin, { body: { ...form, ...overrides } })
  const { accessToken: token } = await open(app, tokenIn((await app.mails()).at(-1)))
  const me = await app.call(office.getStaff, { as: { token } })
  const { email, phone } = await app.row('users', me.userId)
  const contacts = { email: email ?? '', phone: phone ?? '' }
  return {
    token,
    id: me.userId,
    teacherId: me.teacherId ?? 0,
    role: 'TEACHER' as const,
    ...contacts,
  }
}

async function aDraftOf(app: TestApp, teacherId: number) {
  const document = await app.aDocument({ teacherId })
  await app.change('documents', document.id, { state: 'draft', firstPublishedAt: null })
}

/** A shop that reaches phones, and its gateway. */
async function aShopWithPhones() {
  const gateway = await smsGateway()
  onTestFinished(gateway.close)
  return { gateway, app: await testApp({ env: gateway.env }) }
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

describe('an account opened at “sell with us”', () => {
  test('by the mailed link with a password, once; an administrator approves it', async ({
    app,
  }) => {
    const salma = await app.anOfficeAdministrator()
    expect(await app.call(office.askToJoin, { body: form })).toEqual({ status: 'SENT' })
    expect((await waiting(app, salma)).total).toBe(0)
    const [mail] = await app.mails()
    if (!mail) throw new Error('no mail')
    expect(linkIn(mail).pathname).toBe('/fr/office/join')
    // A password that is refused opens nothing and uses up nothing.
    const short = { token: tokenIn(mail), password: 'short' }
    expect((await app.request('POST', '/api/office/join/confirm', { body: short })).status).toBe(
      400,
    )
    const both = await Promise.allSettled([open(app, tokenIn(mail)), open(app, tokenIn(mail))])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expectCode(open(app, tokenIn(mail)), 'invalid_confirmation_token')
    await expectCode(open(app, 'x'.repeat(43)), 'invalid_confirmation_token')

    const token = (await logIn(app, EMAIL)) ?? ''
    const as = { token }
    const me = await app.call(office.getStaff, { as })
    expect(me).toMatchObject({ role: 'TEACHER', name: 'أميرة الطرابلسي', isApproved: false })
    const [request, ...others] = (await waiting(app, salma)).requests
    expect(others).toEqual([])
    expect(request).toMatchObject({
      ...{ userId: me.userId, email: EMAIL, phone: '98000000', submitted: 0 },
      message: form.message,
    })

    const accepting = { as: salma, params: { id: request?.id ?? 0 } }
    await expectCode(app.call(joining.acceptJoinRequest, { ...accepting, as }), 'wrong_role')
    await app.call(joining.acceptJoinRequest, accepting)
    await expectCode(app.call(joining.acceptJoinRequest, accepting), 'done_before')
    expect((await app.call(office.getStaff, { as })).isApproved).toBe(true)
    const told = (await app.mails()).at(-1)
    expect(told?.parts['text/html']).toContain(uiText('fr', 'staff-mail:approved.title'))
    const log = (await command(app, 'call', 'listLog', '--json')).json().content
    for (const action of ['open account', 'accept teacher']) {
      expect(log).toContainEqual(expect.objectContaining({ action }))
    }
  })

  test('by a code to the phone, which another browser and a sixth try do not use', async () => {
    const { app, gateway } = await aShopWithPhones()
    const salma = await app.anOfficeAdministrator()
    const ask = async () => {
      const asked = await app.call(office.askToJoin, { body: { ...form, email: '' } })
      await app.runJobs()
      return asked.request ?? ''
    }
    const first = await ask()
    const right = gateway.codeFor('98000000')
    const wrong = right === '111111' ? '222222' : '111111'
    await expectCode(open(app, 'x'.repeat(43), right), 'invalid_confirmation_token')
    await expectCode(open(app, first), 'wrong_phone_code')
    for (let n = 1; n < CODE_TRIES; n++)
      await expectCode(open(app, first, wrong), 'wrong_phone_code')
    await expectCode(open(app, first, right), 'wrong_phone_code')
    const second = await ask()
    // Names the request of the second code.
    await expectCode(open(app, first, gateway.codeFor('98000000')), 'wrong_phone_code')
    await open(app, second, gateway.codeFor('98000000'))
    const token = (await logIn(app, '98 000 000')) ?? ''
    expect(await app.call(office.getStaff, { as: { token } })).toMatchObject({ email: '' })

    // Its owner alone learns that the number has an account by now.
    await ask()
    expect(gateway.texts.at(-1)?.text).toContain('/login')
    const [request] = (await waiting(app, salma)).requests
    expect(request).toMatchObject({ email: null, phone: '98000000' })
    // A number has a few messages an hour.
    app.travel(2 * HOUR_MS)
    const reason =
      'Nous avons assez de documents de cette matière pour le moment, revenez en septembre.'
    const body = { reason }
    const params = { id: request?.id ?? 0 }
    await app.call(joining.refuseJoinRequest, { as: salma, params, body })
    await app.runJobs()
    const said = gateway.texts.at(-1)?.text ?? ''
    expect(said).toContain('Nous avons assez')
    expect(fitsOneMessage(said)).toBe(true)
    await expectCode(logIn(app, '98000000'), 'account_blocked')
  })

  test('needs an e-mail where the shop cannot reach phones', async ({ app }) => {
    const answer = await app.request('POST', '/api/office/join', { body: { ...form, email: '' } })
    expect(answer.body).toMatchObject({ status: 400, fields: { email: 'required' } })
  })

  test('is nowhere in public, and gets no payout, before it is approved', async ({ app }) => {
    const salma = await app.anOfficeAdministrator()
    const as = await aNewcomer(app)
    const { teacherId } = as
    const isPublic = async () => {
      const sitemap = await app.request('GET', '/sitemap-teachers-1.xml')
      const found = await app.request('GET', `/api/teachers/${teacherId}`)
      const documents = await app.request('GET', `/api/documents/teacher/${teacherId}`)
      const isListed = String(sitemap.body).includes(`/teacher-details/${teacherId}`)
      return [isListed, found.status, documents.status]
    }
    expect(await isPublic()).toEqual([false, 404, 404])
    expect(await app.call(listTeachers, {})).toEqual([])
    // The own page can be written all the same.
    expect((await app.call(getOwnProfile, { as })).firstName).toBe('أميرة')
    const link = app.call(setOwnLink, { as, body: { link: 'amira' } })
    await expectCode(link, 'account_not_approved')
    const uploadId = randomUUID()
    await expectCode(app.call(beginImport, { as, body: { uploadId } }), 'account_not_approved')

    const document = await app.aDocument({ teacherId, price: dinars(400) })
    const buyer = await app.aCustomer({ balance: dinars(1000) })
    const paid = { userId: buyer.id, documentIds: [document.id] }
    await app.call(payFromWallet, { as: buyer, key: 'buys', body: paid })
    app.travel(60 * DAY_MS)
    const account = { holder: 'Amira Trabelsi', rib: RIB, password: PASSWORD }
    const again = { token: (await logIn(app, EMAIL)) ?? '' }
    await app.call(setBankAccount, { as: again, body: account })
    const payout = () => {
      const body = { amount: 100, password: PASSWORD }
      return app.call(requestPayout, { as: again, key: randomUUID(), body })
    }
    await expectCode(payout(), 'account_not_approved')
    const at = { token: (await logIn(app, salma.email)) ?? '' }
    const [request] = (await app.call(joining.listJoinRequests, { as: at })).requests
    const params = { id: request?.id ?? 0 }
    // What customers have bought is no newcomer's.
    const refusal = { as: at, params, body: { reason: 'Non.' } }
    await expectCode(app.call(joining.refuseJoinRequest, refusal), 'teacher_has_published')
    await app.call(joining.acceptJoinRequest, { as: at, params })
    expect(await payout()).toMatchObject({ state: 'requested', amount: 100 })
  })

  test('is refused with a reason: blocked, out of the review, deleted after some days', async ({
    app,
  }) => {
    const salma = await app.anOfficeAdministrator()
    const as = await aNewcomer(app)
    const names = {
      matiereId: await app.aMatiere(),
      niveauId: await app.aClass(),
      categoryId: await app.aCategory(),
    }
    // Drafts and the review need no approval.
    const document = await create(app, as)
    await save(app, as, document, textOfDocument(names, 'Devoir'))
    await setFile(app, as, document.id, 2)
    expect((await act(app, as, submitOwnDocument, document.id)).state).toBe('submitted')
    const { requests } = await waiting(app, salma)
    expect(requests).toMatchObject([{ submitted: 1 }])
    const params = { id: requests[0]?.id ?? 0 }
    const body = { reason: 'Ces documents ne sont pas les vôtres.' }
    await app.call(joining.refuseJoinRequest, { as: salma, params, body })
    const mail = (await app.mails()).at(-1)
    expect(mail?.parts['text/plain']).toContain(body.reason)
    expect(mail?.parts['text/plain']).toContain(`${DELETION_DAYS}`)
    await expectCode(app.call(office.getStaff, { as }), 'invalid_token')
    await expectCode(logIn(app, EMAIL), 'account_blocked')
    const stateOf = () =>
      app.kysely.selectFrom('documents').select('state').where('id', '=', document.id).execute()
    expect(await stateOf()).toEqual([{ state: 'draft' }])
    await deleteDue(app.deps)
    expect((await app.row('users', as.id)).deletedAt).toBeNull()
    app.travel(DELETION_DAYS * DAY_MS + HOUR_MS)
    await deleteDue(app.deps)
    expect(await app.row('users', as.id)).toMatchObject({ email: null, phone: null })
    expect(await app.row('documents', document.id)).toMatchObject({ title: '', fileId: null })
    expect(await app.kysely.selectFrom('joinRequests').selectAll().execute()).toEqual([])
    // The address is free again.
    await aNewcomer(app)
  })

  test('without a document and an approval ends after its time, others stay', async ({ app }) => {
    const idle = await aNewcomer(app)
    const busy = await aNewcomer(app, { email: 'busy@karras.test' })
    await aDraftOf(app, busy.teacherId)
    const approved = await aNewcomer(app, { email: 'approved@karras.test' })
    await app.change('teachers', approved.teacherId, { approvedAt: new Date() })
    const left = async () => {
      await endUnapproved(app.deps)
      await deleteDue(app.deps)
      const users = app.kysely.selectFrom('users').select('id').where('role', '=', 'TEACHER')
      return (await users.where('deletedAt', 'is', null).orderBy('id').execute()).map(
        ({ id }) => id,
      )
    }
    app.travel(RETENTION.unapproved - DAY_MS)
    expect(await left()).toEqual([idle.id, busy.id, approved.id])
    app.travel(2 * DAY_MS)
    expect(await left()).toEqual([busy.id, approved.id])
  })

  test('has smaller bounds of drafts and files', async ({ app }) => {
    const as = await aNewcomer(app)
    const draft = () => app.call(createOwnDocument, { as, key: randomUUID() })
    for (let n = 1; n < UNAPPROVED_DRAFTS_MAX; n++) {
      await aDraftOf(app, as.teacherId)
    }
    const both = await Promise.allSettled([draft(), draft()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expectCode(draft(), 'unapproved_full')
    const upload = (size: number) =>
      app.call(openUpload, { as, body: { name: 'a.pdf', size, purpose: 'document' } })
    const one = UPLOAD_MAX_BYTES.document
    // The drafts have files as well.
    for (let kept = one; kept < UNAPPROVED_MAX_BYTES; kept += one) await upload(one)
    await expectCode(upload(one), 'unapproved_full')
    const list = { name: 'a.zip', size: 1, purpose: 'import' as const }
    await expectCode(app.call(openUpload, { as, body: list }), 'account_not_approved')
    await app.change('teachers', as.teacherId, { approvedAt: new Date() })
    await upload(one)
    await draft()
  })

  test('by an invitation is approved at once, also one that waited', async ({ app }) => {
    const as = await aNewcomer(app)
    const { link } = (await command(app, 'invite-teacher', EMAIL, '--json')).json()
    await accept(app, new URL(link).searchParams.get('token') ?? '')
    const { approvedAt } = await app.kysely
      .selectFrom('teachers')
      .select('approvedAt')
      .where('id', '=', as.teacherId)
      .executeTakeFirstOrThrow()
    expect(approvedAt).not.toBeNull()
  })

  test('takes over no imported teacher of the address: an administrator hands that over', async ({
    app,
  }) => {
    const { id } = await app.aTeacher({ email: 'Amira@Karras.test' })
    expect((await aNewcomer(app)).teacherId).not.toBe(id)
    expect(await app.row('teachers', id)).toMatchObject({ userId: null })
  })

  test('is one of an address, whichever of two requests comes first', async ({ app }) => {
    await app.call(office.askToJoin, { body: form })
    const first = (await app.mails()).map(tokenIn)
    await app.call(office.askToJoin, { body: { ...form, firstName: 'Autre' } })
    const second = (await app.mails()).map(tokenIn).filter((token) => !first.includes(token))
    await open(app, first[0] ?? '')
    await expectCode(open(app, second[0] ?? ''), 'contact_taken')
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

  test('is limited per contact, per network address, and in all', async () => {
    const joinRequestsOfAll = { max: 26, windowMs: DAY_MS }
    const app = await testApp({ allowances: { ...ALLOWANCES, joinRequestsOfAll } })
    const ask = (email: string, address: string) =>
      app.request('POST', '/api/office/join', {
        body: { ...form, email },
        headers: { 'x-forwarded-for': address },
      })
    for (let n = 0; n < 3; n++) expect((await ask(EMAIL, `203.0.113.${n}`)).status).toBe(200)
    expect((await ask(EMAIL.toUpperCase(), '203.0.113.9')).status).toBe(429)
    for (let n = 0; n < 20; n++) await ask(`t${n}@karras.test`, '203.0.113.20')
    app.travel(2 * HOUR_MS)
    expect((await ask('last@karras.test', '203.0.113.20')).status).toBe(429)
    for (let n = 0; n < 3; n++) {
      expect((await ask(`u${n}@karras.test`, `203.0.114.${n}`)).status).toBe(200)
    }
    expect((await ask('more@karras.test', '203.0.115.1')).status).toBe(429)
  })

  test('is not opened while too many wait for the shop’s answer', async ({ app }) => {
    await app.call(office.askToJoin, { body: form })
    const token = tokenIn((await app.mails())[0])
    const { id } = await app.anOfficeTeacher()
    const now = new Date(app.deps.now())
    const row = { ...form, userId: id, tokenHash: null, askedAt: now, confirmedAt: now }
    await app.kysely
      .insertInto('joinRequests')
      .values(
        Array.from({ length: UNAPPROVED_TEACHERS_MAX }, () => ({
          ...row,
          ...{ email: null, phone: '98000000' },
        })),
      )
      .execute()
    await expectCode(app.call(office.askToJoin, { body: form }), 'joining_full')
    await expectCode(open(app, token), 'joining_full')
    await app.kysely.deleteFrom('joinRequests').where('userId', '=', id).execute()
    await open(app, token)
  })

  test('is asked for anew three days later, and the request is deleted', async ({ app }) => {
    await app.call(office.askToJoin, { body: form })
    const token = tokenIn((await app.mails())[0])
    app.travel(3 * DAY_MS + HOUR_MS)
    await expectCode(open(app, token), 'invalid_confirmation_token')
    app.travel(5 * DAY_MS)
    await cleanUp(app.deps)
    expect(await app.kysely.selectFrom('joinRequests').selectAll().execute()).toEqual([])
  })
})

test('a request that an earlier version left waiting is accepted by an invitation, or refused', async ({
  app,
}) => {
  const { email: _, ...answers } = form
  const asked = async (email: string) => {
    const at = new Date(app.deps.now())
    const row = { ...answers, phone: '98000000', tokenHash: null, askedAt: at, confirmedAt: at }
    await app.kysely
      .insertInto('joinRequests')
      .values({ ...row, userId: null, email })
      .execute()
    const { requests } = (await command(app, 'call', 'listJoinRequests', '--json')).json()
    return String(requests.at(-1).id)
  }
  const id = await asked(EMAIL)
  const done = await command(app, 'call', 'acceptJoinRequest', `id=${id}`)
  expect([done.exit, done.all]).toEqual([0, expect.stringContaining('reach nobody')])
  expect((await command(app, 'call', 'acceptJoinRequest', `id=${id}`)).exit).toBe(1)
  const invitation = (await app.mails()).at(-1)
  expect(invitation?.parts['text/html']).toContain(uiText('fr', 'staff-mail:invitation.button'))
  const { accessToken } = await accept(app, tokenIn(invitation))
  const me = await app.call(office.getStaff, { as: { token: accessToken ?? '' } })
  expect(me.isApproved).toBe(true)

  const other = await asked('other@karras.test')
  expect((await command(app, 'call', 'refuseJoinRequest', `id=${other}`)).exit).toBe(2)
  const reason = 'Nous avons assez de documents de cette matière.'
  const refuse = ['call', 'refuseJoinRequest', `id=${other}`, `reason=${reason}`]
  expect((await command(app, ...refuse)).exit).toBe(0)
  expect((await app.mails()).at(-1)?.parts['text/plain']).toContain(reason)
  expect((await command(app, ...refuse)).exit).toBe(1)
})
