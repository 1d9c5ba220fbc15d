import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** Whether this shop was never opened: a real one has the school lists from its first start. */
export async function isEmptyShop(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM teachers)
      OR EXISTS (SELECT FROM documents) OR EXISTS (SELECT FROM categories) AS taken`.execute(db)
  return rows[0]?.taken === false
}
