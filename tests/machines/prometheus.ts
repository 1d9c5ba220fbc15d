/**
 * Tries docs/several-machines/prometheus.yml and alerts.yml with Debian's Prometheus: their form, the
 * alerts on made-up figures (alerts.test.yml), and a shop that is scraped. Run it by
 * `node tests/machines/prometheus.ts`, as root on Debian where the package is missing.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'yaml'
import { spawnShop } from '../support/shop-process.ts'

const EXAMPLES = 'docs/several-machines'
const TOKEN = 'the-token-of-this-test'
const PATIENCE_MS = 60_000

/** Throws where the files do not do what docs/operating.md says; prints what it has tried. */
export async function tryPrometheus(): Promise<void> {
  if (!existsSync('/usr/bin/promtool')) install()
  const home = await mkdtemp(join(tmpdir(), 'karras-prometheus-'))
  try {
    await cp(EXAMPLES, home, { recursive: true })
    await writeFile(join(home, 'metrics-token'), TOKEN, { mode: 0o600 })
    promtool('check', 'config', join(home, 'prometheus.yml'))
    promtool('check', 'rules', join(home, 'alerts.yml'))
    promtool('test', 'rules', 'tests/machines/alerts.test.yml')
    await scrape(home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function promtool(...args: string[]): void {
  execFileSync('promtool', args, { stdio: 'inherit' })
}

/** Debian's package starts a server of its own where there is systemd; it harms nothing here. */
function install(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => execFileSync('apt-get', args, { stdio: 'inherit', env })
  apt('update')
  apt('install', '--yes', '--no-install-recommends', 'prometheus')
}

/** Starts a shop and a Prometheus with the example, and waits until it has figures and alerts. */
async function scrape(home: string): Promise<void> {
  const shop = await spawnShop({ DATA_DIR: join(home, 'shop'), METRICS_TOKEN: TOKEN })
  try {
    const file = join(home, 'prometheus.yml')
    const example = await readFile(file, 'utf8')
    const targets = /( +- )10\.0\.0\.21:4321\n(?: +- 10\.[\d.:]+\n)*/
    if (!targets.test(example)) throw new Error('prometheus.yml names no targets')
    const faster = example
      .replace(targets, `$1${new URL(shop.url).host}\n`)
      .replaceAll('interval: 15s', 'interval: 1s')
    await writeFile(file, faster)
    await checkText(`${shop.url}/metrics`)

    const address = `127.0.0.1:${await freePort()}`
    const prometheus = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(home, 'figures')}`,
        `--web.listen-address=${address}`,
        '--log.level=warn',
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
    const ended = once(prometheus, 'exit')
    try {
      const { activeTargets } = await askUntil<Targets>(
        `http://${address}/api/v1/targets`,
        ({ activeTargets }) =>
          activeTargets.length > 0 && activeTargets.every(({ health }) => health === 'up'),
      )
      const { groups } = await askUntil<Rules>(`http://${address}/api/v1/rules`, (answer) =>
        answer.groups.every(({ rules }) => rules.every(({ health }) => health === 'ok')),
      )
      const { result } = await askUntil<Query>(
        `http://${address}/api/v1/query?query=karras_ready`,
        (answer) => answer.result.length > 0,
      )
      const loaded = groups.flatMap(({ rules }) => rules.map(({ name }) => name))
      const file = parse(await readFile(join(EXAMPLES, 'alerts.yml'), 'utf8')) as AlertsFile
      const named = file.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
      if (String(loaded) !== String(named)) throw new Error(`loaded are only ${loaded}`)
      console.log(
        `Scraped ${activeTargets.length} target (up); ${loaded.length} alerts loaded and evaluated;`,
        result.map(({ metric, value }) => `ready for ${metric.for}: ${value[1]}`).join(', '),
      )
    } finally {
      prometheus.kill('SIGTERM')
      await ended
    }
  } finally {
    await shop.stop()
  }
}

type Targets = { activeTargets: { health: string }[] }
type Rules = { groups: { rules: { name: string; health: string }[] }[] }
type Query = { result: { metric: Record<string, string>; value: [number, string] }[] }
type AlertsFile = { groups: { rules: { alert: string }[] }[] }

/** What the shop prints has the form that Prometheus asks for. */
async function checkText(url: string): Promise<void> {
  const text = await (await fetch(url)).text()
  // Gauges of prom-client, with names from before Prometheus asked for others.
  const own = text.replace(/.*karras_nodejs_active_\w+_total.*\n/g, '')
  execFileSync('promtool', ['check', 'metrics'], {
    input: own,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
}

async function askUntil<Answer>(
  url: string,
  isEnough: (answer: Answer) => boolean,
): Promise<Answer> {
  let last: unknown
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await wait(250)) {
    try {
      const { data } = (await (await fetch(url)).json()) as { data: Answer }
      last = data
      if (isEnough(data)) return data
    } catch (error) {
      last = error
    }
  }
  throw new Error(`${url} did not say what was expected: ${JSON.stringify(last)}`)
}

/** Prometheus prints no port that it has chosen itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

if (import.meta.main) await tryPrometheus()
