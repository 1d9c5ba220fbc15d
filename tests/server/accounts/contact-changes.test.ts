import { afterAll, expect, test } from 'vitest'
import * as accounts from '../../../src/contract/accounts.ts'
import { getStaff } from '../../../src/contract/office-access.ts'
import { blockPerson } from '../../../src/contract/office-people.ts'
import * as own from '../../../src/contract/own-account.ts'
import { getBankAccount, setBankAccount } from '../../../src/contract/payouts.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { RETENTION } from '../../../src/rules/retention.ts'
import { CODE_LIFETIME_MS, CONTACT_WAIT_MS } from '../../../src/rules/sms.ts'
import { makeDueChanges } from '../../../src/server/accounts/contact-changes.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { PASSWORD, type Person } from '../../support/factories.ts'
import { hasLink, tokenIn } from '../../support/mail.ts'
import {
  claimsOf,
  codeNow,
  logged,
  officeTokenOf,
  STEP_MS,
  setUp,
} from '../../support/office-access.ts'
import { expectCode } from '../../support/refusals.ts'
import { smsGateway } from '../../support/sms.ts'
import { sharedApp } from '../../support/test.ts'

const gateway = await smsGateway()
afterAll(gateway.close)
const app = await sharedApp({ env: gateway.env })

let made = 0
const newEmail = () => `contact${++made}@karras.test`
const newPhone = () => String(55_000_000 + ++made)

/** The mails to an address, oldest first. */
const mailsTo = async (address: string) =>
  (await app.mails()).filter(
    ({ headers }) => headers.includes(`To: ${address}\r\n`) || headers.endsWith(`To: ${address}`),
  )
const textsTo = async (phone: string) => {
  await app.runJobs()
  return gateway.texts.filter((each) => each.phone === phone).length
}
const askEmail = (as: Person, email: string, password = PASSWORD) =>
  app.call(own.changeEmail, { as, body: { email, password } })
const askPhone = async (as: Person, phone: string) => {
  await app.call(own.changePhone, { as, body: { phone, password: PASSWORD } })
  await app.runJobs()
}
async function openLink(address: string) {
  // A notice may be sent beside the link: mails have no order.
  const mail = (await mailsTo(address)).findLast(hasLink)
  const token = tokenIn(mail)
  return app.call(accounts.confirmEmail, { body: { token } })
}
const confirmPhone = (as: Pick<Person, 'token'>, code: string, oldCode: string | null = null) =>
  app.call(own.confirmNewPhone, { as, body: { code, oldCode } })
const enter = async (username: string) => ({
  token: (await app.call(accounts.logIn, { body: { username, password: PASSWORD } })).accessToken,
})
const change = async (as: Pick<Person, 'token'>) =>
  (await app.call(own.getOwnAccount, { as })).contactChange
const aPhoneAccount = async (balance = 0) => {
  const person = await app.aCustomer({ balance, phone: newPhone() })
  await app.change('users', person.id, { email: null, phoneConfirmedAt: new Date() })
  return person
}

test('a new address is confirmed by its link, and every log-in ends', async () => {
  const customer = await app.aCustomer()
  const email = newEmail()
  await expectCode(askEmail(customer, email, 'not it'), 'wrong_password')
  expect(await change(customer)).toBeNull()
  await askEmail(customer, email.toUpperCase())
  expect(await change(customer)).toMatchObject({ kind: 'email', value: email, dueAt: null })
  await enter(customer.email)

  expect(await openLink(email)).toEqual({ status: 'CHANGED' })
  await expectCode(change(customer), 'invalid_token')
  await expectCode(enter(customer.email), 'wrong_credentials')
  const account = await app.call(own.getOwnAccount, { as: await enter(email) })
  expect(account).toMatchObject({ email, isEmailConfirmed: true, contactChange: null })
  expect(await mailsTo(customer.email)).toHaveLength(1)
  await expectCode(openLink(email), 'invalid_confirmation_token')
})

test('links to the address so far open nothing after a change', async () => {
  const customer = await app.aCustomer()
  const email = newEmail()
  await app.call(accounts.forgotPassword, { body: { email: customer.email } })
  const [reset] = await mailsTo(customer.email)
  await askEmail(customer, email)
  await openLink(email)
  const token = tokenIn(reset)
  await expectCode(
    app.call(accounts.resetPassword, { body: { token, newPassword: 'another password' } }),
    'invalid_reset_token',
  )
})

test('with money in the wallet an address changes after a day, once, and can be stopped', async () => {
  const customer = await app.aCustomer({ balance: dinars(5) })
  const [first, second] = [newEmail(), newEmail()]
  await askEmail(customer, first)
  expect(await openLink(first)).toEqual({ status: 'WAITS' })
  expect(await mailsTo(customer.email)).toHaveLength(1)
  await app.call(own.stopContactChange, { as: customer })
  await expectCode(app.call(own.stopContactChange, { as: customer }), 'not_found')

  await askEmail(customer, second)
  await openLink(second)
  await makeDueChanges(app.deps)
  expect(await change(customer)).toMatchObject({ value: second, dueAt: expect.any(String) })
  app.travel(CONTACT_WAIT_MS)
  // Two processes, and one that comes later.
  await Promise.all([makeDueChanges(app.deps), makeDueChanges(app.deps)])
  await makeDueChanges(app.deps)
  await enter(second)
  await expectCode(enter(first), 'wrong_credentials')
  expect(await mailsTo(customer.email)).toHaveLength(3)
  // The link, and that it is done.
  expect(await mailsTo(second)).toHaveLength(2)
})

test('a new password, and a blocking, stop a change that waits', async () => {
  const as = await app.anOfficeAdministrator()
  const robbed = await app.aCustomer({ balance: dinars(5) })
  const blocked = await app.aCustomer({ balance: dinars(5) })
  for (const customer of [robbed, blocked]) {
    const email = newEmail()
    await askEmail(customer, email)
    await openLink(email)
  }
  await app.call(accounts.forgotPassword, { body: { email: robbed.email } })
  const mail = (await mailsTo(robbed.email)).at(-1)
  const token = tokenIn(mail)
  await app.call(accounts.resetPassword, { body: { token, newPassword: PASSWORD } })
  const params = { id: blocked.id }
  await app.call(blockPerson, { as, key: 'block', params, body: { reason: 'stolen' } })
  app.travel(CONTACT_WAIT_MS)
  await makeDueChanges(app.deps)
  for (const { id, email } of [robbed, blocked]) {
    expect(await app.row('users', id)).toMatchObject({ email })
  }
})

test('an address that another account takes meanwhile stays theirs', async () => {
  const [quick, patient] = [await app.aCustomer(), await app.aCustomer({ balance: dinars(5) })]
  const [first, second] = [newEmail(), newEmail()]
  await expectCode(askEmail(quick, patient.email), 'contact_taken')
  await askEmail(quick, first)
  await askEmail(patient, second)
  await openLink(second)
  await app.aCustomer({ email: first })
  await app.aCustomer({ email: second })
  await expectCode(openLink(first), 'contact_taken')
  app.travel(CONTACT_WAIT_MS)
  await makeDueChanges(app.deps)
  expect(await app.row('users', patient.id)).toMatchObject({ email: patient.email })
  expect(await mailsTo(patient.email)).toHaveLength(2)
  expect(await change(await enter(patient.email))).toBeNull()
})

test('a link and a code end', async () => {
  const customer = await app.aCustomer()
  const [email, phone] = [newEmail(), newPhone()]
  await askPhone(customer, phone)
  const code = gateway.codeFor(phone)
  app.travel(CODE_LIFETIME_MS)
  await expectCode(confirmPhone(customer, code), 'wrong_phone_code')
  await askEmail(customer, email)
  await app.runJobs()
  // The first request is replaced.
  await expectCode(confirmPhone(customer, code), 'not_found')
  app.travel(RETENTION.contactChanges)
  await expectCode(openLink(email), 'invalid_confirmation_token')
})

test('both numbers are confirmed; this device goes on, the others end', async () => {
  const customer = await aPhoneAccount()
  const phone = newPhone()
  const elsewhere = await enter(customer.phone)
  await askPhone(customer, phone)
  expect(await change(customer)).toMatchObject({ kind: 'phone', value: phone, asksOldPhone: true })
  const [code, oldCode] = [gateway.codeFor(phone), gateway.codeFor(customer.phone)]
  // The code to the old number opens nothing else.
  const body = { phone: customer.phone, code: oldCode, newPassword: 'another password' }
  await expectCode(app.call(accounts.resetPasswordByPhone, { body }), 'wrong_phone_code')
  const wrong = oldCode === '000000' ? '000001' : '000000'
  await expectCode(confirmPhone(customer, code, wrong), 'wrong_phone_code')
  const { accessToken } = await confirmPhone(customer, code, oldCode)
  expect(await change({ token: accessToken ?? '' })).toBeNull()
  for (const ended of [customer, elsewhere]) await expectCode(change(ended), 'invalid_token')
  await enter(phone)
  await expectCode(enter(customer.phone), 'wrong_credentials')
  expect(await textsTo(customer.phone)).toBe(2)
  // The number so far gets no code for the account any more.
  await app.call(accounts.forgotPassword, { body: { email: customer.phone } })
  expect(await textsTo(customer.phone)).toBe(2)
})

test('without the number so far, or with money, a new number waits a day', async () => {
  for (const balance of [0, dinars(5)]) {
    const customer = await aPhoneAccount(balance)
    const phone = newPhone()
    await askPhone(customer, phone)
    const oldCode = balance > 0 ? gateway.codeFor(customer.phone) : null
    const answer = await confirmPhone(customer, gateway.codeFor(phone), oldCode)
    expect(answer).toEqual({ accessToken: null })
    expect(await textsTo(customer.phone)).toBe(2)
    await expectCode(enter(phone), 'wrong_credentials')
    app.travel(CONTACT_WAIT_MS)
    await makeDueChanges(app.deps)
    await enter(phone)
  }
})

test('an account asks five times a day', async () => {
  const customer = await app.aCustomer()
  for (let time = 0; time < ALLOWANCES.contactChangesOfAccount.max; time++) {
    await askEmail(customer, newEmail())
  }
  await expectCode(askEmail(customer, newEmail()), 'too_many_requests')
  const other = await app.aCustomer()
  const busy = newPhone()
  for (let time = 0; time < ALLOWANCES.textsOfPhone.max; time++) {
    await app.call(accounts.forgotPassword, { body: { email: busy } })
  }
  await expectCode(askPhone(other, busy), 'too_many_requests')
})

test('staff change theirs with their second factor, and the log says so', async () => {
  const teacher = await app.anOfficeTeacher()
  const { secret, token } = await setUp(app, await officeTokenOf(app, teacher))
  const as = { token }
  const account = { holder: 'Sami', rib: `${'0'.repeat(18)}97`, password: PASSWORD }
  const proof = { code: codeNow(app, secret) }
  const known = await app.call(setBankAccount, { as, body: { ...account, ...proof } })
  expect(known.payableFrom).toBeNull()
  app.travel(STEP_MS)
  const email = newEmail()
  const ask = (code: string | null) =>
    app.call(own.changeEmail, { as, body: { email, password: PASSWORD, code } })
  await expectCode(ask(null), 'wrong_code')
  await ask(codeNow(app, secret))
  expect(await openLink(email)).toEqual({ status: 'CHANGED' })
  await expectCode(change(as), 'invalid_token')
  const told = (await mailsTo(teacher.email)).at(-1)
  expect(told?.parts['text/plain']).toContain('/office/security')
  app.travel(STEP_MS)
  const again = await officeTokenOf(app, { email }, codeNow(app, secret))
  // Somebody who has taken the e-mail must not be paid before its former owner notices.
  const { payableFrom } = await app.call(getBankAccount, { as: again })
  expect(new Date(payableFrom ?? 0).getTime()).toBeGreaterThan(app.deps.now() + 2 * DAY_MS)
  // Nor does a changed bank account stay hidden from them.
  const { length } = await mailsTo(teacher.email)
  const thief = { ...account, holder: 'Somebody', rib: '08006012345678912386' }
  app.travel(STEP_MS)
  const code = codeNow(app, secret)
  await app.call(setBankAccount, { as: again, body: { ...thief, code } })
  const [warned, ...more] = (await mailsTo(teacher.email)).slice(length)
  expect(warned?.parts['text/plain']).toContain('2386')
  expect(more).toEqual([])
  expect(await logged(app)).toContainEqual({
    actor: `user ${teacher.id}`,
    action: 'change email',
    subject: `user ${teacher.id}`,
  })
})

test('a teacher whose e-mail is the former one again is told of a new bank account once', async () => {
  const teacher = await app.anOfficeTeacher()
  const between = newEmail()
  for (const [from, to] of [
    [teacher.email, between],
    [between, teacher.email],
  ] as const) {
    await askEmail({ ...teacher, ...(await officeTokenOf(app, { email: from })) }, to)
    expect(await openLink(to)).toEqual({ status: 'CHANGED' })
  }
  const { length } = await mailsTo(teacher.email)
  const account = { holder: 'Sami', rib: '08006012345678912386', password: PASSWORD }
  const as = await officeTokenOf(app, { email: teacher.email })
  await app.call(setBankAccount, { as, body: account })
  expect((await mailsTo(teacher.email)).slice(length)).toHaveLength(1)
  expect((await mailsTo(between)).at(-1)?.parts['text/plain']).toContain('2386')
})

test('an administrator who confirms a new number stays in the office', async () => {
  const admin = await app.anOfficeAdministrator()
  const phone = newPhone()
  await askPhone(admin, phone)
  const { accessToken } = await confirmPhone(admin, gateway.codeFor(phone))
  await expectCode(app.call(getStaff, { as: admin }), 'invalid_token')
  const as = { token: accessToken ?? '' }
  expect(claimsOf(as).factors).toBe(claimsOf(admin).factors)
  expect(await app.call(getStaff, { as })).toMatchObject({ userId: admin.id })
  expect(await app.row('users', admin.id)).toMatchObject({ phone })
})
