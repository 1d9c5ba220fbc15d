import { type Kysely, sql } from 'kysely'

/**
 * One row: the purges that a CDN in front of the shop has not received yet (see
 * publishing/cdn/purges.ts).
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE cdn_purges (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    state jsonb NOT NULL
  )`.execute(database)
}
