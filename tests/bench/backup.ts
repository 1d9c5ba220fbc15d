/**
 * Measures the duration and peak memory of backup, its check and restore, for a shop with so many
 * documents, each with a file of so many kilobytes: `node tests/bench/backup.ts [documents] [kilobytes]`.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dinars } from '../../src/rules/money.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { purchase } from '../../src/server/money/purchase.ts'
import { factories } from '../support/factories.ts'

const [documents = 1000, kilobytes = 100] = process.argv.slice(2).map(Number)
const ROOT = join(import.meta.dirname, '../..')
const home = mkdtempSync(join(tmpdir(), 'karras-bench-'))
const [shop, restored, file] = ['shop', 'restored', 'shop.karras'].map((name) => join(home, name))

try {
  await fill(`${shop}`)
  console.log(`${documents} documents of ${kilobytes} kB, each bought once`)
  await measure('backup', ['backup', `${file}`], `${shop}`)
  console.log(`  the file: ${(statSync(`${file}`).size / 1e6).toFixed(0)} MB`)
  await measure('backup check', ['backup', 'check', `${file}`], `${shop}`)
  await measure('restore', ['restore', `${file}`], `${restored}`)
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function fill(dataDir: string): Promise<void> {
  const server = await startEmbedded({ dataDir, settings: { synchronous_commit: 'off' } })
  await migrate(server.connection)
  const database = openDatabase(server.connection)
  const made = factories({ database, dataDir, secret: new Uint8Array(32), now: Date.now })
  const buyer = await made.aCustomer({ balance: dinars(documents) })
  const teacherId = (await made.aTeacher()).id
  for (let at = 0; at < documents; at += 1) {
    const { id } = await made.aDocument({
      teacherId,
      price: dinars(1),
      file: randomBytes(kilobytes * 1000),
    })
    await transaction(database, (tx) => purchase(tx, { buyerId: buyer.id, documentIds: [id] }))
  }
  await database.close()
  await server.stop()
}

async function measure(what: string, command: string[], dataDir: string): Promise<void> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['src/server/office/main.ts', ...command], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peak = 0
  const sampling = setInterval(() => {
    try {
      const [, kB = 0] =
        /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      peak = Number(kB) || peak
    } catch {} // The command has exited.
  }, 20)
  const [code] = await once(child, 'exit')
  clearInterval(sampling)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(
    `  ${what}: ${seconds} s, at most ${(peak / 1000).toFixed(0)} MB of memory (exit ${code})`,
  )
}
