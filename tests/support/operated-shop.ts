import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dinars } from '../../src/rules/money.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { purchase } from '../../src/server/money/purchase.ts'
import { runOffice } from '../../src/server/office/run.ts'
import { copyCluster } from './database.ts'
import { openDatabaseOf } from './embedded-database.ts'
import { factories } from './factories.ts'
import { outbox } from './mail.ts'
import { withoutMailNote } from './operator.ts'
import { cleanEnvironment, spawnShop } from './shop-process.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The shop of a directory in a process of its own, and its database. */
async function openShop(dataDir: string) {
  const shop = await spawnShop(
    { DATA_DIR: dataDir, DEMO: '0' },
    { command: [process.execPath, 'tests/server/chat/backend-process.ts'] },
  )
  const database = openDatabaseOf(dataDir)
  const made = factories({ database, dataDir, secret: new Uint8Array(32), now: Date.now })
  return { shop, database, made }
}

export type OperatedShop = Awaited<ReturnType<typeof anOperatedShop>>

/** A shop in a process of its own, and its operator's commands; `end` stops and deletes it. */
export async function anOperatedShop() {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-office-'))
  copyCluster(dataDir)
  let running = await openShop(dataDir)
  let isOpen = true

  /** Runs the command as an operator does, in a process of its own. */
  async function spawnOffice(typed: string[], env: Record<string, string> = {}) {
    const child = spawn('npm', ['run', '--silent', 'office', '--', ...typed], {
      cwd: ROOT,
      env: cleanEnvironment({ DATA_DIR: dataDir, ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    await once(child, 'close')
    err = withoutMailNote(err.split('\n')).join('\n')
    return { exit: child.exitCode, out, err, json: () => JSON.parse(out) }
  }

  /** Runs the command within this process, which takes a tenth of the time. */
  async function office(typed: string[], env: Record<string, string> = {}) {
    let out = ''
    let err = ''
    const exit = await runOffice(
      typed,
      { DATA_DIR: dataDir, ...env },
      { out: (line) => (out += `${line}\n`), err: (line) => (err += `${line}\n`) },
    )
    err = withoutMailNote(err.split('\n')).join('\n')
    return { exit, out, err, json: () => JSON.parse(out) }
  }

  /** A customer who has bought documents at these prices in one order. */
  async function aPurchase(...prices: number[]) {
    const { made, database } = running
    const buyer = await made.aCustomer({
      balance: dinars(100),
      firstName: 'Amal',
      lastName: 'Ben Salah',
      email: `buyer${Math.random()}@karras.test`,
      phone: String(20_000_000 + Math.floor(Math.random() * 70_000_000)),
    })
    const documents = []
    for (const price of prices) documents.push(await made.aDocument({ price: dinars(price) }))
    const documentIds = documents.map(({ id }) => id)
    await transaction(database, (tx) => purchase(tx, { buyerId: buyer.id, documentIds }))
    const { id } = await database.kysely
      .selectFrom('orders')
      .select('id')
      .where('buyerId', '=', buyer.id)
      .executeTakeFirstOrThrow()
    return { buyer, documents, orderId: String(id) }
  }

  /** The number of mails sent to this address. */
  async function mailsTo(email: string): Promise<number> {
    const mails = await outbox(dataDir)
    return mails.filter(({ headers }) => headers.includes(`To: ${email}`)).length
  }

  async function open(): Promise<void> {
    running = await openShop(dataDir)
    isOpen = true
  }

  async function close(): Promise<void> {
    await running.database.close()
    await running.shop.stop()
    isOpen = false
  }

  return {
    dataDir,
    get database() {
      return running.database
    },
    get made() {
      return running.made
    },
    /** The output of the running process. */
    output: () => running.shop.output(),
    spawnOffice,
    office,
    aPurchase,
    mailsTo,
    open,
    close,
    async end() {
      if (isOpen) await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
