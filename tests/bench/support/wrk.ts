import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from '../../support/quantiles.ts'

/** What is requested under load. */
export interface Target {
  /** The origin, such as `http://127.0.0.1:4321`. */
  readonly url: string
  /** Requested in turn, by default `/`; `{n}` becomes a number that no other request has. */
  readonly paths?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

export interface Load {
  /** Requests a second that were answered with a status below 400. */
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** How many requests were answered with 400 and above, or not at all. */
  readonly failed: number
}

interface LoadOptions {
  connections?: number
  seconds?: number
}

const run = promisify(execFile)

/** Whether `wrk` is installed; without it some rows are left out. */
export async function hasWrk(): Promise<boolean> {
  return run('wrk', ['-v']).then(
    () => true,
    (error: { code?: unknown }) => error.code !== 'ENOENT',
  )
}

/** Counts the loads, so that `{n}` never has the same number twice in one process. */
let round = 0

/** Loads one server for some seconds with requests for brotli from many addresses. */
async function load(
  { url, paths = ['/'], headers = {} }: Target,
  { connections = 50, seconds = 3 }: LoadOptions = {},
): Promise<Load> {
  const directory = await mkdtemp(join(tmpdir(), 'karras-wrk-'))
  try {
    const script = join(directory, 'requests.lua')
    await writeFile(script, lua(paths, { 'Accept-Encoding': 'br', ...headers }, round++))
    const { stdout } = await run('wrk', [
      ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '20s'],
      ...['-s', script, url],
    ])
    const [, found] = /^RESULT (.*)$/m.exec(stdout) ?? []
    if (!found) throw new Error(`wrk printed:\n${stdout}`)
    const { requests, errors, micros, p50, p99 } = JSON.parse(found) as Record<string, number>
    return {
      perSecond: (((requests ?? 0) - (errors ?? 0)) / (micros ?? 1)) * 1e6,
      p50: (p50 ?? 0) / 1000,
      p99: (p99 ?? 0) / 1000,
      failed: errors ?? 0,
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Loads servers in turn for several rounds, so that a busy moment meets all of them; returns each one's medians. */
export async function sideBySide<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  { rounds = 3, ...options }: LoadOptions & { rounds?: number } = {},
): Promise<Record<Name, Load>> {
  const names = Object.keys(targets) as Name[]
  const loads = new Map<Name, Load[]>(names.map((name) => [name, []]))
  // Warms up: code is not yet compiled, and caches are empty.
  for (const name of names) await load(targets[name], { ...options, seconds: 1 })
  for (let n = 0; n < rounds; n++) {
    for (const name of names) loads.get(name)?.push(await load(targets[name], options))
  }
  const of = (name: Name, key: keyof Load) => median((loads.get(name) ?? []).map((one) => one[key]))
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        perSecond: of(name, 'perSecond'),
        p50: of(name, 'p50'),
        p99: of(name, 'p99'),
        failed: (loads.get(name) ?? []).reduce((sum, { failed }) => sum + failed, 0),
      },
    ]),
  ) as Record<Name, Load>
}

/** wrk's script of one load: requests all paths in turn, each time from another of 4,000 addresses. */
function lua(
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
  roundNumber: number,
): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  )
  return `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local headers = { ${fields.join(', ')} }
local n = 0
request = function()
  n = n + 1
  -- As many visitors as none of them is held up for requesting more than people do.
  headers["X-Forwarded-For"] = string.format("10.1.%d.%d", math.floor(n / 250) % 16, n % 250 + 1)
  local path = paths[n % #paths + 1]:gsub("{n}", ${JSON.stringify(`${process.pid}${roundNumber}`)} .. n)
  return wrk.format("GET", path, headers)
end
done = function(summary, latency)
  local e = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"errors":%d,"micros":%d,"p50":%d,"p99":%d}',
    summary.requests, e.connect + e.read + e.write + e.timeout + e.status,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
`
}
