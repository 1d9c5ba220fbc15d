/**
 * Measures how long a teacher with many sales waits for each page of the office:
 * `node tests/bench/earnings.ts [sales]`, by default 100 000 sales of 200 documents over a year.
 */
import { sql } from 'kysely'
import { dinars } from '../../src/rules/money.ts'
import { tunisianMonth } from '../../src/rules/tunisia-time.ts'
import { readBalance } from '../../src/server/money/earnings/balance.ts'
import { earnedByDocument, earnedByTime, salesOf } from '../../src/server/money/earnings/earned.ts'
import {
  readStatement,
  statementCsv,
  statementsOf,
} from '../../src/server/money/earnings/statements.ts'
import { aBackend, printTimes } from './support/backend.ts'

const count = Number(process.argv[2] ?? 100_000)
const DOCUMENTS = 200

const { deps, made, close } = await aBackend()
try {
  const { kysely } = deps.database
  const { id: teacherId } = await made.aTeacher()
  const { id: buyerId } = await made.aCustomer()
  const shared = {
    matiereId: await made.aMatiere(),
    niveauId: await made.aClass(),
    categoryId: await made.aCategory(),
  }
  const ids: number[] = []
  for (let at = 0; at < DOCUMENTS; at++) {
    ids.push((await made.aDocument({ ...shared, teacherId, price: dinars(10) })).id)
  }
  // Every fiftieth sale is refunded a day later.
  await sql`
    WITH placed AS (
      INSERT INTO orders (buyer_id, status, method, total, paid_at)
      SELECT ${buyerId}, 'paid', 'wallet', 10000, now() FROM generate_series(1, ${count}::integer)
      RETURNING id
    )
    INSERT INTO order_items
      (order_id, document_id, price, sold_at, teacher_id, teacher_share, refunded_at)
    SELECT id, (${ids}::integer[])[1 + id % ${DOCUMENTS}::integer], 10000, at, ${teacherId}, 7000,
      CASE WHEN id % 50 = 0 THEN least(at + interval '1 day', now()) END
    FROM placed, LATERAL (
      SELECT now() - (id % 365) * interval '1 day' - (id % 86400) * interval '1 second' AS at
    ) AS sold`.execute(kysely)
  await sql`VACUUM ANALYZE order_items`.execute(kysely)

  const at = Date.now()
  const year = { teacherId, from: new Date(at - 365 * 86_400_000), to: new Date(at) }
  const month = tunisianMonth(new Date(at))
  const list = { teacherId, sort: '-soldAt', size: 20 } as const
  const reads: Record<string, () => Promise<unknown>> = {
    balance: () => readBalance(kysely, { teacherId, at }),
    'sales, first page': () => salesOf(kysely, { ...list, page: 0 }),
    'sales, last page': () => salesOf(kysely, { ...list, page: Math.floor(count / 20) - 1 }),
    'sales by share': () => salesOf(kysely, { ...list, sort: '-share', page: 0 }),
    'sales of a document': () => salesOf(kysely, { ...list, documentId: ids[0], page: 0 }),
    'sales of a month': () => salesOf(kysely, { ...list, month, page: 0 }),
    'a year by month': () => earnedByTime(kysely, { ...year, unit: 'month' }),
    'a year by document': () =>
      earnedByDocument(kysely, { ...year, sort: '-share', page: 0, size: 20 }),
    statement: () => readStatement(kysely, { teacherId, month }),
    statements: () => statementsOf(kysely, { teacherId, at }),
    'statement as CSV': () => statementCsv(kysely, { teacherId, month, locale: 'fr' }),
  }
  for (const [name, read] of Object.entries(reads)) await printTimes(name, 7, read)
} finally {
  await close()
}
