/**
 * A process that owns a data directory, for tests that kill it. Prints JSON lines on its standard
 * output: `{refused}`, or `{connection, pid}` and then, with `--write`, `{row}` for every row whose
 * commit was acknowledged. SIGTERM stops it gracefully.
 */
import { startEmbedded } from '../../../src/server/database/embedded.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'

const [dataDir = '', mode] = process.argv.slice(2)
const print = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)

try {
  const server = await startEmbedded({ dataDir })
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
  print({ connection: server.connection, pid: server.pid })
  // Waits to be killed; a timer keeps it alive.
  setInterval(() => {}, 60_000)
  if (mode === '--write') await writeRow(server.connection)
} catch (error) {
  print({ refused: error instanceof Error ? error.message : String(error) })
  process.exit(1)
}

async function writeRow(connection: Parameters<typeof openDatabase>[0]): Promise<void> {
  const { pool } = openDatabase(connection)
  await pool.query('CREATE TABLE IF NOT EXISTS rows (id integer PRIMARY KEY)')
  const { rows } = await pool.query('SELECT coalesce(max(id), 0) AS last FROM rows')
  for (let row = rows[0].last + 1; ; row += 1) {
    await pool.query('INSERT INTO rows VALUES ($1)', [row])
    print({ row })
  }
}
