import { describe, expect, test } from 'vitest'
import { logIn, register } from '../../src/contract/accounts.ts'
import { listAdministrators } from '../../src/contract/chat.ts'
import { acceptInvitation } from '../../src/contract/office-access.ts'
import { initiateRecharge } from '../../src/contract/wallet.ts'
import { HOUR_MS } from '../../src/rules/durations.ts'
import { dinars } from '../../src/rules/money.ts'
import { inviteStaff } from '../../src/server/accounts/accounts.ts'
import { confirmManual } from '../../src/server/money/transfers.ts'
import { runOffice } from '../../src/server/office/run.ts'
import { noteAddress } from '../../src/server/shop-address.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { rawSocket, socketUrl } from '../support/chat.ts'
import { PASSWORD } from '../support/people.ts'

const EMAIL = 'amira@karras.test'
const NEW = 'a password of her own'

/** The operator's command line on the shop of a test. */
async function office(app: TestApp, typed: string[], env: Record<string, string> = {}) {
  const out: string[] = []
  const err: string[] = []
  const exit = await runOffice(
    typed,
    { DATABASE_URL: app.databaseUrl, DATA_DIR: app.deps.config.dataDir, ...env },
    { out: (line) => void out.push(line), err: (line) => void err.push(line) },
  )
  return { exit, out: out.join('\n'), err: err.join('\n'), json: () => JSON.parse(out.join('')) }
}

async function invited(app: TestApp, ...more: string[]): Promise<string> {
  const { exit, err, json } = await office(app, ['create-admin', EMAIL, ...more, '--json'])
  expect([exit, err]).toEqual([0, ''])
  const link = new URL(json().link)
  expect(link.pathname).toMatch(/\/office\/invitation$/)
  return link.searchParams.get('token') ?? ''
}

const choose = (app: TestApp, token: string, password = NEW) =>
  app.call(acceptInvitation, {
    body: { token, firstName: 'Amira', lastName: 'Trabelsi', password },
  })
const enter = (app: TestApp, username: string, password: string) =>
  app.call(logIn, { body: { username, password } })
const USED_UP = { code: 'invalid_invitation' }

describe('office create-admin', () => {
  test('prints a link that sets the password, once', async () => {
    const app = await testApp()
    const said = await office(app, ['create-admin', ` ${EMAIL.toUpperCase()}`, '--name', 'Amira'])
    expect(said.out).toMatch(/^http:\/\/127\.0\.0\.1:4321\/office\/invitation\?token=\S{43}$/m)
    const token = /token=(\S+)/.exec(said.out)?.[1] ?? ''
    await expect(enter(app, EMAIL, '')).rejects.toMatchObject({ status: 400 })
    await expect(enter(app, EMAIL, NEW)).rejects.toMatchObject({ code: 'wrong_credentials' })

    await choose(app, token)
    const { accessToken } = await enter(app, EMAIL, NEW)
    const [, payload = ''] = accessToken.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).authorities).toEqual(['ADMIN'])
    await expect(choose(app, token, 'another one')).rejects.toMatchObject(USED_UP)
    await enter(app, EMAIL, NEW)
  })

  test('leads to where the shop was last open, unless SITE_URL says where it is', async () => {
    const app = await testApp()
    noteAddress({ ...app.deps.config, hasSiteUrl: false }, 'http://127.0.0.1:4999')
    const { out } = await office(app, ['create-admin', EMAIL])
    expect(out).toContain('http://127.0.0.1:4999/office/invitation?token=')
    const given = await office(app, ['create-admin', EMAIL], { SITE_URL: 'http://localhost:80' })
    expect(given.out).toContain('http://localhost/office/invitation?token=')
  })

  test('its link is valid for 24 hours', async () => {
    const app = await testApp()
    const token = await invited(app)
    app.travel(24 * HOUR_MS + 1000)
    await expect(choose(app, token)).rejects.toMatchObject(USED_UP)
    const again = await invited(app)
    app.travel(-HOUR_MS)
    await choose(app, again)
  })

  test('once more makes a new link, and older ones end', async () => {
    const app = await testApp()
    const first = await invited(app)
    const second = await invited(app, '--language', 'fr')
    await expect(choose(app, first)).rejects.toMatchObject(USED_UP)
    await choose(app, second)
    // The password stays good until the newest link is used.
    const third = await invited(app)
    await enter(app, EMAIL, NEW)
    await choose(app, third, 'the next password')
    await expect(enter(app, EMAIL, NEW)).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test('twice at the same moment leaves one account and one valid link', async () => {
    const app = await testApp()
    const invitation = {
      role: 'ADMIN',
      email: EMAIL,
      firstName: 'Amira',
      lastName: '',
      locale: 'ar',
      actor: 'test',
    } as const
    const made = await Promise.all(
      Array.from({ length: 4 }, () => inviteStaff(app.deps, invitation)),
    )
    expect(new Set(made.map(({ userId }) => userId)).size).toBe(1)
    const tokens = made.map(({ link }) => new URL(link).searchParams.get('token') ?? '')
    const outcomes = await Promise.allSettled(tokens.map((token) => choose(app, token)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('refuses the e-mail of a customer or a teacher, and invalid ones', async () => {
    const app = await testApp()
    const customer = await app.aCustomer()
    const teacher = await app.aTeacherAccount()
    for (const [email, whose] of [
      [customer.email, 'customer'],
      [teacher.email, 'teacher'],
    ] as const) {
      const { exit, out, err } = await office(app, ['create-admin', email])
      expect([exit, out]).toEqual([1, ''])
      expect(err).toContain(whose)
      await enter(app, email, PASSWORD)
    }
    expect((await office(app, ['create-admin', 'amira'])).exit).toBe(2)
    expect((await office(app, ['create-admin', EMAIL, '--language', 'de'])).exit).toBe(2)
    expect((await office(app, ['create-admin', EMAIL, '--name', ' '])).exit).toBe(2)
  })

  test('customers can write to an administrator who has a password and is not blocked', async () => {
    const app = await testApp()
    const customer = await app.aCustomer()
    const names = async () =>
      (await app.call(listAdministrators, { as: customer })).flatMap(({ username, isShop }) =>
        isShop ? [] : username,
      )
    const token = await invited(app, '--name', 'Amira')
    expect(await names()).toEqual([])
    await choose(app, token)
    expect(await names()).toEqual(['Amira Trabelsi'])
    await office(app, ['user', EMAIL, 'block', '--reason', 'left'])
    expect(await names()).toEqual([])
    const refused = await office(app, ['create-admin', EMAIL])
    expect([refused.exit, refused.err]).toEqual([1, `${EMAIL} is blocked; unblock it first.`])
  })
})

describe('commands that make links', () => {
  test.for([
    ['create-admin', EMAIL],
    ['confirm', 'KR-1A2B-3C4D'],
    ['refuse', 'KR-1A2B-3C4D'],
    ['refund', '1'],
  ])('%s says in one line that it does not know the shop’s address', async (typed) => {
    const app = await testApp()
    const { exit, out, err } = await office(app, typed, { NODE_ENV: 'production' })
    expect([exit, out]).toEqual([2, ''])
    expect(err).toMatch(/^SITE_URL is not set, .*$/)
    const known = { NODE_ENV: 'production', SITE_URL: 'https://shop.example' }
    expect((await office(app, typed, known)).err).not.toContain('SITE_URL')
  })
})

describe('a blocked account', () => {
  test('is logged out everywhere, and told so only with the right password', async () => {
    const app = await testApp()
    const customer = await app.aCustomer({ balance: dinars(7) })
    const path = `/api/wallet/balance?userId=${customer.id}`
    expect((await app.request('GET', path, { as: customer })).status).toBe(200)
    const live = await rawSocket(socketUrl(app.url, customer.token))
    await live.connect()

    const said = await office(app, ['user', customer.email, 'block', '--reason', 'insults'])
    expect([said.exit, said.err]).toEqual([0, ''])
    expect(await live.closed).toBe(1008)
    expect((await app.request('GET', path, { as: customer })).status).toBe(401)
    await expect(enter(app, customer.email, PASSWORD)).rejects.toMatchObject({
      status: 403,
      code: 'account_blocked',
    })
    await expect(enter(app, customer.phone, PASSWORD)).rejects.toMatchObject({ status: 403 })
    await expect(enter(app, customer.email, 'wrong')).rejects.toMatchObject({
      status: 401,
      code: 'wrong_credentials',
    })

    expect((await office(app, ['user', customer.email, 'unblock'])).exit).toBe(0)
    await enter(app, customer.email, PASSWORD)
    // The log-ins of before stay ended.
    expect((await app.request('GET', path, { as: customer })).status).toBe(401)
    expect(await app.balanceOf(customer)).toBe(dinars(7))
  })

  test('stays blocked whatever becomes of its password', async () => {
    const app = await testApp()
    const token = await invited(app)
    await office(app, ['user', EMAIL, 'block', '--reason', 'left'])
    await choose(app, token)
    await expect(enter(app, EMAIL, NEW)).rejects.toMatchObject({ code: 'account_blocked' })
  })

  test('keeps its money, and what was on its way still arrives', async () => {
    const app = await testApp()
    const customer = await app.aCustomer({ balance: dinars(7) })
    const { paymentRef } = await app.call(initiateRecharge, {
      as: customer,
      key: 'before',
      body: { userId: customer.id, amount: 20, paymentMethod: 'D17' },
    })
    await office(app, ['user', String(customer.id), 'block', '--reason', 'asked for it'])
    await confirmManual(app.deps, paymentRef)
    expect(await app.balanceOf(customer)).toBe(dinars(27))
  })

  test('is blocked with a reason, once; the log says who, when and why, and stays so', async () => {
    const app = await testApp()
    const { id, email } = await app.aCustomer()
    expect((await office(app, ['user', email, 'block'])).exit).toBe(2)
    expect((await office(app, ['user', email, 'dance'])).exit).toBe(2)
    expect((await office(app, ['user', 'nobody@karras.test', 'block', '--reason', 'x'])).exit).toBe(
      1,
    )
    expect((await office(app, ['user', email, 'unblock'])).exit).toBe(1)
    expect((await office(app, ['user', email, 'block', '--reason', 'insults'])).exit).toBe(0)
    expect((await office(app, ['user', email, 'block', '--reason', 'again'])).exit).toBe(1)
    expect((await office(app, ['user', email, 'unblock', '--reason', 'sorry'])).exit).toBe(0)

    const { kysely } = app.deps.database
    const rows = await kysely.selectFrom('staffLog').selectAll().orderBy('id').execute()
    expect(rows).toMatchObject([
      { actor: 'command line', action: 'block', subject: `user ${id}`, reason: 'insults' },
      { actor: 'command line', action: 'unblock', subject: `user ${id}`, reason: 'sorry' },
    ])
    const refused = /the log is only added to/
    const change = kysely.updateTable('staffLog').set({ reason: 'no' }).execute()
    await expect(change).rejects.toThrow(refused)
    await expect(kysely.deleteFrom('staffLog').execute()).rejects.toThrow(refused)
    const shown = (await office(app, ['user', email])).out
    expect(shown).toContain('block (command line): insults')
  })
})

describe('office users', () => {
  test('finds accounts by a part of name, e-mail or phone, by role, page by page', async () => {
    const app = await testApp()
    const amal = await app.aCustomer({
      firstName: 'أمل',
      lastName: 'بن صالح',
      email: 'amal_1@k.test',
    })
    await app.aCustomer({ firstName: 'Other', lastName: 'One', email: 'amalx1@k.test' })
    await app.aTeacherAccount({ email: 'teacher@k.test' })
    const found = async (...typed: string[]) => {
      const { exit, err, json } = await office(app, ['users', ...typed, '--json'])
      expect([exit, err]).toEqual([0, ''])
      return json().users.map(({ email }: { email: string }) => email)
    }
    expect(await found()).toHaveLength(3)
    expect(await found('AMAL_')).toEqual(['amal_1@k.test'])
    expect(await found('صالح')).toEqual(['amal_1@k.test'])
    expect(await found(amal.phone.slice(2))).toEqual(['amal_1@k.test'])
    expect(await found('--role', 'teacher')).toEqual(['teacher@k.test'])
    expect(await found('%')).toEqual([])
    expect((await office(app, ['users', '--role', 'KING'])).exit).toBe(2)
    expect((await office(app, ['users', '--page', 'x'])).exit).toBe(2)

    for (let n = 0; n < 50; n++)
      await app.aCustomer({ email: `many${n}@k.test`, phone: `3000${1000 + n}` })
    expect(await found()).toHaveLength(50)
    expect(await found('--page', '2')).toHaveLength(3)
    const { out } = await office(app, ['users'])
    expect(out).toContain('Page 1 of 2, 53 accounts')
    expect(out).toMatch(/PARENT +active/)
  })

  test('shows one with orders and balance, and no secret of it', async () => {
    const app = await testApp()
    await app.call(register, {
      body: {
        username: 'amal',
        firstName: 'Amal',
        lastName: 'Ben Salah',
        phone: '98000000',
        gender: 'female',
        email: 'amal@k.test',
        password: PASSWORD,
        role: ['PARENT'],
      },
    })
    const shown = await office(app, ['user', 'Amal@k.test'])
    expect(shown.out).toMatch(
      /^User \d+: PARENT, active, since .*\nAmal Ben Salah <amal@k\.test> 98000000/,
    )
    expect(shown.out).toContain('Balance 0.00 TND')
    const { out, json } = await office(app, ['user', 'amal@k.test', '--json'])
    expect(json()).toMatchObject({ balance: 0, orders: [], documents: 0, state: 'active' })
    expect(out).not.toContain('argon2')
    expect((await office(app, ['user', '12x'])).exit).toBe(2)
    expect((await office(app, ['user', '999'])).exit).toBe(1)
  })
})
