import { execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../src/server/http/listen.ts'
import { median, percentile } from '../support/quantiles.ts'
import { answersOf, type BareAnswer, bareFastify, bareNode } from './support/bare.ts'
import { type Bench, type Row, row } from './support/part.ts'
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
const HEADERS = Object.entries(REQUEST).flatMap(([name, value]) => ['-H', `${name}: ${value}`])

/** Answers a second over `CONNECTIONS` connections. */
async function rate(url: string): Promise<number> {
  const parameters = ['-t1', `-c${CONNECTIONS}`, '-d2s', ...HEADERS, url + PAGE]
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
  return percentile(times, 0.99)
}

/** A stored page beside servers that send the same bytes, in turn, since the machine may be busy at times. */
async function storedPage(bench: Bench, url: string): Promise<Row[]> {
  const [answer] = await answersOf(url, [PAGE], REQUEST)
  if (!answer) throw new Error(`${url} sends no page`)
  const nginxUrl = await bareNginx(bench, answer)
  const nodeUrl = await bareNode(bench, [answer])
  const rounds: Record<'shop' | 'node' | 'nginx', number>[] = []
  for (let n = 0; n <= bench.rounds; n++) {
    const [shop, node] = [await rate(url), await rate(nodeUrl)]
    const round = { shop, node, nginx: nginxUrl ? await rate(nginxUrl) : Number.NaN }
    // The first round warms up.
    if (n > 0) rounds.push(round)
  }
  const ratioTo = (name: 'node' | 'nginx') =>
    median(rounds.map((round) => round.shop / round[name]))
  const toNginx = nginxUrl ? '' : 'nginx is not installed'
  const toNode = perSecond(median(rounds.map(({ shop }) => shop)))
  const same = 'with the same bytes'
  return [
    row(
      'P5',
      `a stored page, to nginx ${same}`,
      ratioTo('nginx'),
      { least: 0.5, unit: '×' },
      toNginx,
    ),
    row(
      'P5',
      `a stored page, to a bare Node server ${same}`,
      ratioTo('node'),
      { least: 0.8, unit: '×' },
      toNode,
    ),
    row('P5', 'a stored page at 1,000 a second, p99', await p99At(url, 1000, 4), {
      most: 20,
      unit: 'ms',
    }),
  ]
}

const perSecond = (value: number) => `${Math.round(value).toLocaleString('en-US')}/s`

/** A stored page, and pages with a query, new or requested before. */
export async function rows(bench: Bench): Promise<Row[]> {
  if (!(await hasWrk())) return []
  const { url } = await bench.openShop()
  const stored = await storedPage(bench, url)
  const QUERY = '/shop?level=high-school&page=1'
  const answers = await answersOf(url, [QUERY])
  const { fastify, fresh, nothing, node, again } = await sideBySide(
    {
      fastify: { url: await bareFastify(bench) },
      fresh: { url, paths: ['/shop?search={n}'] },
      nothing: { url, paths: ['/shop?search=mathematiqus+exercisse+corige+qwirtz+zz{n}'] },
      node: { url: await bareNode(bench, answers), paths: [QUERY] },
      again: { url, paths: [QUERY] },
    },
    { rounds: bench.rounds },
  )
  const beside = (what: string, one: typeof fresh, other: typeof fresh, least: number) =>
    row(
      'P13',
      what,
      one.perSecond / other.perSecond,
      { least, unit: '×' },
      `${perSecond(one.perSecond)} beside ${perSecond(other.perSecond)}`,
    )
  const asked =
    'a shop page with a query asked for before, to a bare Node server with the same bytes'
  return [
    ...stored,
    beside('a shop page never asked for before, to a bare Fastify answer', fresh, fastify, 0.006),
    beside('a search that finds nothing, to another never asked for before', nothing, fresh, 0.5),
    beside(asked, again, node, 0.4),
  ]
}
