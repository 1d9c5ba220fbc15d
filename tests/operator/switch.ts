/**
 * Measures what visitors notice of an update: `node tests/operator/switch.ts [--rounds 5]
 * [--documents 3000]`, as root on Linux with nginx. It switches a shop from this version to one with
 * another build and one more migration, behind nginx as docs/operating.md sets it up, while a
 * visitor asks for a page every 50 ms and customers buy. With `DATABASE_URL` (an empty database, as
 * `node tests/support/postgres15.ts -- node tests/operator/switch.ts` gives it) the new process
 * starts beside the old one.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { dinars } from '../../src/rules/money.ts'
import { openBackend } from '../../src/server/backend.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { freePort } from '../../src/server/http/listen.ts'
import { adjustWallet } from '../../src/server/money/money.ts'
import { makeCatalogue } from '../bench/make-catalogue.ts'
import { markSamplesDrawn, ROOT } from '../bench/support/shops.ts'
import { readBooks } from '../machines/books.ts'
import { runStatement, urlOf } from '../support/database.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { factories } from '../support/factories.ts'
import { COPIED, makeNewerTree } from '../support/newer-tree.ts'
import { median } from '../support/quantiles.ts'
import { cleanEnvironment, type ShopProcess, spawnShop } from '../support/shop-process.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    documents: { type: 'string', default: '3000' },
  },
})
/** Between two requests of the visitor, in milliseconds. */
const EVERY_MS = 50
/** How long they go on before and after the switch. */
const QUIET_MS = 3000
const BUYERS = 4
const BALANCE = dinars(100_000)
const PAGE = '/fr/shop'
const { DATABASE_URL } = process.env
const run = promisify(execFile)

// On a disk, as a shop is, not in memory.
const home = mkdtempSync('/var/tmp/karras-switch-')
/** The two versions, each with an installation of its own, as in docs/operating.md. */
const current = join(home, 'karras')
const next = join(home, 'karras-next')
const filled = join(home, 'filled')
const [first = 0, second = 0, outside = 0] = await Promise.all(
  [1, 2, 3].map(() => freePort('127.0.0.1')),
)
const ADDRESS = `http://127.0.0.1:${outside}`
const SETTINGS = {
  JWT_SECRET: randomBytes(32).toString('hex'),
  SITE_URL: ADDRESS,
  DEMO: '0',
  CHAT_MAIL: '0',
}

interface Buyer {
  readonly id: number
  readonly token: string
}

const buyers: Buyer[] = []
const goods: number[] = []
const gaps: number[] = []
try {
  console.log(`Making ${values.documents} documents …`)
  await install()
  await fill()
  for (let round = 1; round <= Number(values.rounds); round++) gaps.push(await measure(round))
} finally {
  rmSync(home, { recursive: true, force: true })
}
console.log(`Without service: ${gaps.map(shown).join(', ')}; median ${shown(median(gaps))}.`)

function shown(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** The settings of a shop on a directory, and on its database. */
function settingsOf(dataDir: string, name: string) {
  const settings: Record<string, string> = { ...SETTINGS, DATA_DIR: dataDir }
  if (DATABASE_URL) {
    settings.DATABASE_URL = urlOf(DATABASE_URL, name)
    settings.FILES_URL = join(filled, 'files')
  }
  return settings
}

async function fill(): Promise<void> {
  mkdirSync(filled)
  if (DATABASE_URL) {
    await runStatement(DATABASE_URL, `CREATE DATABASE filled TEMPLATE template0 ENCODING 'UTF8'`)
  }
  const config = readConfig({ ...settingsOf(filled, 'filled'), PORT: '0' })
  const { deps, close } = await openBackend(config, () => {})
  try {
    await makeCatalogue(deps.database.kysely, filled, { count: Number(values.documents) })
    await markSamplesDrawn(deps.database.kysely)
    const made = factories({ ...deps, dataDir: filled })
    for (let n = 0; n < BUYERS; n++) {
      const { id, token } = await made.aCustomer()
      await transaction(deps.database, (tx) =>
        adjustWallet(tx, { userId: id, amount: BALANCE, note: 'switch' }),
      )
      buyers.push({ id, token })
    }
    const priced = await deps.database.kysely
      .selectFrom('documents')
      .select('id')
      .where('price', '>', dinars(1))
      .execute()
    goods.push(...priced.map(({ id }) => id))
  } finally {
    await close()
  }
  const shop = await spawnShop({ ...settingsOf(filled, 'filled'), PORT: '0' })
  await shop.says(/^Rendered \d+ pages/m)
  await shop.stop()
}

/** One switch on a copy of the filled shop; returns the milliseconds without service. */
async function measure(round: number): Promise<number> {
  const dataDir = join(home, `round-${round}`)
  execFileSync('cp', ['-a', filled, dataDir])
  const name = `round_${round}`
  if (DATABASE_URL) await runStatement(DATABASE_URL, `CREATE DATABASE ${name} TEMPLATE filled`)
  const env = settingsOf(dataDir, name)
  const started = (port: number, root: string, more = {}) =>
    spawnShop({ ...env, PORT: String(port), ...more }, { root })
  // Hard links: each round has installations that were never started.
  execFileSync('cp', ['-al', join(home, 'older'), current])
  execFileSync('cp', ['-al', join(home, 'newer'), next])

  const old = await started(first, current)
  const proxy = await startProxy()
  const visitor = visit()
  const customers = buy()
  let running: ShopProcess = old
  try {
    await wait(QUIET_MS)
    const usual = visitor.longest()
    const triedAt = performance.now()
    const tried = await run(process.execPath, ['src/server/command-line/main.ts', 'try-update'], {
      cwd: next,
      env: cleanEnvironment(env),
    })
    console.log(`${tried.stdout.trim()} (${shown(performance.now() - triedAt)})`)
    const during = visitor.longest()
    const switchedAt = performance.now()
    const since = () => shown(performance.now() - switchedAt)
    const steps: string[] = []
    if (DATABASE_URL) {
      const ownDir = join(home, `round-${round}-next`)
      running = await started(second, next, { DATA_DIR: ownDir })
      steps.push(`the new process ready after ${since()}`)
      await old.stop()
      steps.push(`the old one gone after ${since()}`)
    } else {
      await old.stop()
      steps.push(`stopped after ${since()}`)
      renameSync(current, join(home, 'karras-before'))
      renameSync(next, current)
      running = await started(first, current)
      steps.push(`open after ${since()}`)
    }
    await wait(QUIET_MS)
    const gap = visitor.longest()
    const others = await visitor.stop()
    const acknowledged = await customers.stop()
    const books = await booksOf(env, acknowledged)
    console.log(
      `Round ${round} at a load of ${loadavg()[0]?.toFixed(1)}: ${steps.join(', ')}; ` +
        `${shown(gap)} without a page (${others}; ${shown(usual)} at the most before, ` +
        `${shown(during)} while it was tried); ${acknowledged.size} purchases, ` +
        `${books.lost.length} lost, ${books.doubled.length} doubled` +
        `${books.isSound ? '' : ', THE LEDGER IS WRONG'}.`,
    )
    return gap
  } finally {
    proxy.kill('SIGQUIT')
    await once(proxy, 'exit')
    await running.stop()
    for (const name of ['karras', 'karras-next', 'karras-before', `round-${round}`]) {
      rmSync(join(home, name), { recursive: true, force: true })
    }
  }
}

/** Both versions, built, each with its own `node_modules` and nothing that was compiled before. */
async function install(): Promise<void> {
  const [older, newer] = [join(home, 'older'), join(home, 'newer')]
  mkdirSync(older)
  for (const name of [...COPIED, 'dist']) {
    execFileSync('cp', ['-a', join(ROOT, name), join(older, name)])
  }
  await makeNewerTree(newer)
  rmSync(join(newer, 'node_modules'))
  copyFileSync(join(older, 'dist/away.html'), join(newer, 'dist/away.html'))
  copyFileSync(join(older, 'dist/away.json'), join(newer, 'dist/away.json'))
  for (const root of [older, newer]) {
    execFileSync('cp', ['-al', join(ROOT, 'node_modules'), join(root, 'node_modules')])
    rmSync(join(root, 'node_modules/.cache'), { recursive: true, force: true })
  }
}

async function booksOf(env: Record<string, string>, purchases: Set<string>) {
  const database = env.DATABASE_URL
    ? openDatabase(env.DATABASE_URL)
    : openDatabaseOf(env.DATA_DIR ?? '')
  try {
    return await readBooks(database, {
      acknowledged: { purchases, topUps: new Set(), messages: new Set() },
      buyers: new Map(buyers.map(({ id }) => [id, { balance: BALANCE }])),
    } as never)
  } finally {
    await database.close()
  }
}

/** nginx with the configuration of docs/operating.md, without its certificate. */
async function startProxy() {
  const operating = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
  const [example = '', beside = ''] = [...operating.matchAll(/```nginx\n([\s\S]*?)```/g)].map(
    ([, text = '']) => text,
  )
  const upstream = /upstream karras \{[\s\S]*?\n\}\n/
  const site = (DATABASE_URL ? example.replace(upstream, beside) : example)
    .replace(/server \{\s*listen 80;[\s\S]*?\n\}\n/, '')
    .replace(/listen 443[^;]*;/, `listen 127.0.0.1:${outside};`)
    .replace(/^\s*ssl_\w+ .*$/gm, '')
    .replaceAll('/opt/karras', current)
    .replaceAll(':4321', `:${first}`)
    .replaceAll(':4322', `:${second}`)
  const file = join(home, 'nginx.conf')
  writeFileSync(
    file,
    `user root;\ndaemon off;\npid ${home}/nginx.pid;\nerror_log ${home}/nginx.log;\nevents {}\n` +
      `http {\naccess_log off;\n${site}\n}\n`,
  )
  const nginx = spawn('nginx', ['-c', file, '-p', home], { stdio: 'inherit' })
  for (;;) {
    if (nginx.exitCode !== null) throw new Error('nginx did not start')
    if ((await askShop('GET', PAGE, {})).status === 200) return nginx
    await wait(100)
  }
}

/** A visitor who asks for a page every 50 ms until stopped. */
function visit() {
  const agent = new Agent({ keepAlive: true })
  const others = new Map<number, number>()
  let lastGoodAt = performance.now()
  let gap = 0
  const asked: Promise<void>[] = []
  const timer = setInterval(() => {
    asked.push(
      askShop('GET', PAGE, { agent }).then(({ status }) => {
        if (status !== 200) others.set(status, (others.get(status) ?? 0) + 1)
        else {
          gap = Math.max(gap, performance.now() - lastGoodAt)
          lastGoodAt = performance.now()
        }
      }),
    )
  }, EVERY_MS)
  return {
    /** The longest time without a page since it was last asked for. */
    longest() {
      const longest = gap
      gap = 0
      return longest
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(asked)
      agent.destroy()
      const counted = [...others].map(([status, times]) => `${times} × ${status || 'no answer'}`)
      return counted.join(', ') || 'each answered with 200'
    },
  }
}

/** Customers who buy one document after another, as their browsers do: again with the same key. */
function buy() {
  let isOver = false
  const acknowledged = new Set<string>()
  const buying = buyers.map(async ({ id, token }, place) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let at = 0; !isOver; at++) {
      const documentId = goods[(at * BUYERS + place) % goods.length] ?? 0
      const key = randomUUID()
      for (;;) {
        const { status } = await askShop('POST', '/api/wallet/pay', {
          agent,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({ userId: id, documentIds: [documentId] }),
        })
        if (status === 200) {
          acknowledged.add(`${id} ${documentId}`)
          break
        }
        if (status !== 0 && status < 500) throw new Error(`a purchase was answered with ${status}`)
        await wait(200)
      }
      await wait(50)
    }
    agent.destroy()
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(buying)
      return acknowledged
    },
  }
}

interface Asked {
  agent?: Agent
  headers?: Record<string, string>
  body?: string
}

/** Status 0 stands for no answer. */
function askShop(method: string, path: string, { agent, headers = {}, body }: Asked) {
  return new Promise<{ status: number }>((resolve) => {
    const sent = request(ADDRESS + path, { method, headers, ...(agent && { agent }) }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0 }))
      answer.on('error', () => resolve({ status: 0 }))
    })
    sent.on('error', () => resolve({ status: 0 }))
    sent.end(body)
  })
}
