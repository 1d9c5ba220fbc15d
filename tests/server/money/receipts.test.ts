import fc from 'fast-check'
import { describe, expect, onTestFinished } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { openPayments } from '../../../src/server/money/money.ts'
import type { TestApp } from '../../support/app.ts'
import { insert } from '../../support/database.ts'
import { bought } from '../../support/payments.ts'
import { test } from '../../support/test.ts'
import { pay } from '../../support/wallet.ts'

const receiptsOf = ({ deps }: TestApp) =>
  deps.database.kysely
    .selectFrom('receipts')
    .innerJoin('orders', 'orders.id', 'receipts.orderId')
    .select(['number', 'orderId', 'orders.paidAt'])
    .orderBy('number')
    .execute()

/** An order as it is after some payment, or before one. */
async function anOrder(
  { deps }: TestApp,
  buyerId: number,
  order: { status?: 'paid' | 'pending' | 'expired'; paidAt?: string } = {},
): Promise<number> {
  const { status = 'paid', paidAt } = order
  const { id } = await insert(deps.database.kysely, 'orders', {
    buyerId,
    status,
    method: 'card',
    total: 0,
    paidAt: status === 'paid' ? (paidAt ?? new Date()) : null,
  })
  return id
}

/** A second process on the same database. */
function another({ databaseUrl }: TestApp) {
  const database = openDatabase(databaseUrl)
  onTestFinished(() => database.close())
  return database
}

describe('the numbers of receipts', () => {
  test('follow the time of payment, exist for paid orders only, and stay', async ({ app }) => {
    const { id } = await app.aCustomer()
    const late = await anOrder(app, id, { paidAt: '2026-03-02T10:00:00Z' })
    const early = await anOrder(app, id, { paidAt: '2026-03-01T10:00:00Z' })
    await anOrder(app, id, { status: 'pending' })
    await anOrder(app, id, { status: 'expired' })
    await app.deps.payments.numberReceipts()
    const first = await receiptsOf(app)
    expect(first.map((receipt) => receipt.orderId)).toEqual([early, late])
    // Paid earlier, known later: a printed receipt is not renumbered.
    const reportedLate = await anOrder(app, id, { paidAt: '2026-02-01T10:00:00Z' })
    await app.deps.payments.numberReceipts()
    await app.deps.payments.numberReceipts()
    const all = await receiptsOf(app)
    expect(all.slice(0, 2)).toEqual(first)
    expect(all.map(({ number, orderId }) => [number, orderId])).toEqual([
      [1, early],
      [2, late],
      [3, reportedLate],
    ])
  })

  test('reach every order of a long list', async ({ app }) => {
    const { id } = await app.aCustomer()
    await app.deps.database.pool.query(
      `INSERT INTO orders (buyer_id, status, method, total, paid_at)
       SELECT ${id}, 'paid', 'card', 0, now() - at * interval '1 second' FROM generate_series(1, 1203) AS at`,
    )
    await app.deps.payments.numberReceipts()
    const receipts = await receiptsOf(app)
    expect(receipts.map(({ number }) => number)).toEqual(receipts.map((_, at) => at + 1))
    expect(receipts).toHaveLength(1203)
    const moments = receipts.map(({ paidAt }) => paidAt?.getTime() ?? 0)
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
  })

  test('have no gaps and no duplicates, for any concurrent purchases and numbering', async ({
    app,
  }) => {
    const processes = [app.deps.payments, openPayments(another(app))]
    let paid = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ buys: fc.integer({ min: 1, max: 3 }), process: fc.nat(1) }), {
          minLength: 1,
          maxLength: 8,
        }),
        async (buyers) => {
          await Promise.all(
            buyers.map(async ({ buys, process }) => {
              const buyer = await app.aCustomer({ balance: dinars(100) })
              for (let n = 0; n < buys; n++) {
                await bought(app, buyer, await app.documentsAt(2))
                paid++
                await processes[process]?.numberReceipts()
              }
            }),
          )
          const numbers = (await receiptsOf(app)).map(({ number }) => number)
          expect(numbers).toEqual(Array.from({ length: paid }, (_, at) => at + 1))
        },
      ),
      { numRuns: 8 },
    )
  })

  test('do not delay any purchase', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(100) })
    await anOrder(app, buyer.id)
    const other = another(app)
    const held = Promise.withResolvers<void>()
    const numbering = Promise.withResolvers<void>()
    // Another transaction has assigned numbers and does not commit.
    const slow = transaction(other, async (tx) => {
      await tx.selectFrom('orders').select('id').where('status', '=', 'paid').forUpdate().execute()
      await tx.insertInto('receipts').values({ number: 1, orderId: 1 }).execute()
      numbering.resolve()
      await held.promise
    })
    await numbering.promise
    await bought(app, buyer, await app.documentsAt(2))
    held.resolve()
    await slow
  })
})

test('a purchase from the wallet gets its number and its mail automatically', async ({ app }) => {
  const buyer = await app.aCustomer({ balance: dinars(10) })
  const documents = await app.documentsAt(3)
  // The browser repeats the request.
  for (let time = 0; time < 2; time++) await pay(app, buyer, documents)
  expect(await app.mails()).toHaveLength(1)
  expect(await receiptsOf(app)).toMatchObject([{ number: 1 }])
})
