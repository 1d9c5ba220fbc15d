/**
 * How fast a stored page is sent, beside a bare Node server and nginx that send the same bytes, and how
 * long the slowest wait at 1 000 requests a second: `node tests/bench/serving.ts [seconds]
 * [directories of other checkouts, or addresses of shops that run]`. It needs `wrk`, and nginx if there
 * is one.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../src/server/http/listen.ts'
import { spawnShop } from '../support/shop-process.ts'
import { answersOf, bareFastify, bareNode as bareServer } from './support/bare.ts'
import type { Bench, Row } from './support/part.ts'
import { hasWrk, sideBySide } from './support/wrk.ts'

const run = promisify(execFile)
const PAGE = '/shop-details/3'
const CONNECTIONS = 50
/** What a phone's browser sends with each page. */
const REQUEST = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'ar-TN,ar;q=0.9,fr;q=0.8',
  'user-agent':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
}
/** Each round measures all servers one after the other, since this machine may have more to do at one time. */
const ROUNDS = 5

interface Answer {
  headers: Record<string, string>
  body: Buffer
}

export interface Serving {
  name: string
  /** Answers a second, the median of the rounds. */
  perSecond: number
  /** To the bare Node server and to nginx, each the median of the rounds' ratios. */
  toNode: number
  toNginx: number | null
  /** Milliseconds at 1 000 requests a second; null for those that are only compared with. */
  p99: number | null
}

/** Measures shops that run, by their names and addresses. */
export async function measureServing(
  shops: Readonly<Record<string, string>>,
  seconds = 2,
): Promise<Serving[]> {
  const directory = await mkdtemp(join(tmpdir(), 'karras-serving-'))
  // Started by root, nginx reads it as somebody else.
  await chmod(directory, 0o755)
  const ends: (() => unknown)[] = []
  try {
    const [url = ''] = Object.values(shops)
    const answer = await read(url + PAGE)
    await writeFile(join(directory, 'page'), answer.body)
    const node = await bareNode(directory, answer)
    ends.push(node.end)
    const nginx = await bareNginx(directory, answer)
    if (nginx) ends.push(nginx.end)
    const urls = { ...shops, 'bare Node': node.url, ...(nginx && { nginx: nginx.url }) }
    const rounds: Record<string, number>[] = []
    for (let n = 0; n <= ROUNDS; n++) {
      const round: Record<string, number> = {}
      for (const [name, at] of Object.entries(urls)) round[name] = await rate(at, seconds)
      // The first only warms up.
      if (n > 0) rounds.push(round)
    }
    const found: Serving[] = []
    for (const [name, at] of Object.entries(urls)) {
      const ratioTo = (other: string) =>
        median(rounds.map((round) => (round[name] ?? 0) / (round[other] ?? 1)))
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
    for (const end of ends) await end()
    await rm(directory, { recursive: true, force: true })
  }
}

function read(url: string): Promise<Answer> {
  return new Promise((done, failed) => {
    get(url, { headers: REQUEST }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      const { connection: _c, 'keep-alive': _k, date: _d, ...headers } = response.headers
      if (response.statusCode !== 200) failed(new Error(`${url} is ${response.statusCode}.`))
      done({ headers: headers as Record<string, string>, body })
    }).on('error', failed)
  })
}

/** The least that a Node server does to send these bytes, in a process of its own. */
async function bareNode(directory: string, { headers }: Answer) {
  const program = join(directory, 'bare.mjs')
  await writeFile(
    program,
    `import { readFileSync } from 'node:fs'
     import { createServer } from 'node:http'
     const body = readFileSync(${JSON.stringify(join(directory, 'page'))})
     const head = ${JSON.stringify(Object.entries(headers).flat())}
     createServer((request, response) => response.writeHead(200, head).end(body))
       .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`,
  )
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${Number(`${port}`)}`, end: () => child.kill() }
}

/** nginx with one worker, as Node has one thread; undefined where there is none. */
async function bareNginx(directory: string, { headers }: Answer) {
  const { 'content-type': type = '', 'content-length': _, etag: _e, ...others } = headers
  const port = await freePort('127.0.0.1')
  const lines = Object.entries(others).map(([name, value]) => `add_header ${name} "${value}";`)
  const config = join(directory, 'nginx.conf')
  await writeFile(
    config,
    `worker_processes 1; daemon off; pid ${directory}/pid; error_log ${directory}/log;
     events { worker_connections 1024; }
     http {
       access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
       open_file_cache max=10; types {} default_type "${type.replaceAll(';', '\\;')}";
       client_body_temp_path ${directory}/b; proxy_temp_path ${directory}/p;
       fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
       server {
         listen 127.0.0.1:${port};
         location / { root ${directory}; try_files /page =404; ${lines.join(' ')} }
       }
     }`.replaceAll('\\;', ';'),
  )
  const child = spawn('nginx', ['-c', config, '-e', join(directory, 'log')], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  const hasEnded = new Promise<true>((end) => {
    child.once('error', () => end(true))
    child.once('close', () => end(true))
  })
  for (let n = 0; ; n++) {
    if (n === 100) throw new Error('nginx does not send the page.')
    const isOpen = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isOpen) return { url, end: () => child.kill() }
    const after = new Promise<false>((next) => setTimeout(() => next(false), 50))
    if (await Promise.race([hasEnded, after])) return
  }
}

const HEADERS = Object.entries(REQUEST).flatMap(([name, value]) => ['-H', `${name}: ${value}`])

/** Answers a second to 50 connections. */
async function rate(url: string, seconds: number): Promise<number> {
  const given = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, ...HEADERS, url + PAGE]
  const { stdout } = await run('wrk', given)
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} failed:\n${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

/** The 99th percentile of the milliseconds from when a request was due, at so many a second. */
async function p99At(url: string, perSecond: number, seconds: number): Promise<number> {
  const took: number[] = []
  const count = perSecond * seconds
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const begunAt = performance.now()
  const one = (due: number) =>
    new Promise<void>((done, failed) => {
      get(url + PAGE, { agent, headers: REQUEST }, (response) => {
        response.resume().on('end', () => {
          took.push(performance.now() - due)
          done()
        })
      }).on('error', failed)
    })
  const pending: Promise<void>[] = []
  while (pending.length < count) {
    const due = begunAt + (pending.length * 1000) / perSecond
    if (due > performance.now()) await new Promise(setImmediate)
    else pending.push(one(due))
  }
  await Promise.all(pending)
  agent.destroy()
  took.sort((a, b) => a - b)
  return Number((took[Math.floor(took.length * 0.99)] ?? 0).toFixed(1))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Number((sorted[sorted.length >> 1] ?? 0).toFixed(3))
}

/** A stored page beside servers of the same bytes, and pages with a query, stored or never asked for before. */
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
      node: { url: await bareServer(bench, answers), paths: [QUERY] },
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
      least: 0.008,
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
  const [seconds = '2', ...given] = process.argv.slice(2)
  const shops: Record<string, string> = {}
  const ends: (() => Promise<unknown>)[] = []
  try {
    for (const where of given.length > 0 ? given : ['.']) {
      if (/^https?:/.test(where)) shops[where] = where
      else {
        const dataDir = await mkdtemp(join(tmpdir(), 'karras-served-'))
        const env = { DATA_DIR: dataDir, DEMO: '1', CHAT_MAIL: '0' }
        const shop = await spawnShop(env, { root: resolve(where) })
        ends.push(() => shop.stop().then(() => rm(dataDir, { recursive: true, force: true })))
        await shop.says(/^Rendered \d+ pages/m)
        shops[where] = shop.url
      }
    }
    console.table(await measureServing(shops, Number(seconds)))
  } finally {
    for (const end of ends) await end()
  }
}
