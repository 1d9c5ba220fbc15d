import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '../../src/rules/durations.ts'
import { readConfig } from '../../src/server/config.ts'
import { findSocketDirectory } from '../../src/server/database/data-directory.ts'
import { type Database, openDatabase } from '../../src/server/database/pool.ts'
import { serverUserFor } from '../../src/server/database/server-user.ts'
import type { Deps } from '../../src/server/deps.ts'
import { COLUMN_NAMES, type Column } from '../../src/server/documents/import/columns.ts'
import { csvOf } from '../../src/server/documents/import/export.ts'
import { IMPORTING } from '../../src/server/documents/import/write-list.ts'
import { openStorage, type Storage } from '../../src/server/files/files.ts'
import { expireImports } from '../../src/server/imports/imports.ts'
import { cleanUpFiles } from '../../src/server/uploads/uploads.ts'
import { aPdf } from '../support/pdf.ts'
import { cleanEnvironment } from '../support/shop-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** What a round of killed imports left, before and after the one that was let finish. */
export interface ImportRound {
  /** Documents of the list after each import that was killed: none, or all of them. */
  readonly afterKills: readonly number[]
  readonly imported: { created: number; changed: number; unchanged: number }
  readonly again: { created: number; changed: number; unchanged: number }
  /** Files that no document refers to, a day later, after the clean-up. */
  readonly orphans: readonly string[]
  /** Documents whose file is not there. */
  readonly without: readonly number[]
  /** Uploaded ZIPs that are still there. */
  readonly zips: readonly string[]
}

/** The files of a list of `count` documents, each with a PDF of its own, by name; `own`: a teacher's. */
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

/** Writes a folder with such a list. */
export async function writeImport(folder: string, count: number): Promise<void> {
  await mkdir(path.join(folder, 'files'), { recursive: true })
  for (const [name, content] of listFiles(count)) await writeFile(path.join(folder, name), content)
}

/**
 * Imports a folder into the shop that runs on `dataDir`, killed (`kill -9`) while it checks, while it
 * stores and while it writes; then lets it finish, twice, and cleans up as a day later.
 */
export async function killImports(dataDir: string, folder: string): Promise<ImportRound> {
  const database = openIts(dataDir)
  const storage = await openStorage(readConfig({ DATA_DIR: dataDir }))
  const stored = async () => {
    let count = 0
    for await (const _ of storage.list()) count += 1
    return count
  }
  try {
    const before = await stored()
    const connected = await countOf(database, sql`SELECT count(*) FROM pg_stat_activity`)
    const moments: readonly (() => Promise<boolean>)[] = [
      async () => (await countOf(database, sql`SELECT count(*) FROM pg_stat_activity`)) > connected,
      async () => (await stored()) > before,
      async () =>
        (await countOf(
          database,
          sql`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${IMPORTING}`,
        )) > 0,
    ]
    const afterKills: number[] = []
    for (const isTime of moments) {
      const child = spawnImport(dataDir, folder)
      const ended = once(child, 'close')
      while (child.exitCode === null && !(await isTime())) await wait(2)
      child.kill('SIGKILL')
      await ended
      afterKills.push(await countListed(database))
    }
    const imported = await finished(dataDir, folder)
    const again = await finished(dataDir, folder)
    return { afterKills, imported, again, ...(await cleanedUp(dataDir, database, storage)) }
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

async function finished(dataDir: string, folder: string): Promise<ImportRound['imported']> {
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

/** What is left over, and what is missing, after a clean-up two days later. */
export async function cleanedUp(
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
  const there = new Set<string>()
  for await (const { key } of storage.list()) {
    there.add(key)
    if (key.endsWith('.pdf') && !used.has(key)) orphans.push(key)
  }
  return {
    orphans,
    without: rows.filter((row) => !there.has(row.storageKey)).map(({ id }) => id),
    zips: [...there].filter((key) => key.endsWith('.zip')),
  }
}

/** The database of the shop that runs on this directory. */
export function openIts(dataDir: string): Database {
  const host = findSocketDirectory(dataDir, serverUserFor(path.join(dataDir, 'postgres'), dataDir))
  if (!host) throw new Error('the shop has no socket')
  return openDatabase({ host, user: 'postgres', database: 'postgres' })
}
