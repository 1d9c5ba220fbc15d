import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { type QueryExecutorProvider, sql } from 'kysely'
import { to as copyTo } from 'pg-copy-streams'
import { migrationsOf } from '../database/migrate.ts'
import type { Connection } from '../database/servers.ts'
import type { Storage } from '../files/files.ts'
import {
  type BackupWriter,
  FORMAT,
  FORMAT_WITHOUT_SECRET,
  type Header,
  type TableOf,
  writeBackup,
} from './backup-file.ts'
import { writeMails } from './mails.ts'
import { connectOnce, copied, type SingleConnection, sequencesOf, tablesOf } from './tables.ts'

/**
 * Receives the progress of a long task: the current step, and how many bytes of the total are done.
 */
export type Progress = (what: string, done: number, of: number) => void

interface BackupOptions {
  readonly connection: Connection
  readonly storage: Storage
  /** The path of the new backup; no file may exist there yet. */
  readonly path: string
  /** The shop's secret, where the backup is to hold it. */
  readonly secret?: Uint8Array | null
  readonly progress?: Progress
}

/**
 * Writes the whole shop into one file while it runs: a snapshot of the tables, and every file that
 * they name. Files never change, and are deleted only a day after the last row that names them, so
 * that all files of the snapshot can still be read after the tables. A file that is missing all the
 * same is reported, and the rest is backed up. Returns a summary of the backup's content.
 */
export async function takeBackup(options: BackupOptions) {
  const { connection, storage, path, secret = null, progress = () => {} } = options
  const source = await connectOnce(connection)
  try {
    await source.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const header = await headerOf(source.kysely, secret !== null)
    let rows = 0
    let mails = 0
    const files = { named: new Set<string>(), written: 0, damaged: [] as string[] }
    const { size } = await writeBackup(path, header, async (writer) => {
      for (const [at, table] of header.tables.entries()) {
        progress(`table ${table.name}`, at, header.tables.length)
        rows += await writeTable(writer, source, table)
      }
      mails = await writeMails(writer, source.kysely)
      if (secret !== null) {
        const part = { kind: 'secret', name: 'secret', encoding: 'plain' } as const
        await writer.part(
          part,
          Readable.from([Buffer.from(`${Buffer.from(secret).toString('hex')}\n`)]),
        )
      }
      files.named = await filesNamed(source.kysely)
      // Ends the snapshot: copying the files takes longer, and must not hold up the database.
      await source.client.query('COMMIT')
      await writeFiles(writer, storage, files, progress)
    })
    return {
      size,
      rows,
      mails,
      tables: header.tables.length,
      files: files.written,
      /** Keys of files that the database names and the storage lacks. */
      missing: [...files.named],
      /** Keys of files whose content has changed since they were stored. */
      damaged: files.damaged,
    }
  } finally {
    await source.close()
  }
}

async function headerOf(db: QueryExecutorProvider, holdsSecret: boolean): Promise<Header> {
  const { rows } = await sql<{ postgres: number }>`
    SELECT current_setting('server_version_num')::int / 10000 AS postgres`.execute(db)
  return {
    format: holdsSecret ? FORMAT : FORMAT_WITHOUT_SECRET,
    madeAt: new Date().toISOString(),
    postgres: rows[0]?.postgres ?? 0,
    migrations: await migrationsOf(db),
    tables: await tablesOf(db),
    sequences: await sequencesOf(db),
    holdsSecret,
  }
}

async function writeTable(
  writer: BackupWriter,
  { client }: SingleConnection,
  table: TableOf,
): Promise<number> {
  // In text format, which every version of PostgreSQL reads.
  const rows = client.query(copyTo(`COPY ${copied(table)} TO STDOUT`))
  await pipeline(rows, createZstdCompress(), async (pieces: AsyncIterable<Buffer>) => {
    await writer.part({ kind: 'table', name: table.name, encoding: 'zstd' }, pieces)
  })
  return rows.rowCount
}

async function filesNamed(db: QueryExecutorProvider): Promise<Set<string>> {
  const named = new Set<string>()
  for (const table of ['files', 'receipt_photos']) {
    const { rows: found } = await sql<{ exists: boolean }>`
      SELECT to_regclass(${table}) IS NOT NULL AS exists`.execute(db)
    // A database of an earlier version has no such table.
    if (!found[0]?.exists) continue
    const { rows } = await sql<{ key: string }>`
      SELECT DISTINCT storage_key AS key FROM ${sql.id(table)}`.execute(db)
    for (const { key } of rows) named.add(key)
  }
  return named
}

/** Writes all existing files: those in `named`, covers, and any newer files. */
async function writeFiles(
  writer: BackupWriter,
  storage: Storage,
  files: { named: Set<string>; written: number; damaged: string[] },
  progress: Progress,
): Promise<void> {
  const { keys, bytes } = await filesIn(storage)
  const before = writer.size
  for (const key of keys) {
    progress('files', writer.size - before, bytes)
    const pieces = await storage.read(key)
    if (!pieces) continue
    const sha256 = await writer.part({ kind: 'file', name: key, encoding: 'plain' }, pieces)
    if (!isNamedBy(key, sha256)) files.damaged.push(key)
    files.written += 1
    files.named.delete(key)
  }
}

async function filesIn(storage: Storage): Promise<{ keys: string[]; bytes: number }> {
  const keys: string[] = []
  let bytes = 0
  for await (const { key, size } of storage.list()) {
    keys.push(key)
    bytes += size
  }
  return { keys: keys.sort(), bytes }
}

/** Whether content with this hash belongs to the file of this key, which contains the hash. */
function isNamedBy(key: string, sha256: string): boolean {
  return key.slice(3, 3 + 64) === sha256
}
