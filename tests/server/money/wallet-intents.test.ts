import { describe, expect } from 'vitest'
import { addToCart, getCart } from '../../../src/contract/carts.ts'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { createAndPay, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import type { RefusedCall } from '../../support/app.ts'
import { expectSoundLedger } from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'
import { ownedIds, pay } from '../../support/wallet.ts'

describe('the cart', () => {
  test('loses what was bought or owned at checkout, and keeps the rest', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const [owned, bought, kept] = [
      await app.aDocument(),
      await app.aDocument(),
      await app.aDocument(),
    ]
    await pay(app, buyer, [owned], { key: 'before' })
    for (const { id } of [owned, bought, kept]) {
      await app.call(addToCart, { as: buyer, query: { userId: buyer.id, documentId: id } })
    }
    const cartIds = async () =>
      (await app.call(getCart, { as: buyer, params: { userId: buyer.id } })).map(
        ({ document }) => document.id,
      )
    const wish = { key: 'too dear', call: createAndPay }
    const expensive = await app.aDocument({ price: dinars(500) })
    await expectRefused(pay(app, buyer, [bought, expensive], wish), 409)
    expect(await cartIds()).toContain(bought.id)

    await pay(app, buyer, [owned, bought], { key: 'k', call: createAndPay })
    expect(await cartIds()).toEqual([kept.id])
  })
})

describe('the same intent sent again', () => {
  test('charges once and gets the same response', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const document = await app.aDocument({ price: dinars(5) })
    const first = await pay(app, buyer, [document])
    expect(first.status).toBe('SUCCESS')
    expect(await pay(app, buyer, [document])).toEqual(first)
    expect(await app.balanceOf(buyer)).toBe(dinars(45))
  })

  test('charges once when all arrive together', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const document = await app.aDocument({ price: dinars(5) })
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(app, buyer, [document])))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.status).toBe('SUCCESS')
    expect(await app.balanceOf(buyer)).toBe(dinars(45))
    await expectSoundLedger(app)
  })

  test('is refused with a different request', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const documents = [await app.aDocument(), await app.aDocument()]
    await pay(app, buyer, documents.slice(0, 1))
    for (const [wanted, call] of [
      [documents.slice(1), payFromWallet],
      [documents.slice(0, 1), createAndPay],
    ] as const) {
      await expectRefused(pay(app, buyer, wanted, { call }), 409, 'idempotency_conflict')
    }
    expect(await ownedIds(app, buyer)).toEqual([documents[0]?.id])
  })
})

describe('concurrent purchases', () => {
  test('twenty buyers with money for one purchase each get exactly one', async ({ app }) => {
    const documents = [
      await app.aDocument({ price: dinars(6) }),
      await app.aDocument({ price: dinars(6) }),
    ]
    const buyers = await Promise.all(
      Array.from({ length: 20 }, () => app.aCustomer({ balance: dinars(10) })),
    )
    const outcomes = await Promise.all(
      buyers.flatMap((buyer) =>
        documents.map((document) =>
          pay(app, buyer, [document], { key: `d${document.id}` }).then(
            ({ status }) => status,
            (error: RefusedCall) => error.code,
          ),
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'SUCCESS')).toHaveLength(20)
    expect(outcomes.filter((outcome) => outcome === 'insufficient_balance')).toHaveLength(20)
    for (const buyer of buyers) {
      expect(await app.balanceOf(buyer)).toBe(dinars(4))
      expect(await ownedIds(app, buyer)).toHaveLength(1)
    }
    await expectSoundLedger(app)
  })

  test('one wallet with money for one of twenty purchases pays exactly one', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(10) })
    const { id: teacherId } = await app.aTeacher()
    const documents = []
    for (let at = 0; at < 20; at++) {
      documents.push(await app.aDocument({ price: dinars(10), teacherId }))
    }
    const outcomes = await Promise.allSettled(
      documents.map((document, at) => pay(app, buyer, [document], { key: `k${at}` })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await app.balanceOf(buyer)).toBe(0)
    expect(await ownedIds(app, buyer)).toHaveLength(1)
    await expectSoundLedger(app)
  })

  test('overlapping baskets in any order all succeed, and every sale is counted', async ({
    app,
  }) => {
    const documents: { id: number }[] = []
    for (let at = 0; at < 6; at++) documents.push(await app.aDocument({ price: dinars(1) }))
    const buyers = await Promise.all(
      Array.from({ length: 12 }, () => app.aCustomer({ balance: dinars(10) })),
    )
    await Promise.all(
      buyers.map((buyer, at) => {
        const turned = [...documents.slice(at % 6), ...documents.slice(0, at % 6)]
        return pay(app, buyer, at % 2 ? turned : turned.reverse())
      }),
    )
    for (const { id } of documents) {
      const { salesCount } = await app.call(getDocument, { params: { id } })
      expect(salesCount).toBe(12)
    }
    await expectSoundLedger(app)
  })
})
