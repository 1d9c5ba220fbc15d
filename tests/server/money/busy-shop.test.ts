import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { initiateRecharge, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { openPayments } from '../../../src/server/money/money.ts'
import { type RefusedCall, testApp } from '../../support/app.ts'
import { proxyTo } from '../../support/database-proxy.ts'
import type { Person } from '../../support/factories.ts'

/** A shop whose database is behind a proxy, and a buyer with 20 dinars who may pay 8 for a document. */
async function aShop() {
  const app = await testApp()
  const buyer = await app.aCustomer({ balance: dinars(20) })
  const document = await app.aDocument({ price: dinars(8) })
  const proxy = await proxyTo(app.databaseUrl)
  const database = openDatabase(proxy.url, { size: 1 })
  onTestFinished(() => database.close())
  const behind = await testApp({ deps: { database, payments: openPayments(database) } })
  const body = { userId: buyer.id, documentIds: [document.id] }
  const key = randomUUID()
  const pay = () => refusalOf(behind.call(payFromWallet, { as: buyer, key, body }))
  return { app, behind, buyer, proxy, pay, balance: () => app.balanceOf(buyer as Person) }
}

async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'done',
    (error: RefusedCall) => {
      const { error: code, nothingCharged } = error.body as Record<string, unknown>
      return [error.status, code, nothingCharged]
    },
  )
}

describe('while the database is away, a payment', () => {
  test('says that nothing was charged where no connection could be made', async () => {
    const { behind, buyer, proxy, pay, balance } = await aShop()
    proxy.refuse()
    expect(await pay()).toEqual([503, 'unavailable', true])
    const body = { userId: buyer.id, amount: 20, paymentMethod: 'D17' }
    const topUp = behind.call(initiateRecharge, { as: buyer, key: randomUUID(), body })
    expect(await refusalOf(topUp)).toEqual([503, 'unavailable', true])
    proxy.serve()
    expect(await pay()).toBe('done')
    expect(await balance()).toBe(dinars(12))
  })

  test('says so where its transaction was cut before the end', async () => {
    const { proxy, pay, balance } = await aShop()
    proxy.cutAfter('order_items')
    expect(await pay()).toEqual([503, 'unavailable', true])
    expect(await balance()).toBe(dinars(20))
  })

  test('does not say so where its commit was cut, and a repetition charges once', async () => {
    const { proxy, pay, balance } = await aShop()
    // The whole statement: a transaction begins as "read committed".
    proxy.cutAfter('commit\0')
    expect(await pay()).toEqual([503, 'unavailable', undefined])
    proxy.cutAfter('nothing of the kind')
    expect(await pay()).toBe('done')
    expect(await balance()).toBe(dinars(12))
  })
})
