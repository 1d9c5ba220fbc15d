import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '../../src/rules/durations.ts'
import { readConfig } from '../../src/server/config/config.ts'
import type { Database } from '../../src/server/database/pool.ts'
import type { Deps } from '../../src/server/deps.ts'
import { COLUMN_NAMES, type Column } from '../../src/server/documents/import/columns.ts'
import { csvOf } from '../../src/server/documents/import/export.ts'
import { IMPORTING } from '../../src/server/documents/import/write-list.ts'
import { openStorage, type Storage } from '../../src/server/files/files.ts'
import { expireImports } from '../../src/server/imports/imports.ts'
import { cleanUpFiles } from '../../src/server/uploads/uploads.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { aPdf } from '../support/pdf.ts'
import { cleanEnvironment } from '../support/shop-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The result of imports that were killed, then run twice to the end. */
interface ImportRound {
  /** The number of the list's documents after each killed import. */
  readonly afterKills: readonly number[]
  /** The counts of the first completed import, and of the same one repeated. */
  readonly imported: { created: number; changed: number; unchanged: number }
  readonly again: { created: number; changed: number; unchanged: number }
  /** Files that no document references after the clean-up. */
  readonly orphans: readonly string[]
  /** Documents whose file is missing. */
  readonly without: readonly number[]
  /** Uploaded ZIPs left by the clean-up. */
  readonly zips: readonly string[]
}

/**
 * The files of a list of `count` documents by name, each document with its own PDF; `own` makes it
 * a teacher's list, without the teachers' column.
 */
export function listFiles(count: number, { own = false } = {}): Map<string, Uint8Array | string> {
  const files = new Map<string, Uint8Array | string>()
  const rows = Array.from({ length: count }, (_, at) => ({
    ...Object.fromEntries(COLUMN_NAMES.map((name) => [name, ''])),
    reference: `KILL-${at}`,
    title: `وثيقة عدد ${at}`,
    price: String(1 + (at % 40)),
    subject: 'mathematics',
    class: 'primary-6',
    category: 'exercises',
    ...(!own && {
      teacher_email: `teacher${at % 5}@import.example`,
      teacher_first_name: 'سلمى',
      teacher_last_name: `بن عمر ${at % 5}`,
    }),
    file: `files/${at}.pdf`,
  })) as Record<Column, string>[]
  for (const [at] of rows.entries()) {
    files.set(`files/${at}.pdf`, aPdf(`${own ? 'Own' : 'Import'} ${at}`, 1 + (at % 4)))
  }
  return files.set('catalogue.csv', csvOf(rows))
}

/** Writes the files of such a list into a folder. */
export async function writeImport(folder: string, count: number): Promise<void> {
  await mkdir(path.join(folder, 'files'), { recursive: true })
  for (const [name, content] of listFiles(count)) await writeFile(path.join(folder, name), content)
}

/**
 * Imports a folder into the shop that runs on `dataDir` and kills the import (`kill -9`) while it
 * checks, stores and writes; then imports twice to the end, and cleans up as if days had passed.
 */
export async function killImports(dataDir: string, folder: string): Promise<ImportRound> {
  const database = openDatabaseOf(dataDir)
  const storage = await openStorage(readConfig({ DATA_DIR: dataDir }))
  const countStored = async () => {
    let count = 0
    for await (const _ of storage.list()) count += 1
    return count
  }
  try {
    const storedBefore = await countStored()
    const connections = await countOf(database, sql`SELECT count(*) FROM pg_stat_activity`)
    // It has connected; it has stored a file; it holds the lock under which it writes.
    const moments: readonly (() => Promise<boolean>)[] = [
      async () =>
        (await countOf(database, sql`SELECT count(*) FROM pg_stat_activity`)) > connections,
      async () => (await countStored()) > storedBefore,
      async () =>
        (await countOf(
          database,
          sql`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${IMPORTING}`,
        )) > 0,
    ]
    const afterKills: number[] = []
    for (const hasCome of moments) {
      const child = spawnImport(dataDir, folder)
      const ended = once(child, 'close')
      while (child.exitCode === null && !(await hasCome())) await wait(2)
      child.kill('SIGKILL')
      await ended
      afterKills.push(await countListed(database))
    }
    const imported = await importWhole(dataDir, folder)
    const again = await importWhole(dataDir, folder)
    return { afterKills, imported, again, ...(await cleanUpLater(dataDir, database, storage)) }
  } finally {
    await database.close()
    storage.close()
  }
}

async function countOf(database: Database, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await (query as RawBuilder<{ count: string }>).execute(database.kysely)
  return Number(rows[0]?.count)
}

function spawnImport(dataDir: string, folder: string) {
  return spawn(process.execPath, ['src/server/office/main.ts', 'import', folder, '--json'], {
    cwd: ROOT,
    env: cleanEnvironment({ DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function importWhole(dataDir: string, folder: string): Promise<ImportRound['imported']> {
  const child = spawnImport(dataDir, folder)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the import ended with ${code}:\n${output}`)
  return JSON.parse(output)
}

async function countListed({ kysely }: Database): Promise<number> {
  const { count } = await kysely
    .selectFrom('documents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('reference', 'like', 'KILL-%')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Cleans up as if two days had passed; returns leftover and missing files. */
export async function cleanUpLater(
  dataDir: string,
  database: Database,
  storage: Storage,
): Promise<Pick<ImportRound, 'orphans' | 'without' | 'zips'>> {
  const later = Date.now() + 2 * DAY_MS
  const deps = { database, files: storage, config: { dataDir }, now: () => later }
  await expireImports(deps as unknown as Deps)
  await cleanUpFiles(deps as unknown as Deps)
  const rows = await database.kysely
    .selectFrom('documents as d')
    .innerJoin('files as f', 'f.id', 'd.fileId')
    .select(['d.id', 'f.storageKey'])
    .execute()
  const used = new Set(rows.map(({ storageKey }) => storageKey))
  const orphans: string[] = []
  const stored = new Set<string>()
  for await (const { key } of storage.list()) {
    stored.add(key)
    if (key.endsWith('.pdf') && !used.has(key)) orphans.push(key)
  }
  return {
    orphans,
    without: rows.filter((row) => !stored.has(row.storageKey)).map(({ id }) => id),
    zips: [...stored].filter((key) => key.endsWith('.zip')),
  }
}
