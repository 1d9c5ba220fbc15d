import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Config } from '../config/config.ts'
import { SUPERUSER } from './cluster.ts'
import { findSocketDirectory } from './data-directory.ts'
import { startEmbedded } from './embedded.ts'
import { DirectoryTaken } from './ownership.ts'
import { openDatabase } from './pool.ts'
import { serverUserFor } from './server-user.ts'
import type { Connection } from './servers.ts'
import { StartError } from './start-error.ts'

const PATIENCE = 10 * SECOND_MS

/** The `DATA_DIR` of an existing shop; throws for a mistyped one instead of creating it. */
export function existing({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl === null && !existsSync(join(dataDir, 'postgres'))) {
    throw new StartError(
      `DATA_DIR: there is no shop in ${dataDir}; give the directory that the shop uses, or its DATABASE_URL.`,
    )
  }
  return dataDir
}

/** A connection to the shop's database, and `stop` if this command started it. */
export async function reach({
  databaseUrl,
  dataDir,
}: Config): Promise<{ connection: Connection; stop?: () => Promise<void> }> {
  if (databaseUrl !== null) return { connection: databaseUrl }
  for (const since = performance.now(); ; await wait(50)) {
    try {
      const embedded = await startEmbedded({ dataDir })
      return { connection: embedded.connection, stop: () => embedded.stop() }
    } catch (error) {
      if (!(error instanceof DirectoryTaken)) throw error
      const host = findSocketDirectory(dataDir, serverUserFor(join(dataDir, 'postgres'), dataDir))
      const connection = host && { host, user: SUPERUSER, database: 'postgres' }
      if (connection && (await answers(connection))) return { connection }
      // The shop is just starting or stopping.
      if (performance.now() - since > PATIENCE) {
        throw new StartError(
          `The shop in ${dataDir} is running, but its database cannot be reached; run this as the user that the shop runs as.`,
        )
      }
    }
  }
}

async function answers(connection: Connection): Promise<boolean> {
  const probe = openDatabase(connection, { size: 1 })
  try {
    await sql`SELECT 1`.execute(probe.kysely)
    return true
  } catch {
    return false
  } finally {
    await probe.close()
  }
}

/**
 * Waits until no other command uses the database server that this one started, so that none loses
 * its connection.
 */
export async function untilAlone(connection: Connection): Promise<void> {
  const { kysely, close } = openDatabase(connection, { size: 1 })
  for (const since = performance.now(); performance.now() - since < PATIENCE; await wait(50)) {
    const { rows } = await sql<{ isAlone: boolean }>`
      SELECT count(*) = 1 AS "isAlone" FROM pg_stat_activity
      WHERE backend_type = 'client backend'`.execute(kysely)
    if (rows[0]?.isAlone) break
  }
  await close()
}
