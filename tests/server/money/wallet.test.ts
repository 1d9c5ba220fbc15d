import { describe, expect } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { createAndPay, getBalance, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { expectSoundLedger } from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'
import { ownedIds, pay } from '../../support/wallet.ts'

describe('GET /api/wallet/balance', () => {
  test('returns dinars, and 0 before the first top-up', async ({ app }) => {
    const rich = await app.aCustomer({ balance: dinars(12.5) })
    const poor = await app.aCustomer()
    expect(await app.call(getBalance, { as: rich, query: { userId: rich.id } })).toEqual({
      balance: 12.5,
    })
    expect(await app.call(getBalance, { as: poor, query: { userId: poor.id } })).toEqual({
      balance: 0,
    })
  })

  test('is for the customer alone', async ({ app }) => {
    const customer = await app.aCustomer()
    const other = await app.aCustomer()
    const teacher = await app.aTeacherAccount()
    const admin = await app.anAdministrator()
    const query = { userId: customer.id }
    await expectRefused(app.call(getBalance, { query }), 401)
    for (const as of [other, teacher, admin]) {
      await expectRefused(app.call(getBalance, { as, query }), 403)
    }
    // Staff have no wallet, not even an empty one.
    for (const as of [teacher, admin]) {
      await expectRefused(app.call(getBalance, { as, query: { userId: as.id } }), 403, 'forbidden')
    }
  })
})

describe.each([
  ['POST /api/wallet/pay', payFromWallet],
  ['POST /api/wallet/orders/create-and-pay', createAndPay],
])('%s', (_, call) => {
  test('charges the final price of the database, grants, and counts the sale', async ({ app }) => {
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

  test('accepts no price from the caller', async ({ app }) => {
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

  test('an insufficient balance moves nothing', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(5) })
    const documents = [
      await app.aDocument({ price: dinars(3) }),
      await app.aDocument({ price: dinars(2.01) }),
    ]
    await expectRefused(pay(app, buyer, documents, { call }), 409, 'insufficient_balance')
    expect(await app.balanceOf(buyer)).toBe(dinars(5))
    expect(await ownedIds(app, buyer)).toEqual([])
    expect(app.published).toEqual([])
    // The key of a refused purchase is free: the buyer tops up and tries again.
    expect(await pay(app, buyer, documents.slice(0, 1), { call })).toMatchObject({
      status: 'SUCCESS',
    })
  })

  test('a free document costs nothing and needs no money', async ({ app }) => {
    const buyer = await app.aCustomer()
    const free = await app.aDocument({ price: 0 })
    expect(await pay(app, buyer, [free], { call })).toMatchObject({ status: 'SUCCESS' })
    expect(await ownedIds(app, buyer)).toEqual([free.id])
    expect(await app.balanceOf(buyer)).toBe(0)
    await expectSoundLedger(app)
  })

  test('refuses what is not for sale, and everything else in the request', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const good = await app.aDocument()
    const hidden = await app.aDocument({ isPublished: false })
    for (const bad of [hidden, { id: 2 ** 31 - 1 }]) {
      await expectRefused(pay(app, buyer, [good, bad], { call }), 404, 'document_not_found')
    }
    expect(await app.balanceOf(buyer)).toBe(dinars(50))
    expect(await ownedIds(app, buyer)).toEqual([])
  })

  test('requires a token, the own userId, a key, and a customer', async ({ app }) => {
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
  test('are excluded, and the others charged: every combination of six', async ({ app }) => {
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

  test('stay excluded when they are no longer published', async ({ app }) => {
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
