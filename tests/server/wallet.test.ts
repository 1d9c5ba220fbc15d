import { describe, expect, test } from 'vitest'
import { addToCart, getCart } from '../../src/contract/carts.ts'
import { getDocument } from '../../src/contract/catalogue.ts'
import { listPurchased } from '../../src/contract/library.ts'
import { createAndPay, getBalance, payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import { type RefusedCall, type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'

function pay(
  app: TestApp,
  buyer: Person,
  documents: readonly { id: number }[],
  { key = 'k1', call = payFromWallet } = {},
) {
  const body = { userId: buyer.id, documentIds: documents.map(({ id }) => id) }
  return app.call(call, { as: buyer, key, body })
}

async function ownedIds(app: TestApp, buyer: Person): Promise<number[]> {
  const purchased = await app.call(listPurchased, { as: buyer })
  return purchased.map(({ documentId }) => documentId).sort((a, b) => a - b)
}

async function expectSoundLedger(app: TestApp): Promise<void> {
  const report = await checkLedger(app.deps.database.kysely)
  expect(isLedgerSound(report), JSON.stringify(report)).toBe(true)
}

describe('GET /api/wallet/balance', () => {
  test('answers in dinars, and 0 before the first top-up', async () => {
    const app = await testApp()
    const rich = await app.aCustomer({ balance: dinars(12.5) })
    const poor = await app.aCustomer()
    expect(await app.call(getBalance, { as: rich, query: { userId: rich.id } })).toEqual({
      balance: 12.5,
    })
    expect(await app.call(getBalance, { as: poor, query: { userId: poor.id } })).toEqual({
      balance: 0,
    })
  })

  test('is for the customer alone', async () => {
    const app = await testApp()
    const customer = await app.aCustomer()
    const other = await app.aCustomer()
    const teacher = await app.aTeacherAccount()
    const admin = await app.anAdministrator()
    const query = { userId: customer.id }
    await expect(app.call(getBalance, { query })).rejects.toMatchObject({ status: 401 })
    for (const as of [other, teacher, admin]) {
      await expect(app.call(getBalance, { as, query })).rejects.toMatchObject({ status: 403 })
    }
    // Staff have no wallet, not even an empty one.
    for (const as of [teacher, admin]) {
      await expect(app.call(getBalance, { as, query: { userId: as.id } })).rejects.toMatchObject({
        status: 403,
        code: 'forbidden',
      })
    }
  })
})

describe.each([
  ['POST /api/wallet/pay', payFromWallet],
  ['POST /api/wallet/orders/create-and-pay', createAndPay],
])('%s', (_, call) => {
  test('charges the final price of the database, grants, and counts the sale', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(20) })
    const plain = await app.aDocument({ price: dinars(3.5) })
    const discounted = await app.aDocument({
      price: dinars(10),
      priceDiscount: dinars(7.25),
      teacherId: plain.teacherId,
    })

    expect(await pay(app, buyer, [plain, discounted], { call })).toEqual({
      status: 'SUCCESS',
      excludedDocuments: [],
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(9.25))
    expect(await ownedIds(app, buyer)).toEqual([plain.id, discounted.id])
    const sold = await app.call(getDocument, { params: { id: plain.id } })
    expect(sold.salesCount).toBe(1)
    expect(app.published).toEqual(
      expect.arrayContaining([`document:${plain.id}`, `teacher:${plain.teacherId}`, 'catalogue']),
    )
    await expectSoundLedger(app)
  })

  test('takes no price from the caller', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(4) })
    const document = await app.aDocument({ price: dinars(5) })
    const answer = await app.request('POST', `/api${call.path}`, {
      as: buyer,
      key: 'k1',
      body: { userId: buyer.id, documentIds: [document.id], price: 0, amount: 0, total: 0 },
    })
    expect(answer.status).toBe(409)
    expect(await ownedIds(app, buyer)).toEqual([])
  })

  test('an insufficient balance moves nothing', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(5) })
    const documents = [
      await app.aDocument({ price: dinars(3) }),
      await app.aDocument({ price: dinars(2.01) }),
    ]
    await expect(pay(app, buyer, documents, { call })).rejects.toMatchObject({
      status: 409,
      code: 'insufficient_balance',
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(5))
    expect(await ownedIds(app, buyer)).toEqual([])
    expect(app.published).toEqual([])
    // The key of a refused purchase is free: the buyer tops up and tries again.
    expect(await pay(app, buyer, documents.slice(0, 1), { call })).toMatchObject({
      status: 'SUCCESS',
    })
  })

  test('a free document costs nothing and needs no money', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const free = await app.aDocument({ price: 0 })
    expect(await pay(app, buyer, [free], { call })).toMatchObject({ status: 'SUCCESS' })
    expect(await ownedIds(app, buyer)).toEqual([free.id])
    expect(await app.balanceOf(buyer)).toBe(0)
    await expectSoundLedger(app)
  })

  test('refuses what is not for sale, and everything beside it', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const good = await app.aDocument()
    const hidden = await app.aDocument({ isPublished: false })
    for (const bad of [hidden, { id: 2 ** 31 - 1 }]) {
      await expect(pay(app, buyer, [good, bad], { call })).rejects.toMatchObject({
        status: 404,
        code: 'document_not_found',
      })
    }
    expect(await app.balanceOf(buyer)).toBe(dinars(50))
    expect(await ownedIds(app, buyer)).toEqual([])
  })

  test('needs a token, the own userId, a key, and a customer', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const document = await app.aDocument()
    const body = { userId: buyer.id, documentIds: [document.id] }
    const refused = (raw: object) => app.request('POST', `/api${call.path}`, { body, ...raw })

    expect(await refused({ key: 'k' })).toMatchObject({ status: 401 })
    const others = [await app.aCustomer(), await app.anAdministrator()]
    for (const as of others) expect(await refused({ as, key: 'k' })).toMatchObject({ status: 403 })
    const teacher = await app.aTeacherAccount()
    const own = { ...body, userId: teacher.id }
    expect(await refused({ as: teacher, key: 'k', body: own })).toMatchObject({ status: 403 })
    expect(await refused({ as: buyer })).toMatchObject({
      status: 400,
      body: { error: 'idempotency_key_required' },
    })
    for (const documentIds of [[], [document.id, document.id], ['x'], [-1], null]) {
      const answer = await refused({ as: buyer, key: 'k', body: { ...body, documentIds } })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_input' } })
    }
    expect(await ownedIds(app, buyer)).toEqual([])
  })
})

describe('documents that are owned already', () => {
  test('are excluded, and the others charged: every mix of six', async () => {
    const app = await testApp()
    const documents = []
    for (let at = 0; at < 6; at++) documents.push(await app.aDocument({ price: dinars(at + 1) }))

    for (let mix = 0; mix < 2 ** documents.length; mix++) {
      const buyer = await app.aCustomer({ balance: dinars(21) })
      const owned = documents.filter((_, at) => mix & (1 << at))
      if (owned.length > 0) await pay(app, buyer, owned, { key: 'before' })
      const spent = owned.reduce((sum, { price }) => sum + price, 0)
      expect(await app.balanceOf(buyer)).toBe(dinars(21) - spent)

      const result = await pay(app, buyer, documents, { key: 'mix' })
      expect(result.status).toBe(owned.length === 0 ? 'SUCCESS' : 'PARTIAL_SUCCESS')
      expect(result.excludedDocuments).toEqual(owned.map(({ id, title }) => ({ id, title })))
      expect(await app.balanceOf(buyer)).toBe(0)
      expect(await ownedIds(app, buyer)).toHaveLength(documents.length)
    }
    await expectSoundLedger(app)
  })

  test('stay excluded when they are no longer published', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(20) })
    const document = await app.aDocument()
    await pay(app, buyer, [document], { key: 'before' })
    await app.deps.database.kysely
      .updateTable('documents')
      .set({ state: 'unpublished' })
      .where('id', '=', document.id)
      .execute()
    expect(await pay(app, buyer, [document], { key: 'again' })).toEqual({
      status: 'PARTIAL_SUCCESS',
      excludedDocuments: [{ id: document.id, title: document.title }],
    })
  })
})

describe('the cart', () => {
  test('loses what was bought or owned at checkout, and keeps the rest', async () => {
    const app = await testApp()
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
    const dear = await app.aDocument({ price: dinars(500) })
    await expect(pay(app, buyer, [bought, dear], wish)).rejects.toMatchObject({ status: 409 })
    expect(await cartIds()).toContain(bought.id)

    await pay(app, buyer, [owned, bought], { key: 'k', call: createAndPay })
    expect(await cartIds()).toEqual([kept.id])
  })
})

describe('the same intent sent again', () => {
  test('charges once and answers the same', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const document = await app.aDocument({ price: dinars(5) })
    const first = await pay(app, buyer, [document])
    expect(first.status).toBe('SUCCESS')
    expect(await pay(app, buyer, [document])).toEqual(first)
    expect(await app.balanceOf(buyer)).toBe(dinars(45))
  })

  test('charges once when all arrive together', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const document = await app.aDocument({ price: dinars(5) })
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(app, buyer, [document])))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.status).toBe('SUCCESS')
    expect(await app.balanceOf(buyer)).toBe(dinars(45))
    await expectSoundLedger(app)
  })

  test('is refused when it asks for something else', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const documents = [await app.aDocument(), await app.aDocument()]
    await pay(app, buyer, documents.slice(0, 1))
    for (const [wanted, call] of [
      [documents.slice(1), payFromWallet],
      [documents.slice(0, 1), createAndPay],
    ] as const) {
      await expect(pay(app, buyer, wanted, { call })).rejects.toMatchObject({
        status: 409,
        code: 'idempotency_conflict',
      })
    }
    expect(await ownedIds(app, buyer)).toEqual([documents[0]?.id])
  })
})

describe('many at once', () => {
  test('twenty buyers with money for one purchase each get exactly one', async () => {
    const app = await testApp()
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

  test('one wallet with money for one of twenty purchases pays exactly one', async () => {
    const app = await testApp()
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

  test('overlapping baskets in any order all go through, and every sale is counted', async () => {
    const app = await testApp()
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
