import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { openDatabase, type PoolOptions } from '../../../src/server/database/pool.ts'
import type { FreshDatabase } from '../../support/database.ts'

export function open(fresh: FreshDatabase, options: PoolOptions = {}) {
  const database = openDatabase(fresh.url, options)
  onTestFinished(() => database.close())
  return database
}

export const pidOf = async (database: ReturnType<typeof open>) =>
  (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(database.kysely)).rows[0]?.pid
