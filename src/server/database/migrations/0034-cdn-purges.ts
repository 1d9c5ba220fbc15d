import { type Kysely, sql } from 'kysely'

/** One row: what a CDN before the shop is still to be told (see publishing/cdn/purges.ts). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE cdn_purges (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    state jsonb NOT NULL
  )`.execute(database)
}
