import { describe, expect } from 'vitest'
import { listAdministrators } from '../../../src/contract/chat.ts'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { inviteStaff } from '../../../src/server/accounts/accounts.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import { noteAddress } from '../../../src/server/shop-address.ts'
import { aTransfer } from '../../support/admin/payments.ts'
import { testApp } from '../../support/app.ts'
import { rawSocket, socketUrl } from '../../support/chat.ts'
import { PASSWORD } from '../../support/people.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { choosePassword, EMAIL, invited, logInAs, NEW, office } from '../../support/staff.ts'
import { test } from '../../support/test.ts'

describe('office create-admin', () => {
  test('prints a link that sets the password, once', async ({ app }) => {
    const said = await office(app, ['create-admin', ` ${EMAIL.toUpperCase()}`, '--name', 'Amira'])
    expect(said.out).toMatch(/^http:\/\/127\.0\.0\.1:4321\/office\/invitation\?token=\S{43}$/m)
    const token = /token=(\S+)/.exec(said.out)?.[1] ?? ''
    await expectRefused(logInAs(app, EMAIL, ''), 400)
    await expectCode(logInAs(app, EMAIL, NEW), 'wrong_credentials')

    await choosePassword(app, token)
    const { accessToken } = await logInAs(app, EMAIL, NEW)
    const [, payload = ''] = accessToken.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).authorities).toEqual(['ADMIN'])
    await expectCode(choosePassword(app, token, 'another one'), 'invalid_invitation')
    await logInAs(app, EMAIL, NEW)
  })

  test('links to where the shop was last open, unless SITE_URL is set', async ({ app }) => {
    noteAddress({ ...app.deps.config, hasSiteUrl: false }, 'http://127.0.0.1:4999')
    const { out } = await office(app, ['create-admin', EMAIL])
    expect(out).toContain('http://127.0.0.1:4999/office/invitation?token=')
    const printed = await office(app, ['create-admin', EMAIL], { SITE_URL: 'http://localhost:80' })
    expect(printed.out).toContain('http://localhost/office/invitation?token=')
  })

  test('its link is valid for 24 hours', async ({ app }) => {
    const token = await invited(app)
    app.travel(24 * HOUR_MS + 1000)
    await expectCode(choosePassword(app, token), 'invalid_invitation')
    const again = await invited(app)
    app.travel(-HOUR_MS)
    await choosePassword(app, again)
  })

  test('again speaks the language that is chosen now, until the person has joined', async ({
    app,
  }) => {
    const linkIn = async (language: string) =>
      (await office(app, ['invite-teacher', 'sami@karras.test', '--language', language])).out
    expect(await linkIn('ar')).toContain('4321/office/invitation')
    expect(await linkIn('fr')).toContain('/fr/office/invitation')
    const mails = (await app.mails()).map(({ parts }) => parts['text/plain'] ?? '')
    expect(mails.at(-1)).toContain('/fr/office/invitation')
  })

  test('again makes a new link, and older ones expire', async ({ app }) => {
    const first = await invited(app)
    const second = await invited(app, '--language', 'fr')
    await expectCode(choosePassword(app, first), 'invalid_invitation')
    await choosePassword(app, second)
    // The password stays valid until the newest link is used.
    const third = await invited(app)
    await logInAs(app, EMAIL, NEW)
    await choosePassword(app, third, 'the next password')
    await expectCode(logInAs(app, EMAIL, NEW), 'wrong_credentials')
  })

  test('twice concurrently leaves one account and one valid link', async ({ app }) => {
    const named = { email: EMAIL, firstName: 'Amira', lastName: '' }
    const invitation = { ...named, role: 'ADMIN', locale: 'ar', actor: 'test' } as const
    const made = await Promise.all([1, 2, 3, 4].map(() => inviteStaff(app.deps, invitation)))
    expect(new Set(made.map(({ userId }) => userId)).size).toBe(1)
    const tokens = made.map(({ link }) => new URL(link).searchParams.get('token') ?? '')
    const outcomes = await Promise.allSettled(tokens.map((token) => choosePassword(app, token)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('refuses the e-mail of a customer or a teacher, and invalid ones', async ({ app }) => {
    const customer = await app.aCustomer()
    const teacher = await app.aTeacherAccount()
    for (const [{ email }, whose] of [
      [customer, 'customer'],
      [teacher, 'teacher'],
    ] as const) {
      const { exit, out, err } = await office(app, ['create-admin', email])
      expect([exit, out]).toEqual([1, ''])
      expect(err).toContain(whose)
      await logInAs(app, email, PASSWORD)
    }
    expect((await office(app, ['create-admin', 'amira'])).exit).toBe(2)
    expect((await office(app, ['create-admin', EMAIL, '--language', 'xx'])).exit).toBe(2)
    expect((await office(app, ['create-admin', EMAIL, '--name', ' '])).exit).toBe(2)
  })

  test('customers can write to an administrator who has a password and is not blocked', async ({
    app,
  }) => {
    const customer = await app.aCustomer()
    const names = async () => {
      const offered = await app.call(listAdministrators, { as: customer })
      return offered.flatMap(({ username, isShop }) => (isShop ? [] : username))
    }
    const token = await invited(app, '--name', 'Amira')
    expect(await names()).toEqual([])
    await choosePassword(app, token)
    expect(await names()).toEqual(['Amira Trabelsi'])
    await office(app, ['user', EMAIL, 'block', '--reason', 'left'])
    expect(await names()).toEqual([])
    const refused = await office(app, ['create-admin', EMAIL])
    expect([refused.exit, refused.err]).toEqual([1, `${EMAIL} is blocked; unblock it first.`])
  })
})

describe('commands that print links', () => {
  test.for([
    ['create-admin', EMAIL],
    ['confirm', 'KR-1A2B-3C4D'],
    ['refuse', 'KR-1A2B-3C4D'],
    ['refund', '1'],
  ])('%s says in one line that it does not know the shop’s address', async (typed) => {
    const app = await testApp()
    const { exit, out, err } = await office(app, typed, { HOST: '0.0.0.0' })
    expect([exit, out]).toEqual([2, ''])
    expect(err).toMatch(/^SITE_URL is not set, .*$/)
    const known = { HOST: '0.0.0.0', SITE_URL: 'https://shop.example' }
    expect((await office(app, typed, known)).err).not.toContain('SITE_URL')
  })
})

describe('a blocked account', () => {
  test('is logged out everywhere, and told so only with the right password', async ({ app }) => {
    const customer = await app.aCustomer({ balance: dinars(7) })
    const path = `/api/wallet/balance?userId=${customer.id}`
    expect((await app.request('GET', path, { as: customer })).status).toBe(200)
    const live = await rawSocket(socketUrl(app.url, customer.token))
    await live.connect()

    const said = await office(app, ['user', customer.email, 'block', '--reason', 'insults'])
    expect([said.exit, said.err]).toEqual([0, ''])
    expect(await live.closed).toBe(1008)
    expect((await app.request('GET', path, { as: customer })).status).toBe(401)
    await expectCode(logInAs(app, customer.email, PASSWORD), 'account_blocked')
    await expectRefused(logInAs(app, customer.email, PASSWORD), 403)
    await expectCode(logInAs(app, customer.email, 'wrong'), 'wrong_credentials')

    expect((await office(app, ['user', customer.email, 'unblock'])).exit).toBe(0)
    await logInAs(app, customer.email, PASSWORD)
    // Earlier sessions stay ended.
    expect((await app.request('GET', path, { as: customer })).status).toBe(401)
    expect(await app.balanceOf(customer)).toBe(dinars(7))
  })

  test('stays blocked even after its password changes', async ({ app }) => {
    const token = await invited(app)
    await office(app, ['user', EMAIL, 'block', '--reason', 'left'])
    await choosePassword(app, token)
    await expectCode(logInAs(app, EMAIL, NEW), 'account_blocked')
  })

  test('keeps its money, and payments under way still arrive', async ({ app }) => {
    const customer = await app.aCustomer({ balance: dinars(7) })
    const paymentRef = await aTransfer(app, customer, 20)
    await office(app, ['user', String(customer.id), 'block', '--reason', 'asked for it'])
    await confirmManual(app.deps, paymentRef)
    expect(await app.balanceOf(customer)).toBe(dinars(27))
  })

  test('is blocked with a reason, once; the log keeps who, when and why', async ({ app }) => {
    const { id, email } = await app.aCustomer()
    for (const [exit, ...typed] of [
      [2, email, 'block'],
      [2, email, 'dance'],
      [1, 'nobody@karras.test', 'block', '--reason', 'x'],
      [1, email, 'unblock'],
      [0, email, 'block', '--reason', 'insults'],
      [1, email, 'block', '--reason', 'again'],
      [0, email, 'unblock', '--reason', 'sorry'],
    ] as const) {
      expect((await office(app, ['user', ...typed])).exit, typed.join(' ')).toBe(exit)
    }

    const rows = await app.kysely.selectFrom('staffLog').selectAll().orderBy('id').execute()
    const line = { actor: 'command line', subjectKind: 'user', subjectId: id }
    expect(rows).toMatchObject([
      { ...line, action: 'block', reason: 'insults' },
      { ...line, action: 'unblock', reason: 'sorry' },
    ])
    const refused = /the log is only added to/
    const change = app.kysely.updateTable('staffLog').set({ reason: 'no' }).execute()
    await expect(change).rejects.toThrow(refused)
    await expect(app.kysely.deleteFrom('staffLog').execute()).rejects.toThrow(refused)
  })
})
