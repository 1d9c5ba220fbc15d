import { describe, expect, test } from 'vitest'
import { register } from '../../src/contract/accounts.ts'
import { initiateRecharge } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { confirmManual } from '../../src/server/money/transfers.ts'
import { testApp } from '../support/app.ts'
import { rawSocket, socketUrl } from '../support/chat.ts'
import { PASSWORD } from '../support/people.ts'
import { choosePassword, EMAIL, invited, logInAs, NEW, office } from '../support/staff.ts'

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
    await expect(logInAs(app, customer.email, PASSWORD)).rejects.toMatchObject({
      status: 403,
      code: 'account_blocked',
    })
    await expect(logInAs(app, customer.phone, PASSWORD)).rejects.toMatchObject({ status: 403 })
    await expect(logInAs(app, customer.email, 'wrong')).rejects.toMatchObject({
      status: 401,
      code: 'wrong_credentials',
    })

    expect((await office(app, ['user', customer.email, 'unblock'])).exit).toBe(0)
    await logInAs(app, customer.email, PASSWORD)
    // Earlier sessions stay ended.
    expect((await app.request('GET', path, { as: customer })).status).toBe(401)
    expect(await app.balanceOf(customer)).toBe(dinars(7))
  })

  test('stays blocked even after its password changes', async () => {
    const app = await testApp()
    const token = await invited(app)
    await office(app, ['user', EMAIL, 'block', '--reason', 'left'])
    await choosePassword(app, token)
    await expect(logInAs(app, EMAIL, NEW)).rejects.toMatchObject({ code: 'account_blocked' })
  })

  test('keeps its money, and payments under way still arrive', async () => {
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

  test('is blocked with a reason, once; the log keeps who, when and why', async () => {
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
