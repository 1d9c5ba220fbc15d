import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { type Kysely, sql, type Transaction } from 'kysely'
import { openDatabase } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import type { Connection } from '../database/servers.ts'
import { installJobs, type Jobs, openJobs, SCHEMA, type WaitingJob } from '../jobs/jobs.ts'
import type { BackupWriter, ReadPart } from './backup-file.ts'
import { BadBackup } from './backup-file.ts'

// How many mails one statement queues.
const BATCH = 500

/**
 * Writes the mails that are waiting or were given up, since a backup does not contain the queue's
 * tables. Returns their number.
 */
export async function writeMails(writer: BackupWriter, db: Kysely<Schema>): Promise<number> {
  const waiting = (await hasQueue(db)) ? await withJobs(db, (jobs) => jobs.exportWaiting(db)) : []
  const lines = Readable.from(waiting.map((mail) => Buffer.from(`${JSON.stringify(mail)}\n`)))
  await pipeline(lines, createZstdCompress(), async (pieces: AsyncIterable<Buffer>) => {
    await writer.part({ kind: 'mails', name: 'waiting', encoding: 'zstd' }, pieces)
  })
  return waiting.length
}

/** Creates the queue if it does not exist; PostgreSQL does not allow this within a transaction. */
export async function prepareQueue(connection: Connection): Promise<void> {
  const database = openDatabase(connection, { size: 2 })
  try {
    await installJobs(database)
  } finally {
    await database.close()
  }
}

/** Queues the mails of a backup in the transaction; the shop sends them later. */
export async function restoreMails(tx: Transaction<Schema>, part: ReadPart): Promise<void> {
  await withJobs(tx, async (jobs) => {
    const lines = createInterface({
      input: Readable.from(part.pieces).pipe(createZstdDecompress()),
      crlfDelay: Number.POSITIVE_INFINITY,
    })
    const batch: WaitingJob[] = []
    for await (const line of lines) {
      batch.push(readMail(line))
      if (batch.length === BATCH) await jobs.importWaiting(tx, batch.splice(0))
    }
    await jobs.importWaiting(tx, batch)
  })
}

function readMail(line: string): WaitingJob {
  const { queue, data, priority } = JSON.parse(line) as WaitingJob
  if (queue === 'mail' || queue === 'failed_mail') return { queue, data, priority }
  throw new BadBackup(`The backup has mails of a queue "${queue}", which is unknown.`)
}

async function withJobs<Result>(
  kysely: Kysely<Schema>,
  work: (jobs: Jobs) => Promise<Result>,
): Promise<Result> {
  const jobs = await openJobs({ database: { kysely }, report: () => {}, supervise: false })
  try {
    return await work(jobs)
  } finally {
    await jobs.stop()
  }
}

async function hasQueue(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    SELECT to_regclass(${`${SCHEMA}.job`}) IS NOT NULL AS exists`.execute(db)
  return rows[0]?.exists ?? false
}
