import { type Kysely, sql } from 'kysely'

/** Jobs during which a process ended, and tries of imports that failed. */
const statements = [
  sql`CREATE TABLE job_deaths (
    job_id uuid PRIMARY KEY,
    deaths integer NOT NULL CHECK (deaths > 0),
    last_at timestamptz NOT NULL DEFAULT now()
  )`,
  sql`ALTER TABLE imports ADD COLUMN failures integer NOT NULL DEFAULT 0`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
