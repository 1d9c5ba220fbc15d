import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { unreachable } from '../database/migrate.ts'
import { type Connection, camelCase, clientConfig } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'

/** One connection, for Kysely's queries and for COPY, which Kysely cannot express. */
export type SingleConnection = Awaited<ReturnType<typeof connectOnce>>

// Fixed settings, so that both sides of a copy use the same formats.
const SETTINGS = [
  "SET datestyle = 'ISO, YMD'",
  "SET intervalstyle = 'postgres'",
  "SET bytea_output = 'hex'",
  'SET extra_float_digits = 1',
  "SET timezone = 'UTC'",
  "SET client_encoding = 'UTF8'",
  // Loading a large shop takes long.
  'SET statement_timeout = 0',
  'SET idle_in_transaction_session_timeout = 0',
  "SET lock_timeout = '10s'",
].join('; ')

/** Connects; throws a `StartError` if that fails. */
export async function connectOnce(connection: Connection) {
  const client = new pg.Client({ ...clientConfig(connection), connectionTimeoutMillis: 10_000 })
  // If the connection is lost, the query under way reports it.
  client.on('error', () => {})
  await client.connect().catch((error) => {
    throw unreachable(error)
  })
  await client.query(SETTINGS)
  const kysely = new Kysely<Schema>({
    plugins: [camelCase],
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => ({
          query: ((text: string, values: readonly unknown[]) =>
            client.query(text, [...values])) as never,
          release: () => {},
        }),
        end: async () => {},
      },
    }),
  })
  return { client, kysely, close: () => client.end().catch(() => {}) }
}
