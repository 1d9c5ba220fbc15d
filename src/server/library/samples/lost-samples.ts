import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { samplesIn } from './sample-pictures.ts'

/**
 * Deletes pictures of samples that no document has any more and that have not changed since
 * `before`: for example, those of a sample that a killed process replaced, or that were drawn while
 * their sample was being replaced.
 */
export async function removeLostSamples(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  before: Date,
): Promise<void> {
  const directory = samplesIn(config.dataDir)
  const names = await readdir(directory).catch(() => [])
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${names}::text[]) AS name
    WHERE name NOT IN (
      SELECT document_id || '-' || key FROM samples WHERE key IS NOT NULL)`.execute(database.kysely)
  for (const { name } of rows) {
    const path = join(directory, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtime < before) await rm(path, { recursive: true, force: true })
  }
}
