import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright'
import { freePort } from '../../../src/server/http/listen.ts'
import { CHROMIUM_FLAGS, ensureChromium } from '../../support/chromium.ts'

import type { Bench } from './part.ts'

const VERSION = '13.5.0'
/** How often a visit is judged until one succeeds. */
const ATTEMPTS = 3

/** Lighthouse's audit of one visit: the score from 0 to 100, times in milliseconds. */
export interface Judgement {
  readonly score: number
  readonly fcp: number
  readonly lcp: number
  readonly tbt: number
  readonly cls: number
  /** The speed of the machine as Lighthouse measures it; above 2 000 on a quiet recent one. */
  readonly index: number
}

/**
 * The part of Lighthouse's API that is used. It is not a dependency of the project, but fetched
 * when needed.
 */
interface Lighthouse {
  default(url: string | undefined, flags: object): Promise<Result | undefined>
}

interface Result {
  lhr: {
    audits: Record<string, { numericValue?: number; score: number | null } | undefined>
    categories: Record<string, { score: number | null } | undefined>
    environment: { benchmarkIndex: number }
    runtimeError?: { message: string }
  }
}

/** Audits a visit of a phone, with the processor at its own speed and at half of it. */
type Judge = (url: string) => Promise<{ normal: Judgement; half: Judgement }>

/** Opens Lighthouse on its own Chromium. */
export async function openLighthouse(bench: Bench): Promise<Judge> {
  const { default: lighthouse } = await fetchLighthouse(bench)
  const home = await mkdtemp(join(tmpdir(), 'karras-lighthouse-'))
  bench.onEnd(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  const port = await freePort('127.0.0.1')
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`],
  })
  bench.onEnd(() => browser.close())

  // Every visit is a first one: also clears the storage of the last page that Lighthouse leaves.
  const clearStorageTypes = [
    ...['file_systems', 'shader_cache', 'service_workers', 'cache_storage'],
    'local_storage',
  ]
  const flags = { port, logLevel: 'error', onlyCategories: ['performance'], clearStorageTypes }
  const gatherAndJudge: Judge = async (url) => {
    const artifacts = join(home, 'artifacts')
    await rm(artifacts, { recursive: true, force: true })
    await lighthouse(url, { ...flags, disableFullPageScreenshot: true, gatherMode: artifacts })
    const judge = async (slower: number) => {
      const throttling = await slowDown(artifacts, slower)
      const auditFlags = {
        ...flags,
        disableFullPageScreenshot: true,
        auditMode: artifacts,
        throttling,
      }
      const result = await lighthouse(url, auditFlags)
      if (!result || result.lhr.runtimeError) {
        throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? 'no result'}`)
      }
      return judgementOf(result)
    }
    return { normal: await judge(1), half: await judge(2) }
  }
  return async (url) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await gatherAndJudge(url)
      } catch (error) {
        // Now and then the trace of a visit has no start of the navigation.
        if (attempt === ATTEMPTS) throw error
        bench.log(`Judging ${url} again: ${error}`)
      }
    }
  }
}

/** Makes Lighthouse audit what it gathered for a processor so many times slower than its usual phone's. */
async function slowDown(artifacts: string, times: number): Promise<object> {
  const file = join(artifacts, 'artifacts.json')
  const gathered = JSON.parse(await readFile(file, 'utf8')) as {
    settings: { throttling: { cpuSlowdownMultiplier: number } }
  }
  gathered.settings.throttling.cpuSlowdownMultiplier = 4 * times
  await writeFile(file, JSON.stringify(gathered))
  return gathered.settings.throttling
}

function judgementOf({ lhr: { audits, categories, environment } }: Result): Judgement {
  const of = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    score: 100 * (categories.performance?.score ?? Number.NaN),
    fcp: of('first-contentful-paint'),
    lcp: of('largest-contentful-paint'),
    tbt: of('total-blocking-time'),
    cls: of('cumulative-layout-shift'),
    index: environment.benchmarkIndex,
  }
}

async function fetchLighthouse(bench: Bench): Promise<Lighthouse> {
  const home = join(tmpdir(), `karras-lighthouse-${VERSION}`)
  const module = join(home, 'node_modules/lighthouse/core/index.js')
  if (!existsSync(module)) {
    bench.log(`Fetching Lighthouse ${VERSION} …`)
    await mkdir(home, { recursive: true })
    await promisify(execFile)(
      'npm',
      [
        'install',
        '--prefix',
        home,
        '--no-save',
        '--no-audit',
        '--no-fund',
        `lighthouse@${VERSION}`,
      ],
      { cwd: home },
    )
  }
  return import(pathToFileURL(module).href)
}
