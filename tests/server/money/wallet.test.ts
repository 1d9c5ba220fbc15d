import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { addToCart, getCart } from '../../../src/contract/carts.ts'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { createOrder } from '../../../src/contract/orders.ts'
import {
  createAndPay,
  getBalance,
  initiateRecharge,
  payFromWallet,
  walletHistory,
} from '../../../src/contract/wallet.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../../src/rules/payment-methods.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { expireOrders } from '../../../src/server/money/due-payments.ts'
import { adjustWallet, lockWallet } from '../../../src/server/money/ledger.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { confirmManual, refuseManual } from '../../../src/server/money/transfers.ts'
import type { RefusedCall } from '../../support/app.ts'
import { untilLockAwaited } from '../../support/database.ts'
import type { Person } from '../../support/factories.ts'
import { PATIENCE } from '../../support/patience.ts'
import { bought, payInSandbox, soundApp, withFreshToken } from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { ownedIds, pay } from '../../support/wallet.ts'

const app = await soundApp()

type Paying = NonNullable<Parameters<typeof pay>[3]>

/** How a payment ends: its status, or the code of its refusal. */
const outcomeOf = (buyer: Person, documents: readonly { id: number }[], how?: Paying) =>
  pay(app, buyer, documents, how).then(
    ({ status }): string => status,
    (error: RefusedCall) => String(error.code),
  )

/** As many customers, each with this much in their wallet. */
const customersWith = (balance: number, count: number) =>
  Promise.all(Array.from({ length: count }, () => app.aCustomer({ balance: dinars(balance) })))

const balancesOf = (people: readonly Person[]) =>
  Promise.all(people.map((person) => app.balanceOf(person)))

const salesOf = async ({ id }: { id: number }) =>
  (await app.call(getDocument, { params: { id } })).salesCount

test('the balance is in dinars, and 0 before the first top-up', async () => {
  for (const balance of [12.5, 0]) {
    const as = await app.aCustomer({ balance: dinars(balance) })
    expect(await app.call(getBalance, { as, query: { userId: as.id } })).toEqual({ balance })
  }
})

test('staff have no wallet, not even an empty one, and buy nothing', async () => {
  const { id: documentId } = await app.aDocument()
  for (const as of [await app.aTeacherAccount(), await app.anAdministrator()]) {
    const userId = as.id
    const bodyOf = { as, key: 'k', body: { userId, documentIds: [documentId] } }
    const calls = [
      () => app.call(getBalance, { as, query: { userId } }),
      () => app.call(walletHistory, { as, query: { userId } }),
      () => app.call(payFromWallet, bodyOf),
      () => app.call(createAndPay, bodyOf),
      () => app.call(initiateRecharge, { as, key: 'k', body: { userId, amount: 10 } }),
      () => app.call(createOrder, { as, key: 'k', body: { userId, orderDocs: [{ documentId }] } }),
    ]
    for (const call of calls) await expectCode(call(), 'forbidden')
  }
})

describe.each([
  ['POST /api/wallet/pay', payFromWallet],
  ['POST /api/wallet/orders/create-and-pay', createAndPay],
])('%s', (_, call) => {
  test('charges the final price of the database, grants, and counts the sale', async () => {
    const buyer = await app.aCustomer({ balance: dinars(20) })
    const plain = await app.aDocument({ price: dinars(3.5) })
    const { teacherId } = plain
    const discounted = await app.aDocument({
      price: dinars(10),
      priceDiscount: dinars(7.25),
      teacherId,
    })
    const result = await pay(app, buyer, [plain, discounted], { call })
    expect(result).toEqual({ status: 'SUCCESS', excludedDocuments: [] })
    expect(await app.balanceOf(buyer)).toBe(dinars(9.25))
    expect(await ownedIds(app, buyer)).toEqual([plain.id, discounted.id])
    expect(await salesOf(plain)).toBe(1)
    expect(app.published).toEqual(
      expect.arrayContaining([`document:${plain.id}`, `teacher:${teacherId}`, 'catalogue']),
    )
  })

  test('moves nothing where the balance is insufficient, and frees the key', async () => {
    const buyer = await app.aCustomer({ balance: dinars(5) })
    const documents = await app.documentsAt(3, 2.01)
    app.published.length = 0
    await expectCode(pay(app, buyer, documents, { call }), 'insufficient_balance')
    expect(await app.balanceOf(buyer)).toBe(dinars(5))
    expect(await ownedIds(app, buyer)).toEqual([])
    expect(app.published).toEqual([])
    // The buyer tops up and tries again.
    expect(await outcomeOf(buyer, documents.slice(0, 1), { call })).toBe('SUCCESS')
  })

  test('refuses what is not for sale, and everything else in the request', async () => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const good = await app.aDocument()
    const hidden = await app.aDocument({ isPublished: false })
    for (const bad of [hidden, { id: 2 ** 31 - 1 }]) {
      await expectCode(pay(app, buyer, [good, bad], { call }), 'document_not_found')
    }
    for (const wrong of [[], [good, good]]) {
      await expectCode(pay(app, buyer, wrong, { call }), 'invalid_input')
    }
    expect(await app.balanceOf(buyer)).toBe(dinars(50))
    expect(await ownedIds(app, buyer)).toEqual([])
  })
})

describe('documents that are owned already', () => {
  test('are excluded, and the others charged: every combination of six', async () => {
    const documents = await app.documentsAt(1, 2, 3, 4, 5, 6)
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
  })

  test('stay excluded when they are no longer published', async () => {
    const buyer = await app.aCustomer({ balance: dinars(20) })
    const document = await app.aDocument()
    await pay(app, buyer, [document], { key: 'before' })
    await app.change('documents', document.id, { state: 'unpublished' })
    const excluded = {
      status: 'PARTIAL_SUCCESS',
      excludedDocuments: [{ id: document.id, title: document.title }],
    }
    expect(await pay(app, buyer, [document], { key: 'again' })).toEqual(excluded)
    expect(await pay(app, buyer, [document], { key: 'again' })).toEqual(excluded)
  })
})

test('the cart loses what was bought or owned at checkout, and keeps the rest', async () => {
  const buyer = await app.aCustomer({ balance: dinars(50) })
  const [owned, wanted, kept, expensive] = await app.documentsAt(5, 5, 5, 500)
  await pay(app, buyer, [owned], { key: 'before' })
  for (const { id } of [owned, wanted, kept]) {
    await app.call(addToCart, { as: buyer, query: { userId: buyer.id, documentId: id } })
  }
  const cartIds = async () => {
    const cart = await app.call(getCart, { as: buyer, params: { userId: buyer.id } })
    return cart.map(({ document }) => document.id)
  }
  await expectRefused(pay(app, buyer, [wanted, expensive], { call: createAndPay }), 409)
  expect(await cartIds()).toContain(wanted.id)
  await pay(app, buyer, [owned, wanted], { call: createAndPay })
  expect(await cartIds()).toEqual([kept.id])
})

test('a purchase notes what it changes, and sends no NOTIFY', async () => {
  const received: string[] = []
  await app.deps.listener.onNotify('pages', (payload) => received.push(payload))
  const buyer = await app.aCustomer({ balance: dinars(50) })
  const { id: teacherId } = await app.aTeacher()
  const first = await app.aDocument({ teacherId })
  const second = await app.aDocument({ teacherId })
  const { kysely, pool } = app.deps.database
  await kysely.deleteFrom('pageChanges').execute()
  await pay(app, buyer, [first, second])
  const notes = await kysely.selectFrom('pageChanges').selectAll().execute()
  const documents = [`document:${first.id}`, `document:${second.id}`]
  const tags = ['catalogue', ...documents, `teacher:${teacherId}`]
  expect(notes.map((note) => [note.soon, note.tags.toSorted()])).toEqual([[true, tags.toSorted()]])
  // A NOTIFY of the purchase would arrive before this one.
  await pool.query("SELECT pg_notify('pages', 'end')")
  await vi.waitFor(() => expect(received).toEqual(['end']), PATIENCE)
})

describe('the same intent sent again', () => {
  test('charges once, also when all arrive together', async () => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const documents = await app.documentsAt(5)
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(app, buyer, documents)))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await pay(app, buyer, documents)).toEqual(answers[0])
    expect(answers[0]?.status).toBe('SUCCESS')
    expect(await app.balanceOf(buyer)).toBe(dinars(45))
  })

  test('is refused with a different request', async () => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const [document, other] = await app.documentsAt(5, 5)
    await pay(app, buyer, [document])
    expect(await outcomeOf(buyer, [other])).toBe('idempotency_conflict')
    expect(await outcomeOf(buyer, [document], { call: createAndPay })).toBe('idempotency_conflict')
    expect(await ownedIds(app, buyer)).toEqual([document.id])
  })
})

describe('concurrent purchases', () => {
  test('of overlapping baskets in any order all succeed, and every sale is counted', async () => {
    const documents = await app.documentsAt(1, 1, 1, 1, 1, 1)
    const buyers = await customersWith(10, 12)
    await Promise.all(
      buyers.map((buyer, at) => {
        const turned = [...documents.slice(at % 6), ...documents.slice(0, at % 6)]
        return pay(app, buyer, at % 2 ? turned : turned.reverse())
      }),
    )
    expect(await Promise.all(documents.map(salesOf))).toEqual(Array(6).fill(12))
  })

  test('of a crowd are each paid once, counted once, and get their receipt', async () => {
    const documents = await app.documentsAt(1, 1, 1, 1, 1)
    const buyers = await customersWith(3, 25)
    const receipts = async () => {
      const { rows } = await sql`
        SELECT DISTINCT data ->> 'orderId' FROM jobs.job
        WHERE name = 'mail' AND data ->> 'kind' = 'receipt'`.execute(app.kysely)
      return rows.length
    }
    const before = await receipts()
    // Each wants all five, in sequence and each twice concurrently, with money for three.
    const paid = await Promise.all(
      buyers.map(async (buyer, place) => {
        const outcomes: string[] = []
        for (let at = 0; at < 5; at++) {
          const wanted = documents.slice((place + at) % 5).slice(0, 1)
          const how = { key: `of ${(place + at) % 5}` }
          const twice = [outcomeOf(buyer, wanted, how), outcomeOf(buyer, wanted, how)]
          const [one = '', two] = await Promise.all(twice)
          expect(two).toBe(one)
          outcomes.push(one)
        }
        return outcomes.filter((outcome) => outcome === 'SUCCESS').length
      }),
    )
    expect(paid).toEqual(buyers.map(() => 3))
    const sales = await Promise.all(documents.map(salesOf))
    expect(sales.reduce((sum, count) => sum + count)).toBe(75)
    expect((await receipts()) - before).toBe(75)
    expect(await balancesOf(buyers)).toEqual(buyers.map(() => 0))
  })
})

describe('while a payment waits', () => {
  /** The outcomes of payments that begin while the wallet of another buyer is locked. */
  async function besideWaiting(wanted: { id: number }, others: () => Promise<string>[]) {
    const slow = await app.aCustomer({ balance: dinars(10) })
    const { first, outcomes } = await transaction(app.deps.database, async (tx) => {
      await lockWallet(tx, slow.id)
      const first = outcomeOf(slow, [wanted])
      await untilLockAwaited(app.deps.database)
      // None of them needs what the first one waits for.
      return { first, outcomes: await Promise.all(others()) }
    })
    expect(await first).toBe('SUCCESS')
    expect(await app.balanceOf(slow)).toBe(dinars(6))
    return outcomes
  }

  test('others are each paid or refused individually', async () => {
    const [document, other] = await app.documentsAt(4, 1)
    const poor = await app.aCustomer({ balance: dinars(3) })
    const buyers = await customersWith(10, 5)
    const [rich, checkout, owner, again, mistaken] = buyers as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    const item = { userId: checkout.id, documentId: document.id }
    await app.call(addToCart, { as: checkout, query: item })
    for (const buyer of [owner, again, mistaken]) await pay(app, buyer, [document])

    const outcomes = await besideWaiting(document, () => [
      outcomeOf(rich, [document]),
      outcomeOf(checkout, [document], { call: createAndPay }),
      outcomeOf(poor, [document]),
      outcomeOf(owner, [document, other], { key: 'k2' }),
      outcomeOf(again, [document]),
      outcomeOf(mistaken, [other]),
    ])
    expect(outcomes).toEqual([
      'SUCCESS',
      'SUCCESS',
      'insufficient_balance',
      'PARTIAL_SUCCESS',
      'SUCCESS',
      'idempotency_conflict',
    ])
    expect(await balancesOf([poor, ...buyers])).toEqual([3, 6, 6, 5, 6, 6].map(dinars))
    expect(await app.call(getCart, { as: checkout, params: { userId: checkout.id } })).toEqual([])
    // The key of the refused one can be used again when there is money.
    const credit = { userId: poor.id, amount: dinars(1), note: 'test' }
    await transaction(app.deps.database, (tx) => adjustWallet(tx, credit))
    expect(await outcomeOf(poor, [document])).toBe('SUCCESS')
  })

  test('an error that aborts a transaction affects its own payment alone', async () => {
    const [document, broken] = await app.documentsAt(4, 4)
    await sql`
      CREATE FUNCTION refuse_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused by the test'; END $$`.execute(app.kysely)
    await sql`
      CREATE TRIGGER refused BEFORE INSERT ON purchases FOR EACH ROW
      WHEN (NEW.document_id = ${sql.lit(broken.id)}) EXECUTE FUNCTION refuse_purchase()`.execute(
      app.kysely,
    )
    const buyers = await customersWith(10, 5)
    const outcomes = await besideWaiting(document, () =>
      buyers.map((buyer, at) => outcomeOf(buyer, [at === 2 ? broken : document])),
    )
    expect(outcomes).toEqual(['SUCCESS', 'SUCCESS', 'server_error', 'SUCCESS', 'SUCCESS'])
    const errors = app.log.splice(0).filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([{ msg: 'unexpected' }])
    expect(await balancesOf(buyers)).toEqual([6, 6, 10, 6, 6].map(dinars))
    expect(await salesOf(document)).toBe(5)
  })
})

describe('GET /api/wallet/history', () => {
  test('lists every movement, newest first, with the balance after it', async () => {
    const buyer = await app.aCustomer({ balance: dinars(5) })
    const kept = await app.aDocument({ price: dinars(4), title: 'واحد' })
    const returned = await app.aDocument({ price: dinars(6), title: 'اثنان' })
    const body = { userId: buyer.id, amount: 30 }
    const recharge = await app.call(initiateRecharge, { as: buyer, key: 'r', body })
    await payInSandbox(app, recharge.paymentUrl)
    const orderId = await bought(app, buyer, [kept, returned])
    await refundOrder(app.deps, { orderId, documentId: returned.id })
    const read = (page: number, size: number) =>
      app.call(walletHistory, { as: buyer, query: { userId: buyer.id, page, size } })

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
    // The pages contain the same.
    const paged = [...(await read(0, 3)).content, ...(await read(1, 3)).content]
    expect(paged).toEqual(all.content)
    expect(await read(7, 3)).toMatchObject({ content: [], totalPages: 2, number: 7 })
  })
})

test('above the movements: pending payments, and recently failed ones', async () => {
  const payer = await app.aCustomer()
  const start = async (amount: number, paymentMethod: string) => {
    const body = { userId: payer.id, amount, paymentMethod }
    return app.call(initiateRecharge, { as: payer, key: crypto.randomUUID(), body })
  }
  const read = async (page = 0) => {
    const as = await withFreshToken(app, payer)
    return (await app.call(walletHistory, { as, query: { userId: payer.id, page } })).waiting
  }
  const waits = await start(20, 'D17')
  const refused = await start(30, 'D17')
  const confirmed = await start(40, 'D17')
  await start(50, 'sandbox')
  await refuseManual(app.deps, refused.paymentRef)
  await confirmManual(app.deps, confirmed.paymentRef)
  expect(await read()).toMatchObject([
    { paymentRef: refused.paymentRef, state: 'refused', amount: 30, paymentUrl: null },
    { paymentRef: waits.paymentRef, state: 'pending', method: 'd17', paymentUrl: waits.paymentUrl },
  ])
  expect(await read(1)).toBeUndefined()
  const other = await app.aCustomer()
  const theirs = await app.call(walletHistory, { as: other, query: { userId: other.id } })
  expect(theirs.waiting).toEqual([])
  app.travel(ORDER_LIFETIME_MS + MINUTE_MS)
  await expireOrders(app.deps)
  expect((await read())?.map(({ state }) => state)).toEqual(['refused', 'expired'])
  app.travel(7 * DAY_MS)
  expect(await read()).toEqual([])
})
