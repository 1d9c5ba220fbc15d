// @one-database: its shop has the embedded one.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { walletBalance } from '../../../src/server/money/ledger.ts'
import { anOperatedShop, type OperatedShop } from '../../support/operated-shop.ts'
import { PATIENCE } from '../../support/patience.ts'

let shop: OperatedShop
beforeAll(async () => {
  shop = await anOperatedShop()
})
afterAll(() => shop.end())

describe('while the shop runs', () => {
  test('an order is shown and refunded, once, and the shop’s pages follow', async () => {
    const { buyer, documents, orderId } = await shop.aPurchase(12.5, 3)
    const shown = await shop.office(['call', 'getShopOrder', `id=${orderId}`])
    expect(shown.exit).toBe(0)
    expect(shown.out).toContain('total: 15.5')
    expect(shown.out).toContain(documents[0]?.title)

    const second = documents[1]
    const refunded = await shop.spawnOffice(['refund', orderId, String(second?.id), '--json'])
    expect(refunded.exit).toBe(0)
    expect(refunded.json()).toEqual({
      orderId: Number(orderId),
      total: 3,
      items: [{ documentId: second?.id, title: second?.title, price: 3 }],
    })
    expect(await walletBalance(shop.database.kysely, buyer.id)).toBe(dinars(87.5))
    await vi.waitFor(
      () => expect(shop.output()).toContain(`tag document:${second?.id}\n`),
      PATIENCE,
    )

    // The shop sends the mails that the command caused.
    await expect.poll(() => shop.mailsTo(buyer.email)).toBe(1)

    const again = await shop.spawnOffice(['refund', orderId, String(second?.id)])
    expect([again.exit, again.out]).toEqual([1, ''])
    expect(again.err).toMatch(/refunded before/)
    expect((await shop.office(['refund', '999999'])).exit).toBe(1)
  })

  test('pending transfers are listed, oldest first', async () => {
    const { buyer, orderId } = await shop.aPurchase(2)
    const payment = {
      provider: 'manual',
      userId: buyer.id,
      amount: dinars(12.5),
      intent: 'test',
      createdAt: '2026-03-05T23:30:00Z',
      expiresAt: '2026-03-08T23:30:00Z',
    } as const
    await shop.database.kysely
      .insertInto('payments')
      .values([
        { ...payment, reference: 'b'.repeat(24), method: 'd17', purpose: 'top_up', orderId: null },
        {
          ...payment,
          reference: 'a'.repeat(24),
          method: 'bank_transfer',
          purpose: 'order',
          orderId: Number(orderId),
          createdAt: '2026-03-04T10:00:00Z',
        },
        {
          ...payment,
          reference: 'c'.repeat(24),
          method: 'd17',
          purpose: 'top_up',
          orderId: null,
          status: 'paid',
        },
      ])
      .execute()
    const { exit, json } = await shop.spawnOffice(['call', 'listTransfers', '--json'])
    expect(exit).toBe(0)
    expect(json().content).toMatchObject([
      { paymentRef: 'a'.repeat(24), amount: 12.5, orderId: Number(orderId) },
      { paymentRef: 'b'.repeat(24), createdAt: '2026-03-05T23:30:00.000Z', orderId: null },
    ])
    await shop.database.kysely.deleteFrom('payments').execute()
  })

  test('a transfer is confirmed by its public reference, once', async () => {
    const buyer = await shop.made.aCustomer({ email: 'transfers@karras.test', phone: '29000001' })
    const references = ['1a2b3c4d', '1a2b3c4e', '1a2b3c4e'].map(
      (start, at) => start + `${at}`.repeat(16),
    )
    const [first = '', second = '', third = ''] = references
    await shop.database.kysely
      .insertInto('payments')
      .values(
        references.map((reference) => ({
          reference,
          provider: 'manual' as const,
          method: 'd17' as const,
          purpose: 'top_up' as const,
          userId: buyer.id,
          orderId: null,
          intent: reference,
          amount: dinars(30),
          expiresAt: new Date(Date.now() + 3_600_000),
        })),
      )
      .execute()
    const confirmed = await shop.spawnOffice(['confirm', 'kr-1A2B-3C4D'])
    expect(confirmed.err).toBe('')
    expect([confirmed.exit, confirmed.out]).toEqual([
      0,
      'Confirmed KR-1A2B-3C4D: 30.00 TND for a top-up.\n',
    ])
    expect(await walletBalance(shop.database.kysely, buyer.id)).toBe(dinars(30))
    await expect.poll(() => shop.mailsTo(buyer.email)).toBe(1)

    const again = await shop.office(['confirm', first])
    expect([again.exit, again.out]).toEqual([1, ''])
    expect(again.err).toContain('confirmed before')
    expect((await shop.office(['refuse', first])).exit).toBe(1)
    expect((await shop.office(['confirm', 'KR-FFFF-FFFF'])).exit).toBe(1)

    const ambiguous = await shop.office(['refuse', 'KR-1A2B-3C4E'])
    expect(ambiguous.exit).toBe(1)
    expect(ambiguous.err).toContain('give the whole reference')
    const refused = await shop.office(['refuse', second, '--json'])
    expect([refused.exit, refused.json()]).toEqual([
      0,
      { paymentRef: second, state: 'refused', amount: 30, orderId: null },
    ])
    expect((await shop.office(['refuse', second])).exit).toBe(1)
    // The money came after all.
    expect((await shop.office(['confirm', second])).exit).toBe(0)
    expect((await shop.office(['confirm', third])).exit).toBe(0)
    expect(await walletBalance(shop.database.kysely, buyer.id)).toBe(dinars(90))
    expect((await shop.office(['ledger', 'check'])).exit).toBe(0)
  })

  test('orders are listed, newest first, with their receipts', async () => {
    const { buyer, orderId } = await shop.aPurchase(2)
    const typed = ['call', 'listShopOrders', `q=${buyer.email}`]
    const { exit, json } = await shop.office([...typed, '--json'])
    expect(exit).toBe(0)
    const [order] = json().content
    expect(order).toMatchObject({ id: Number(orderId), status: 'paid', total: 2 })
    expect(order.receiptNumber).toBeGreaterThan(0)
    expect((await shop.office(typed)).out).toContain(buyer.email)
  })

  test('the ledger is checked: 0 if it is sound, 1 if it is wrong', async () => {
    const sound = await shop.office(['ledger', 'check', '--json'])
    expect([sound.exit, sound.json().sound]).toEqual([0, true])
    const tamper = async (change: number) => {
      await shop.database.pool.query(`BEGIN; ALTER TABLE accounts DISABLE TRIGGER USER;
        UPDATE accounts SET balance = balance + ${change}
        WHERE id = (SELECT min(id) FROM accounts WHERE kind = 'customer');
        ALTER TABLE accounts ENABLE TRIGGER USER; COMMIT`)
    }
    await tamper(10)
    const wrong = await shop.office(['ledger', 'check'])
    expect(wrong.exit).toBe(1)
    expect(wrong.out).toContain('Wallets whose balance')
    await tamper(-10)
  })
})
