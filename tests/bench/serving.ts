import { execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../src/server/http/listen.ts'
import { median, percentile } from '../support/quantiles.ts'
import { spawnShop } from '../support/shop-process.ts'
import { answersOf, type BareAnswer, bareFastify, bareNode } from './support/bare.ts'
import type { Bench, Row } from './support/part.ts'
import { hasWrk, sideBySide } from './support/wrk.ts'

/**
 * nginx that sends this answer as a file for every path, with one worker, as Node has one thread. Resolves to
 * its address, or to null where nginx is not installed.
 */
async function bareNginx(
  owner: Pick<Bench, 'onEnd'>,
  { headers, body }: BareAnswer,
): Promise<string | null> {
  const directory = await mkdtemp(join(tmpdir(), 'karras-nginx-'))
  owner.onEnd(() => rm(directory, { recursive: true, force: true }))
  // Started by root, nginx reads the file as another user.
  await chmod(directory, 0o755)
  await writeFile(join(directory, 'page'), Buffer.from(body, 'base64'))
  const { 'content-type': type = '', etag: _, ...others } = headers
  const port = await freePort('127.0.0.1')
  const lines = Object.entries(others).map(
    ([name, value]) => `add_header ${name} "${value.replaceAll(/["\\\\]/g, '\\$&')}";`,
  )
  const config = join(directory, 'nginx.conf')
  await writeFile(
    config,
    `worker_processes 1; daemon off; pid ${directory}/pid; error_log ${directory}/log;
     events { worker_connections 1024; }
     http {
       access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
       open_file_cache max=10; types {} default_type "${type}";
       client_body_temp_path ${directory}/b; proxy_temp_path ${directory}/p;
       fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
       server {
         listen 127.0.0.1:${port};
         location / { root ${directory}; try_files /page =404; ${lines.join(' ')} }
       }
     }`,
  )
  const child = spawn('nginx', ['-c', config, '-e', join(directory, 'log')], { stdio: 'inherit' })
  owner.onEnd(async () => child.kill())
  const url = `http://127.0.0.1:${port}`
  const hasEnded = new Promise<true>((end) => {
    child.once('error', () => end(true))
    child.once('close', () => end(true))
  })
  for (let n = 0; n < 100; n++) {
    const isOpen = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isOpen) return url
    const pause = new Promise<false>((next) => setTimeout(() => next(false), 50))
    if (await Promise.race([hasEnded, pause])) return null
  }
  throw new Error('nginx does not send the page')
}

/**
 * Measures how fast the shop sends a stored page, beside a bare Node server and nginx that send the same
 * bytes, and the slowest answers at 1 000 requests a second: `node tests/bench/serving.ts [seconds]
 * [directories of other checkouts, or addresses of running shops]`. It needs `wrk`, and compares with nginx
 * where that is installed.
 */

const run = promisify(execFile)
const PAGE = '/shop-details/3'
const CONNECTIONS = 50
/** The headers with which a phone's browser requests a page. */
const REQUEST = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'ar-TN,ar;q=0.9,fr;q=0.8',
  'user-agent':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
}
/** Each round measures all servers in turn, so that a busy moment of the machine meets all of them. */
const ROUNDS = 5

interface Serving {
  name: string
  /** Answers a second, the median of the rounds. */
  perSecond: number
  /** Ratios to the bare Node server and to nginx, each the median of the rounds. */
  toNode: number
  toNginx: number | null
  /** Milliseconds at 1 000 requests a second; null for the servers that shops are compared with. */
  p99: number | null
}

/** Measures running shops, given by name and address. */
async function measureServing(
  shops: Readonly<Record<string, string>>,
  seconds = 2,
): Promise<Serving[]> {
  const ends: (() => Promise<unknown>)[] = []
  const owner = { onEnd: (end: () => Promise<unknown>) => void ends.push(end) }
  try {
    const [url = ''] = Object.values(shops)
    const [answer] = await answersOf(url, [PAGE], REQUEST)
    if (!answer) throw new Error(`${url} sends no page`)
    const nginx = await bareNginx(owner, answer)
    const urls = {
      ...shops,
      'bare Node': await bareNode(owner, [answer]),
      ...(nginx && { nginx }),
    }
    const rounds: Record<string, number>[] = []
    for (let n = 0; n <= ROUNDS; n++) {
      const round: Record<string, number> = {}
      for (const [name, at] of Object.entries(urls)) round[name] = await rate(at, seconds)
      // The first round warms up.
      if (n > 0) rounds.push(round)
    }
    const found: Serving[] = []
    for (const [name, at] of Object.entries(urls)) {
      const ratioTo = (other: string) =>
        rounded(median(rounds.map((round) => (round[name] ?? 0) / (round[other] ?? 1))), 3)
      found.push({
        name,
        perSecond: Math.round(median(rounds.map((round) => round[name] ?? 0))),
        toNode: ratioTo('bare Node'),
        toNginx: nginx ? ratioTo('nginx') : null,
        p99: name in shops ? await p99At(at, 1000, seconds * 2) : null,
      })
    }
    return found
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

const HEADERS = Object.entries(REQUEST).flatMap(([name, value]) => ['-H', `${name}: ${value}`])

/** Answers a second over `CONNECTIONS` connections. */
async function rate(url: string, seconds: number): Promise<number> {
  const parameters = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, ...HEADERS, url + PAGE]
  const { stdout } = await run('wrk', parameters)
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} failed:\n${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

/** The 99th percentile of the milliseconds from when a request was due until its answer, at so many a second. */
async function p99At(url: string, perSecond: number, seconds: number): Promise<number> {
  const times: number[] = []
  const count = perSecond * seconds
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const startedAt = performance.now()
  const send = (due: number) =>
    new Promise<void>((resolve, reject) => {
      get(url + PAGE, { agent, headers: REQUEST }, (response) => {
        response.resume().on('end', () => {
          times.push(performance.now() - due)
          resolve()
        })
      }).on('error', reject)
    })
  const pending: Promise<void>[] = []
  while (pending.length < count) {
    const due = startedAt + (pending.length * 1000) / perSecond
    if (due > performance.now()) await new Promise(setImmediate)
    else pending.push(send(due))
  }
  await Promise.all(pending)
  agent.destroy()
  return rounded(percentile(times, 0.99), 1)
}

/** A stored page beside servers that send the same bytes, and pages with a query, new or requested before. */
export async function rows(bench: Bench): Promise<Row[]> {
  if (!(await hasWrk())) return []
  const { url } = await bench.openShop()
  const [page] = await measureServing({ shop: url })
  const QUERY = '/shop?level=high-school&page=1'
  const answers = await answersOf(url, [QUERY])
  const { fastify, fresh, node, again } = await sideBySide(
    {
      fastify: { url: await bareFastify(bench) },
      fresh: { url, paths: ['/shop?search={n}'] },
      node: { url: await bareNode(bench, answers), paths: [QUERY] },
      again: { url, paths: [QUERY] },
    },
    { rounds: bench.rounds },
  )
  const perSecond = (value: number) => `${Math.round(value).toLocaleString('en-US')}/s`
  const beside = (one: number, other: number) => `${perSecond(one)} beside ${perSecond(other)}`
  return [
    {
      id: 'P5',
      what: 'a stored page, to nginx with the same bytes',
      value: page?.toNginx ?? Number.NaN,
      unit: '×',
      least: 0.5,
      note: page?.toNginx == null ? 'nginx is not installed' : '',
    },
    {
      id: 'P5',
      what: 'a stored page, to a bare Node server with the same bytes',
      value: page?.toNode ?? Number.NaN,
      unit: '×',
      least: 0.8,
      note: perSecond(page?.perSecond ?? Number.NaN),
    },
    {
      id: 'P5',
      what: 'a stored page at 1,000 a second, p99',
      value: page?.p99 ?? Number.NaN,
      unit: 'ms',
      most: 20,
    },
    {
      id: 'P13',
      what: 'a shop page never asked for before, to a bare Fastify answer',
      value: fresh.perSecond / fastify.perSecond,
      unit: '×',
      least: 0.006,
      note: beside(fresh.perSecond, fastify.perSecond),
    },
    {
      id: 'P13',
      what: 'a shop page with a query asked for before, to a bare Node server with the same bytes',
      value: again.perSecond / node.perSecond,
      unit: '×',
      least: 0.4,
      note: beside(again.perSecond, node.perSecond),
    },
  ]
}

if (import.meta.main) {
  const [seconds = '2', ...places] = process.argv.slice(2)
  const shops: Record<string, string> = {}
  const ends: (() => Promise<unknown>)[] = []
  try {
    for (const place of places.length > 0 ? places : ['.']) {
      if (/^https?:/.test(place)) shops[place] = place
      else {
        const dataDir = await mkdtemp(join(tmpdir(), 'karras-served-'))
        const env = { DATA_DIR: dataDir, DEMO: '1', CHAT_MAIL: '0' }
        const shop = await spawnShop(env, { root: resolve(place) })
        ends.push(() => shop.stop().then(() => rm(dataDir, { recursive: true, force: true })))
        await shop.says(/^Rendered \d+ pages/m)
        shops[place] = shop.url
      }
    }
    console.table(await measureServing(shops, Number(seconds)))
  } finally {
    for (const end of ends) await end()
  }
}
