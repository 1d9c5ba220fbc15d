import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { dinars, type Millimes } from '../../../src/rules/money.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { migrations } from '../../../src/server/database/migrations/index.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { readBalance } from '../../../src/server/money/earnings/balance.ts'
import { salesOf } from '../../../src/server/money/earnings/sales.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import { purchase } from '../../../src/server/money/purchase.ts'
import { refundItems } from '../../../src/server/money/refunds.ts'
import { runStatement, urlOf } from '../../support/database.ts'

const NAME = '0014-shares'

/**
 * A customer who bought two documents for 4 and 6 dinars, one of them refunded; one more order is
 * pending.
 */
const BEFORE = `
  INSERT INTO users (id, email, username, first_name, last_name, role, password_hash)
    VALUES (1, 'u@karras.test', 'u', 'Amal', 'B', 'PARENT', '');
  INSERT INTO accounts (kind, user_id, balance) VALUES ('customer', 1, 0);
  INSERT INTO teachers (id, first_name, last_name, email) VALUES (1, 'T', 'T', 't');
  INSERT INTO accounts (kind, teacher_id) VALUES ('teacher_sales', 1);
  INSERT INTO categories (id, name) VALUES (1, 'c');
  INSERT INTO matieres (id, name) VALUES (1, 'm');
  INSERT INTO niveaux (id, name, level, position) VALUES (1, 'n', 'primary-school', 1);
  INSERT INTO files (id, storage_key, media_type, file_type, size, sha256)
    VALUES (1, 'a.pdf', 'application/pdf', 'pdf', 1, 'a');
  INSERT INTO documents (id, teacher_id, title, price, category_id, matiere_id, niveau_id, level,
      audience, search_text, file_id, is_published)
    SELECT id, 1, 'd', 2000 + id * 2000, 1, 1, 1, 'primary-school', 'Pour Élève', ' d ', 1, true
    FROM generate_series(1, 3) AS id;
  WITH moved AS (INSERT INTO ledger_transactions (kind) VALUES ('adjustment') RETURNING id)
    INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT moved.id, a.id, CASE a.kind WHEN 'customer' THEN 50000 ELSE -50000 END
    FROM moved, accounts a WHERE a.kind IN ('customer', 'adjustments');
  INSERT INTO orders (id, buyer_id, status, method, total, paid_at)
    VALUES (1, 1, 'paid', 'wallet', 10000, now()), (2, 1, 'pending', 'card', 8000, NULL);
  INSERT INTO order_items (order_id, document_id, price, refunded_at)
    VALUES (1, 1, 4000, now()), (1, 2, 6000, NULL), (2, 3, 8000, NULL);
  INSERT INTO purchases (user_id, document_id, order_id, price) VALUES (1, 2, 1, 6000);
  WITH moved AS (
      INSERT INTO ledger_transactions (kind, order_id) VALUES ('purchase', 1) RETURNING id
    ) INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT moved.id, a.id, CASE a.kind WHEN 'customer' THEN -10000 ELSE 10000 END
    FROM moved, accounts a WHERE a.kind IN ('customer', 'teacher_sales');
  WITH moved AS (
      INSERT INTO ledger_transactions (kind, order_id) VALUES ('refund', 1) RETURNING id
    ) INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT moved.id, a.id, CASE a.kind WHEN 'customer' THEN 4000 ELSE -4000 END
    FROM moved, accounts a WHERE a.kind IN ('customer', 'teacher_sales');
  SELECT setval('orders_id_seq', 2)`

test('documents sold before prices were shared stay the teacher’s, outside of payouts', async () => {
  const { url: server, template } = inject('databaseServer')
  const name = template.replace('template', 'before_shares')
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = urlOf(server, name)
  const database = openDatabase(url)
  onTestFinished(async () => {
    await database.close()
    await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`)
  })
  // The schema of a shop that has neither drafts nor shares.
  const earlier = Object.entries(migrations).filter(([key]) => key < '0012')
  await migrate(url, { migrations: Object.fromEntries(earlier) })
  for (const statement of BEFORE.split(';')) await runStatement(url, statement)
  expect(await migrate(url)).toContain(NAME)

  const { kysely } = database
  const books = async () => {
    const { rows } = await sql<{ kind: string; sum: Millimes }>`
      SELECT a.kind, sum(e.amount)::bigint AS sum
      FROM accounts a JOIN ledger_entries e ON e.account_id = a.id
      WHERE a.kind IN ('teacher_sales', 'teacher_earnings', 'revenue')
      GROUP BY a.kind HAVING sum(e.amount) <> 0 ORDER BY a.kind`.execute(kysely)
    return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
  }
  const isSound = async () => isLedgerSound(await checkLedger(kysely))
  expect(await books()).toEqual({ teacher_sales: dinars(6) })
  expect(await checkLedger(kysely)).toMatchObject({ wrongShares: [], wrongOrders: [] })
  const all = { sort: '-soldAt', page: 0, size: 10 } as const
  const { sales } = await salesOf(kysely, { teacherId: 1, ...all })
  expect(sales.map(({ share }) => share)).toEqual([null, null])
  expect(await readBalance(kysely, { teacherId: 1, at: Date.now() })).toMatchObject({
    balance: 0,
    held: 0,
  })

  // Later sales are shared; a refund takes back what each sale gave.
  const { orderId } = await transaction(database, (tx) =>
    purchase(tx, { buyerId: 1, documentIds: [3] }),
  )
  expect(await books()).toEqual({
    teacher_sales: dinars(6),
    teacher_earnings: dinars(5.6),
    revenue: dinars(2.4),
  })
  await transaction(database, (tx) => refundItems(tx, { orderId: 1 }))
  await transaction(database, (tx) => refundItems(tx, { orderId: orderId ?? 0 }))
  expect(await books()).toEqual({})
  expect(await isSound()).toBe(true)
})
