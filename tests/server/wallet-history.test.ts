import { describe, expect, test } from 'vitest'
import { initiateRecharge, payFromWallet, walletHistory } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { refundOrder } from '../../src/server/wallet/refund.ts'
import { testApp } from '../support/app.ts'
import { expectSoundLedger, payInSandbox } from '../support/payments.ts'

describe('GET /api/wallet/history', () => {
  test('tells every movement, newest first, with what the wallet held after it', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(5) })
    const documents = [
      await app.aDocument({ price: dinars(4), title: 'واحد' }),
      await app.aDocument({ price: dinars(6), title: 'اثنان' }),
    ]
    const recharge = await app.call(initiateRecharge, {
      as: buyer,
      key: 'r',
      body: { userId: buyer.id, amount: 30 },
    })
    await payInSandbox(app, recharge.paymentUrl)
    await app.call(payFromWallet, {
      as: buyer,
      key: 'p',
      body: { userId: buyer.id, documentIds: documents.map(({ id }) => id) },
    })
    const read = (page: number, size: number) =>
      app.call(walletHistory, { as: buyer, query: { userId: buyer.id, page, size } })
    const [bought] = (await read(0, 1)).content
    const orderId = bought?.orderId ?? 0
    await refundOrder(app.deps, { orderId, documentId: documents[1]?.id ?? 0 })

    const all = await read(0, 10)
    expect(all).toMatchObject({ totalElements: 4, totalPages: 1, number: 0 })
    expect(
      all.content.map(({ kind, amount, balanceAfter, orderId, documents }) => ({
        line: [kind, amount, balanceAfter, orderId],
        documents: documents.map(({ title }) => title),
      })),
    ).toEqual([
      { line: ['refund', 6, 31, orderId], documents: ['اثنان'] },
      { line: ['purchase', -10, 25, orderId], documents: ['واحد', 'اثنان'] },
      { line: ['top_up', 30, 35, null], documents: [] },
      { line: ['adjustment', 5, 5, null], documents: [] },
    ])
    // Page by page it is the same.
    const paged = [...(await read(0, 3)).content, ...(await read(1, 3)).content]
    expect(paged).toEqual(all.content)
    expect(await read(7, 3)).toMatchObject({ content: [], totalPages: 2, number: 7 })
    await expectSoundLedger(app)
  })

  test('is the customer’s alone', async () => {
    const app = await testApp()
    const customer = await app.aCustomer()
    const query = { userId: customer.id }
    await expect(app.call(walletHistory, { query })).rejects.toMatchObject({ status: 401 })
    for (const as of [await app.aCustomer(), await app.anAdministrator()]) {
      await expect(app.call(walletHistory, { as, query })).rejects.toMatchObject({ status: 403 })
    }
    const teacher = await app.aTeacherAccount()
    await expect(
      app.call(walletHistory, { as: teacher, query: { userId: teacher.id } }),
    ).rejects.toMatchObject({ status: 403 })
    expect(await app.call(walletHistory, { as: customer, query })).toMatchObject({ content: [] })
  })
})
