import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { hashIn, keyOf } from '../files/files.ts'
import { removeLostSamples } from '../library/library.ts'
import { aside, lockKey } from './finish.ts'
import { oldest } from './rows.ts'

/** The columns that contain the address of a picture; add every new one here. */
const PICTURES = [
  ['documents', 'cover_path'],
  ['documents', 'livre_path'],
  ['cover_mappings', 'cover_path'],
  ['cover_mappings', 'livre_path'],
  ['teachers', 'picture_path'],
] as const

/**
 * Deletes uploads that have not changed for a day, and stored files older than a day that no
 * document, version, cover, photo or upload refers to. It may be killed at any moment, and run while other
 * processes and instances store files and refer to them.
 */
export async function cleanUpFiles(deps: Deps): Promise<{ uploads: number; files: number }> {
  const { database, files, config } = deps
  const before = oldest(deps.now())
  const expired = await database.kysely
    .deleteFrom('uploads')
    .where('touchedAt', '<=', before)
    .returning('id')
    .execute()
  for (const { id } of expired) await files.parts.remove(id)
  await removeLostParts(deps, before)
  await files.removeHalfWritten(before)
  await removeAside(aside(config.dataDir), before)

  let removed = 0
  let batch: string[] = []
  const sweep = async () => {
    for (const key of await unreferenced(database.kysely, batch)) {
      if (await removeUnreferenced(deps, key)) removed += 1
    }
    batch = []
  }
  for await (const { key, changedAt } of files.list()) {
    if (changedAt > before) continue
    batch.push(key)
    if (batch.length === KEYS_AT_ONCE) await sweep()
  }
  await sweep()
  await cleanUpMade(deps, before, (keys) => unreferenced(database.kysely, keys))
  return { uploads: expired.length, files: removed }
}

/** Removes parts that arrived for an upload that was deleted meanwhile. */
async function removeLostParts({ database, files }: Deps, before: Date): Promise<void> {
  for (const [id, lastAt] of await files.parts.list()) {
    if (lastAt > before) continue
    const { rows } = await sql`SELECT FROM uploads WHERE id::text = ${id}`.execute(database.kysely)
    if (rows.length === 0) await files.parts.remove(id)
  }
}

async function removeAside(directory: string, before: Date): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtime < before) await rm(path, { recursive: true, force: true })
  }
}

async function removeUnreferenced(deps: Deps, key: string): Promise<boolean> {
  const isRemoved = await transaction(deps.database, async (tx) => {
    await lockKey(tx, key)
    if ((await unreferenced(tx, [key])).length === 0) return false
    await deps.files.remove(key)
    return true
  })
  if (!isRemoved) return false
  await removeMadeOf(deps, key)
  return true
}

/** Those of the keys that nothing in the database refers to. */
async function unreferenced(db: Kysely<Schema>, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const pictures = sql.join(
    PICTURES.map(
      ([table, column]) => sql`
        SELECT substring(${sql.ref(column)} from '^/media/[a-z]+/([0-9a-f]{64})-')
        FROM ${sql.table(table)} WHERE ${sql.ref(column)} LIKE '/media/%'`,
    ),
    sql` UNION ALL `,
  )
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM unnest(${[...keys]}::text[]) AS key
    WHERE NOT EXISTS (SELECT FROM files WHERE storage_key = key)
      AND NOT EXISTS (SELECT FROM uploads WHERE storage_key = key)
      AND NOT EXISTS (SELECT FROM receipt_photos WHERE storage_key = key)
      AND NOT EXISTS (SELECT FROM imports WHERE key = ANY (storage_keys))
      AND NOT EXISTS (
        SELECT FROM (${pictures}) AS shown (sha256) WHERE substring(key from 4 for 64) = shown.sha256
      )`.execute(db)
  return rows.map(({ key }) => key)
}

/** How many keys are looked up at a time. */
const KEYS_AT_ONCE = 500

/** Derived files, in folders named by the hash of their source, with the source's extension. */
const MADE = [
  { kind: 'covers', extension: 'webp' },
  { kind: 'portraits', extension: 'webp' },
  { kind: 'previews', extension: 'pdf' },
  { kind: 'stamps', extension: 'pdf' },
] as const

/** How many bytes the pictures of pages may take in all; the oldest ones are deleted first. */
const PREVIEWS_MAX_BYTES = 4 * 1024 ** 3

/** The same for comparisons of files, of some kilobytes each. */
const LIKENESS_MAX_BYTES = 50 * 1024 ** 2

/** Deletes the files derived from a stored file. */
async function removeMadeOf({ files }: Pick<Deps, 'files'>, key: string): Promise<void> {
  for (const { kind } of MADE) await files.made.removeFolder(kind, hashIn(key))
}

/**
 * Deletes derived files that are no longer needed and have not changed since `before`: incomplete
 * ones, those of deleted samples, and those of deleted files, which a process may have derived
 * after the deletion or, if it was killed, not removed. Pictures of pages beyond
 * `PREVIEWS_MAX_BYTES` are deleted too, and drawn again when the page is next requested.
 */
async function cleanUpMade(
  deps: Deps,
  before: Date,
  unreferenced: (keys: readonly string[]) => Promise<string[]>,
  mostOfPreviews = PREVIEWS_MAX_BYTES,
): Promise<void> {
  const { made } = deps.files
  await made.removeHalfWritten(before)
  await removeLostSamples(deps, before)
  for (const { kind, extension } of MADE) {
    const hashes = await made.untouched(kind, before)
    for (let at = 0; at < hashes.length; at += KEYS_AT_ONCE) {
      const keys = hashes.slice(at, at + KEYS_AT_ONCE).map((sha256) => keyOf(sha256, extension))
      for (const key of await unreferenced(keys)) await removeMadeOf(deps, key)
    }
  }
  await made.forgetOldest('previews', mostOfPreviews)
  await made.forgetOldest('likeness', LIKENESS_MAX_BYTES)
}
