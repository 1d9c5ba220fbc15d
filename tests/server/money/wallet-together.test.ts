import { sql } from 'kysely'
import { expect } from 'vitest'
import { addToCart, getCart } from '../../../src/contract/carts.ts'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { createAndPay, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { adjustWallet, lockWallet } from '../../../src/server/money/ledger.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import type { RefusedCall, TestApp } from '../../support/app.ts'
import { untilLockAwaited } from '../../support/database.ts'
import type { Person } from '../../support/factories.ts'
import { test } from '../../support/test.ts'

async function outcomeOf(
  app: TestApp,
  buyer: Person,
  documentIds: number[],
  { key = 'k1', call = payFromWallet } = {},
): Promise<string> {
  const body = { userId: buyer.id, documentIds }
  return app.call(call, { as: buyer, key, body }).then(
    ({ status }) => status,
    (error: RefusedCall) => String(error.code),
  )
}

/** Locks a customer's wallet while `work` runs, so that their payment waits. */
async function whileLocked(app: TestApp, buyer: Person, work: () => Promise<void>): Promise<void> {
  await transaction(app.deps.database, async (tx) => {
    await lockWallet(tx, buyer.id)
    await work()
  })
}

async function expectSoundLedger(app: TestApp): Promise<void> {
  const report = await checkLedger(app.deps.database.kysely)
  expect(isLedgerSound(report), JSON.stringify(report)).toBe(true)
}

test('payments that arrive while one waits are each paid or refused individually', async ({
  app,
}) => {
  const document = await app.aDocument({ price: dinars(4) })
  const other = await app.aDocument({ price: dinars(1) })
  const wanted = [document.id]
  const slow = await app.aCustomer({ balance: dinars(10) })
  const rich = await app.aCustomer({ balance: dinars(10) })
  const checkout = await app.aCustomer({ balance: dinars(10) })
  const poor = await app.aCustomer({ balance: dinars(3) })
  const owner = await app.aCustomer({ balance: dinars(10) })
  const again = await app.aCustomer({ balance: dinars(10) })
  const mistaken = await app.aCustomer({ balance: dinars(10) })
  await app.call(addToCart, {
    as: checkout,
    query: { userId: checkout.id, documentId: document.id },
  })
  for (const buyer of [owner, again, mistaken]) await outcomeOf(app, buyer, wanted)

  let first: Promise<string> = Promise.resolve('')
  const others: Promise<string>[] = []
  await whileLocked(app, slow, async () => {
    first = outcomeOf(app, slow, wanted)
    await untilLockAwaited(app.deps.database)
    others.push(
      outcomeOf(app, rich, wanted),
      outcomeOf(app, checkout, wanted, { call: createAndPay }),
      outcomeOf(app, poor, wanted),
      outcomeOf(app, owner, [document.id, other.id], { key: 'k2' }),
      outcomeOf(app, again, wanted),
      outcomeOf(app, mistaken, [other.id]),
    )
    // None of them needs what the first one waits for.
    expect(await Promise.all(others)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'insufficient_balance',
      'PARTIAL_SUCCESS',
      'SUCCESS',
      'idempotency_conflict',
    ])
  })
  expect(await first).toBe('SUCCESS')

  const balances = await Promise.all(
    [slow, rich, checkout, poor, owner, again, mistaken].map((buyer) => app.balanceOf(buyer)),
  )
  expect(balances).toEqual([6, 6, 6, 3, 5, 6, 6].map(dinars))
  expect(await app.call(getCart, { as: checkout, params: { userId: checkout.id } })).toEqual([])
  // The key of the refused one can be used again when there is money.
  const credit = { userId: poor.id, amount: dinars(1), note: 'test' }
  await transaction(app.deps.database, (tx) => adjustWallet(tx, credit))
  expect(await outcomeOf(app, poor, wanted)).toBe('SUCCESS')
  await expectSoundLedger(app)
})

test('an error that aborts a transaction affects its own payment alone', async ({ app }) => {
  const { id: teacherId } = await app.aTeacher()
  const document = await app.aDocument({ price: dinars(4), teacherId })
  const broken = await app.aDocument({ price: dinars(4), teacherId })
  await sql`
    CREATE FUNCTION refuse_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused by the test'; END $$`.execute(app.deps.database.kysely)
  await sql`
    CREATE TRIGGER refused BEFORE INSERT ON purchases FOR EACH ROW
    WHEN (NEW.document_id = ${sql.lit(broken.id)}) EXECUTE FUNCTION refuse_purchase()`.execute(
    app.deps.database.kysely,
  )
  const slow = await app.aCustomer({ balance: dinars(10) })
  const buyers: Person[] = []
  for (let at = 0; at < 5; at++) buyers.push(await app.aCustomer({ balance: dinars(10) }))

  let first: Promise<string> = Promise.resolve('')
  await whileLocked(app, slow, async () => {
    first = outcomeOf(app, slow, [document.id])
    await untilLockAwaited(app.deps.database)
    const outcomes = buyers.map((buyer, at) =>
      outcomeOf(app, buyer, [at === 2 ? broken.id : document.id]),
    )
    expect(await Promise.all(outcomes)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'server_error',
      'SUCCESS',
      'SUCCESS',
    ])
  })
  expect(await first).toBe('SUCCESS')
  const errors = app.log.splice(0).filter(({ level }) => Number(level) >= 50)
  expect(errors).toMatchObject([{ msg: 'unexpected' }])

  const balances = await Promise.all(buyers.map((buyer) => app.balanceOf(buyer)))
  expect(balances).toEqual([6, 6, 10, 6, 6].map(dinars))
  const { salesCount } = await app.call(getDocument, { params: { id: document.id } })
  expect(salesCount).toBe(5)
  await expectSoundLedger(app)
})

test('every payment of a crowd is paid once, counted once, and gets its receipt', async ({
  app,
}) => {
  const { id: teacherId } = await app.aTeacher()
  const documents: { id: number }[] = []
  for (let at = 0; at < 5; at++)
    documents.push(await app.aDocument({ price: dinars(1), teacherId }))
  const buyers: Person[] = []
  for (let at = 0; at < 25; at++) buyers.push(await app.aCustomer({ balance: dinars(3) }))
  // Each wants all five, in sequence and each twice concurrently, with money for three.
  const paid = await Promise.all(
    buyers.map(async (buyer, place) => {
      const outcomes: string[] = []
      for (let at = 0; at < 5; at++) {
        const id = documents[(place + at) % 5]?.id ?? 0
        const twice = [0, 1].map(() => outcomeOf(app, buyer, [id], { key: `of ${id}` }))
        const [one, two] = await Promise.all(twice)
        expect(two).toBe(one)
        outcomes.push(one ?? '')
      }
      return outcomes.filter((outcome) => outcome === 'SUCCESS').length
    }),
  )
  expect(paid).toEqual(buyers.map(() => 3))
  let counted = 0
  for (const { id } of documents) {
    counted += (await app.call(getDocument, { params: { id } })).salesCount
  }
  expect(counted).toBe(75)
  const { rows } = await sql<{ orderId: number }>`
    SELECT DISTINCT (data ->> 'orderId')::integer AS order_id FROM jobs.job
    WHERE name = 'mail' AND data ->> 'kind' = 'receipt'`.execute(app.deps.database.kysely)
  expect(rows).toHaveLength(75)
  for (const buyer of buyers) expect(await app.balanceOf(buyer)).toBe(0)
  await expectSoundLedger(app)
})
