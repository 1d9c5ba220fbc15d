import { describe, expect } from 'vitest'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import { rawSocket, socketUrl } from '../../support/chat.ts'
import { PASSWORD } from '../../support/people.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { choosePassword, EMAIL, invited, logInAs, NEW, office } from '../../support/staff.ts'
import { test } from '../../support/test.ts'

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
    await expectRefused(logInAs(app, customer.phone, PASSWORD), 403)
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
    const { paymentRef } = await app.call(initiateRecharge, {
      as: customer,
      key: 'before',
      body: { userId: customer.id, amount: 20, paymentMethod: 'D17' },
    })
    await office(app, ['user', String(customer.id), 'block', '--reason', 'asked for it'])
    await confirmManual(app.deps, paymentRef)
    expect(await app.balanceOf(customer)).toBe(dinars(27))
  })

  test('is blocked with a reason, once; the log keeps who, when and why', async ({ app }) => {
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
    const line = { actor: 'command line', subjectKind: 'user', subjectId: id }
    expect(rows).toMatchObject([
      { ...line, action: 'block', reason: 'insults' },
      { ...line, action: 'unblock', reason: 'sorry' },
    ])
    const refused = /the log is only added to/
    const change = kysely.updateTable('staffLog').set({ reason: 'no' }).execute()
    await expect(change).rejects.toThrow(refused)
    await expect(kysely.deleteFrom('staffLog').execute()).rejects.toThrow(refused)
  })
})
