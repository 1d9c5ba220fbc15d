import { type Kysely, sql } from 'kysely'

/**
 * What is known of files that took more than a job may: they are not opened again for that task.
 * `part` is a page, or 0. Until now a busy machine could make a file count as too slow for its
 * footer: those are tried again.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE file_faults (
    sha256 text NOT NULL,
    task text NOT NULL,
    part integer NOT NULL,
    reason text NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (sha256, task, part)
  )`.execute(database)
  await sql`DELETE FROM unstamped_files WHERE reason = 'too_slow'`.execute(database)
}
