/**
 * Attacks a shop of its own on this machine and prints what the other visitors notice of it:
 * `node tests/chaos/attack.ts [seconds] [directory of another checkout]`. Everything stays on
 * loopback, is bounded in number and time, and ends by itself.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawnShop } from '../support/shop-process.ts'
import { ATTACKS } from './attackers.ts'
import { noticed, visit } from './visitors.ts'

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
    // Before each, since this machine may have more to do at one time than at another.
    const quiet = await measured('before it')
    const attack = startAttack(name)
    await attack.begun
    const found = await measured(name)
    rows.push({ ...row(found, quiet), answers: JSON.stringify(await attack.ended) })
    // What it left behind is over before the next one begins.
    await visit(shop.url, { visitors: VISITORS, seconds: 2 })
  }
  console.table(rows)
} finally {
  await shop.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** In a process of the lowest priority: its own work, in truth done elsewhere, must not be measured. */
function startAttack(name: string) {
  const program = join(import.meta.dirname, 'attackers.ts')
  const child = spawn(
    'nice',
    ['-n', '19', process.execPath, program, name, shop.url, `${seconds}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const begun = once(child.stdout, 'data')
  const ended = once(child, 'close').then(() => JSON.parse(output.split('\n')[1] ?? '{}'))
  return { begun, ended }
}

async function measured(name: string) {
  let rss = 0
  const watch = setInterval(async () => {
    rss = Math.max(rss, await memoryOf(shop.process.pid))
  }, 200)
  const found = noticed(await visit(shop.url, { visitors: VISITORS, seconds }))
  clearInterval(watch)
  return { name, rss, ...found }
}

function row(found: Awaited<ReturnType<typeof measured>>, quiet: typeof found) {
  const ratio = (a: number, b: number) => Number((a / b).toFixed(1))
  return {
    attack: found.name,
    'page p95 ms before': quiet.page,
    'page p95 ms': found.page,
    'page ratio': ratio(found.page, quiet.page),
    'longest ms': found.longest,
    'API p95 ms before': quiet.api,
    'API p95 ms': found.api,
    'API ratio': ratio(found.api, quiet.api),
    refused: Object.values(found.refused).reduce((sum, count) => sum + count, 0),
    visits: found.visits,
    'memory MB': found.rss,
    answers: '',
  }
}

/** Resident memory of a process, in megabytes. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
