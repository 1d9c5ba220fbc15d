/**
 * Starts a shop, attacks it and prints how long other visitors wait meanwhile:
 * `node tests/chaos/attack.ts [seconds] [directory of another checkout]`. Attacks stay on loopback and are
 * bounded in number and time.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawnShop } from '../support/shop-process.ts'
import { ATTACKS, startAttack } from './attackers.ts'
import { summarise, visit } from './visitors.ts'

const seconds = Number(process.argv[2] ?? 10)
const root = resolve(process.argv[3] ?? '.')
const VISITORS = 8

const dataDir = await mkdtemp(join(tmpdir(), 'karras-attack-'))
const shop = await spawnShop({ DATA_DIR: dataDir, DEMO: '1', CHAT_MAIL: '0' }, { root })
try {
  await shop.says(/^Rendered \d+ pages/m)
  await visit(shop.url, { visitors: VISITORS, seconds: 3 })
  const rows = []
  for (const name of Object.keys(ATTACKS)) {
    // Measured before each attack, since the load of the machine varies.
    const quiet = await measureVisitors()
    const attack = startAttack(name, shop.url, seconds)
    await attack.firstOutput
    const attacked = await measureVisitors()
    const answers = JSON.stringify(await attack.ended)
    rows.push({ attack: name, ...comparison(attacked, quiet), answers })
    // Lets the shop recover before the next attack.
    await visit(shop.url, { visitors: VISITORS, seconds: 2 })
  }
  console.table(rows)
} finally {
  await shop.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** How long visitors wait, and the most megabytes of memory that the shop holds meanwhile. */
async function measureVisitors() {
  let peak = 0
  const sampling = setInterval(async () => {
    peak = Math.max(peak, await memoryOf(shop.process.pid))
  }, 200)
  const waits = summarise(await visit(shop.url, { visitors: VISITORS, seconds }))
  clearInterval(sampling)
  return { peak, ...waits }
}

function comparison(attacked: Awaited<ReturnType<typeof measureVisitors>>, quiet: typeof attacked) {
  const ratio = (a: number, b: number) => Number((a / b).toFixed(1))
  return {
    'page p95 ms before': quiet.page,
    'page p95 ms': attacked.page,
    'page ratio': ratio(attacked.page, quiet.page),
    'longest ms': attacked.longest,
    'API p95 ms before': quiet.api,
    'API p95 ms': attacked.api,
    'API ratio': ratio(attacked.api, quiet.api),
    refused: Object.values(attacked.refused).reduce((sum, count) => sum + count, 0),
    visits: attacked.visits,
    'memory MB': attacked.peak,
  }
}

/** Resident memory of a process, in megabytes. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
