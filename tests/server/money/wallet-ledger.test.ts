import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { adjustWallet, lockWallet, post, walletBalance } from '../../../src/server/money/ledger.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import { freshDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

async function aLedger() {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const { database } = fresh
  const secret = new Uint8Array(32)
  const made = factories({ database, dataDir: tmpdir(), secret, now: Date.now })
  const { id: userId } = await made.aCustomer()
  const adjust = (amount: number) =>
    transaction(database, (tx) => adjustWallet(tx, { userId, amount, note: 'test' }))
  const run = (statement: string) => sql.raw(statement).execute(database.kysely)
  return { database, made, userId, adjust, run }
}

describe('the ledger', () => {
  test('a balance is the sum of the entries', async () => {
    const { database, userId, adjust } = await aLedger()
    await adjust(dinars(60))
    await adjust(-dinars(12.5))
    expect(await walletBalance(database.kysely, userId)).toBe(dinars(47.5))
    const report = await checkLedger(database.kysely)
    expect(report).toMatchObject({ transactions: 2, entries: 4 })
    expect(isLedgerSound(report)).toBe(true)
  })

  test('a movement of zeros writes nothing', async () => {
    const { database, adjust } = await aLedger()
    await adjust(0)
    expect(await checkLedger(database.kysely)).toMatchObject({ transactions: 0, entries: 0 })
  })

  test('no wallet goes below zero', async () => {
    const { database, userId, adjust } = await aLedger()
    await adjust(dinars(1))
    await expect(adjust(-dinars(1.01))).rejects.toThrow(/balance/)
    expect(await walletBalance(database.kysely, userId)).toBe(dinars(1))
  })

  test('entries that do not sum to zero are refused before and by the database', async () => {
    const { database, userId, run } = await aLedger()
    const unbalanced = transaction(database, async (tx) => {
      const { accountId } = await lockWallet(tx, userId)
      await post(tx, { kind: 'adjustment', entries: [{ accountId, amount: 10 }] })
    })
    await expect(unbalanced).rejects.toThrow(RangeError)

    const forged = `
      WITH written AS (INSERT INTO ledger_transactions (kind) VALUES ('adjustment') RETURNING id)
      INSERT INTO ledger_entries (transaction_id, account_id, amount)
      SELECT id, 1, 10 FROM written`
    await expect(run(forged)).rejects.toThrow(/does not sum to zero/)
    expect(await checkLedger(database.kysely)).toMatchObject({ transactions: 0, entries: 0 })
  })

  test.each([
    'UPDATE ledger_entries SET amount = amount * 2',
    'DELETE FROM ledger_entries',
    'TRUNCATE ledger_entries',
    "UPDATE ledger_transactions SET note = 'nothing happened'",
    'DELETE FROM ledger_transactions',
  ])('is append-only: %s', async (statement) => {
    const { database, adjust, run } = await aLedger()
    await adjust(dinars(10))
    await expect(run(statement)).rejects.toThrow(/refused/)
    expect(await checkLedger(database.kysely)).toMatchObject({ transactions: 1, entries: 2 })
  })

  test.each([
    'UPDATE accounts SET balance = balance + 10 WHERE balance IS NOT NULL',
    'UPDATE accounts SET balance = NULL WHERE balance IS NOT NULL',
    `INSERT INTO accounts (kind, user_id, balance)
     SELECT 'customer', id, 1000 FROM users WHERE email = 'other@karras.test'`,
  ])('changes balances by entries alone: %s', async (statement) => {
    const { database, adjust, run } = await aLedger()
    await adjust(dinars(10))
    await run(`INSERT INTO users (email, username, first_name, last_name, role, password_hash)
      VALUES ('other@karras.test', 'other', 'O', 'T', 'PARENT', '')`)
    await expect(run(statement)).rejects.toThrow(/only ledger entries move it/)
    expect(isLedgerSound(await checkLedger(database.kysely))).toBe(true)
  })

  test('a complete ledger transaction accepts no further entries', async () => {
    const { database, userId, adjust, run } = await aLedger()
    await adjust(dinars(10))
    const late = `INSERT INTO ledger_entries (transaction_id, account_id, amount)
      SELECT 1, id, CASE WHEN user_id = ${userId} THEN 10 ELSE -10 END FROM accounts
      WHERE user_id = ${userId} OR kind = 'adjustments'`
    await expect(run(late)).rejects.toThrow(/is complete/)
    // Not even in a database transaction that wrote another one, nor in a savepoint that is rolled
    // back.
    await expect(
      transaction(database, async (tx) => {
        await adjustWallet(tx, { userId, amount: dinars(1), note: 'test' })
        await sql.raw(late).execute(tx)
      }),
    ).rejects.toThrow(/is complete/)
    expect(await walletBalance(database.kysely, userId)).toBe(dinars(10))
    expect(await checkLedger(database.kysely)).toMatchObject({ transactions: 1, entries: 2 })
  })

  test('movements within savepoints, and several in one transaction, are complete', async () => {
    const { database, userId } = await aLedger()
    await transaction(database, async (tx) => {
      await adjustWallet(tx, { userId, amount: dinars(5), note: 'one' })
      await sql`SAVEPOINT a`.execute(tx)
      await adjustWallet(tx, { userId, amount: dinars(7), note: 'taken back' })
      await sql`ROLLBACK TO SAVEPOINT a`.execute(tx)
      await adjustWallet(tx, { userId, amount: dinars(2), note: 'two' })
      await sql`RELEASE SAVEPOINT a`.execute(tx)
    })
    expect(await walletBalance(database.kysely, userId)).toBe(dinars(7))
    expect(isLedgerSound(await checkLedger(database.kysely))).toBe(true)
  })

  test('the check finds a tampered balance', async () => {
    const { database, adjust, run } = await aLedger()
    await adjust(dinars(10))
    await run('ALTER TABLE accounts DISABLE TRIGGER USER')
    await run('UPDATE accounts SET balance = balance + 10 WHERE balance IS NOT NULL')
    const report = await checkLedger(database.kysely)
    expect(isLedgerSound(report)).toBe(false)
    expect(report.wrongBalances).toMatchObject([{ balance: dinars(10.01), sum: dinars(10) }])
  })

  test('the check finds a grant without a payment', async () => {
    const { database, made, userId, run } = await aLedger()
    const { id } = await made.aDocument()
    await run(`
      INSERT INTO orders (buyer_id, status, method, total) VALUES (${userId}, 'pending', 'card', 5000);
      INSERT INTO order_items VALUES (1, ${id}, 5000);
      INSERT INTO purchases (user_id, document_id, order_id, price) VALUES (${userId}, ${id}, 1, 5000)`)
    const { wrongGrants } = await checkLedger(database.kysely)
    expect(wrongGrants).toEqual([{ userId, documentId: id }])
  })
})
