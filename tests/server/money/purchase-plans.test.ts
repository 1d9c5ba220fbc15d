// @one-database: it is about the plans of PostgreSQL.

import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import type { Schema } from '../../../src/server/database/schema.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { purchase } from '../../../src/server/money/purchase.ts'
import { test } from '../../support/test.ts'

/** PostgreSQL plans so many calls for their values before it may keep a plan. */
const PLANNED_FIRST = 5

test('after its first calls no statement of a purchase is planned again', async ({ app }) => {
  const buyer = await app.aCustomer({ balance: dinars(1000) })
  const { id: teacherId } = await app.aTeacher()
  await app.aDocument({ teacherId })
  const database = openDatabase(app.databaseUrl, { size: 1 })
  try {
    await fillShop(database.kysely)
    for (let n = 0; n < 3 * PLANNED_FIRST; n++) {
      const { id } = await app.aDocument({ teacherId })
      const wanted = { buyerId: buyer.id, documentIds: [id] }
      const { orderId } = await transaction(database, (tx) => purchase(tx, wanted))
      expect(orderId).not.toBeNull()
    }
    const { rows } = await sql<{ statement: string; plans: number }>`
      SELECT statement, custom_plans::integer AS plans FROM pg_prepared_statements
      WHERE generic_plans + custom_plans > ${PLANNED_FIRST}`.execute(database.kysely)
    expect(rows.length).toBeGreaterThan(4)
    expect(rows.filter(({ plans }) => plans > PLANNED_FIRST)).toEqual([])
  } finally {
    await database.close()
  }
})

/**
 * Fills the shop with copies of its documents: with few of them any plan is as cheap as another.
 */
async function fillShop(kysely: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ columns: string }>`
    SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
    WHERE attrelid = 'documents'::regclass AND attnum > 0 AND NOT attisdropped
      AND attgenerated = '' AND attname NOT IN ('id', 'reference')`.execute(kysely)
  const columns = sql.raw(rows[0]?.columns ?? '')
  await sql`
    INSERT INTO documents (${columns})
    SELECT ${columns} FROM documents, generate_series(1, 2000)`.execute(kysely)
  await sql`ANALYZE documents`.execute(kysely)
}
