import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createZstdDecompress } from 'node:zlib'
import { expect, inject, onTestFinished } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { withBackup } from '../../../src/server/backup/backup-file.ts'
import { startEmbedded } from '../../../src/server/database/embedded.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { type Database, openDatabase } from '../../../src/server/database/pool.ts'
import { copyCluster, runStatement, urlOf } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { factories } from '../../support/factories.ts'
import { runOperator } from '../../support/operator.ts'

/** Runs a command that has to succeed; returns its output. */
export async function officeOutput(typed: string[], env: Record<string, string>): Promise<string> {
  const { exit, out, err } = await runOperator(typed, env)
  if (exit !== 0) throw new Error(`${typed.join(' ')} ended with ${exit}: ${err}${out}`)
  return out
}

/** Expects a command to end with this exit code and this line of an error. */
export async function expectFailure(
  typed: string[],
  env: Record<string, string>,
  expected: [exit: number, line: string],
): Promise<void> {
  const { exit, err } = await runOperator(typed, env)
  expect([exit, err]).toEqual(expected)
}

/**
 * An empty database on the run's server, owned by a role that is no superuser; removed after the
 * test.
 */
export async function anEmptyDatabase(): Promise<string> {
  const { url } = inject('databaseServer')
  const name = `karras_restore_${randomBytes(6).toString('hex')}`
  await runStatement(url, `CREATE ROLE ${name}`)
  await runStatement(
    url,
    `CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C.UTF-8'`,
  )
  onTestFinished(async () => {
    await runStatement(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await runStatement(url, `DROP ROLE ${name}`)
  })
  const address = new URL(urlOf(url, name))
  address.searchParams.set('options', `-c role=${name}`)
  return address.href
}

/** Works in the embedded shop of a directory while no other process has it open. */
export async function withShop<Result>(
  dataDir: string,
  work: (shop: ReturnType<typeof factories> & { database: Database }) => Promise<Result>,
): Promise<Result> {
  copyCluster(dataDir)
  const server = await startEmbedded({ dataDir })
  try {
    await migrate(server.connection)
    const database = openDatabase(server.connection)
    try {
      const made = factories({ database, dataDir, secret: new Uint8Array(32), now: Date.now })
      return await work({ ...made, database })
    } finally {
      await database.close()
    }
  } finally {
    await server.stop()
  }
}

/** A backup of a small shop, in the directory of that shop. */
export async function aBackup(): Promise<{ dataDir: string; file: string }> {
  const dataDir = temporaryDirectory()
  await withShop(dataDir, async (shop) => {
    await shop.aCustomer({ email: 'kept@karras.test', balance: dinars(20) })
    for (let at = 0; at < 5; at += 1) {
      await shop.aDocument({ file: new TextEncoder().encode(`%PDF-1.4\n${'x'.repeat(at * 999)}`) })
    }
  })
  const file = join(dataDir, 'shop.karras')
  await officeOutput(['backup', file], { DATA_DIR: dataDir })
  return { dataDir, file }
}

/**
 * The checksum of every table's rows and every file of a backup, by name: equal shops have equal
 * ones. A restored shop differs in what it knows about its backups.
 */
export async function checksumsOf(path: string): Promise<Record<string, string>> {
  return await withBackup(path, async (_header, parts) => {
    const sums: Record<string, string> = {}
    for await (const { kind, name, encoding, pieces } of parts) {
      const sum = createHash('sha256')
      // The same rows are not always compressed into the same bytes.
      const content =
        encoding === 'zstd' ? Readable.from(pieces).pipe(createZstdDecompress()) : pieces
      // Mails queued at the same moment have no defined order.
      if (kind === 'mails') sum.update((await text(content)).split('\n').sort().join('\n'))
      else for await (const piece of content) sum.update(piece)
      if (name !== 'upkeep') sums[`${kind} ${name}`] = sum.digest('hex')
    }
    return sums
  })
}

/** The key that the shop in a directory signs with. */
export function secretOf(dataDir: string): Uint8Array {
  return Buffer.from(readFileSync(join(dataDir, 'secret'), 'utf8').trim(), 'hex')
}
