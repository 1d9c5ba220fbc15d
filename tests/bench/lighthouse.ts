import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright'
import { freePort } from '../../src/server/http/listen.ts'
import { CHROMIUM_FLAGS, ensureChromium } from '../support/chromium.ts'
import { median } from '../support/quantiles.ts'
import { type Bench, type Row, row } from './support/part.ts'
import { warmUpPages } from './support/read-before.ts'
import { twinOf } from './support/twin.ts'

const VERSION = '13.5.0'
/** How often a visit is judged until one succeeds. */
const ATTEMPTS = 3

/** Lighthouse's audit of one visit: the score from 0 to 100, times in milliseconds. */
interface Judgement {
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
async function openLighthouse(bench: Bench): Promise<Judge> {
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
  const flags = {
    ...{ port, logLevel: 'error', clearStorageTypes },
    ...{ onlyCategories: ['performance'], disableFullPageScreenshot: true },
  }
  const gatherAndJudge: Judge = async (url) => {
    const artifacts = join(home, 'artifacts')
    await rm(artifacts, { recursive: true, force: true })
    await lighthouse(url, { ...flags, gatherMode: artifacts })
    const judge = async (slower: number) => {
      const throttling = await slowDown(artifacts, slower)
      const result = await lighthouse(url, { ...flags, auditMode: artifacts, throttling })
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
    const quietly = ['--no-save', '--no-audit', '--no-fund']
    const install = ['install', '--prefix', home, ...quietly, `lighthouse@${VERSION}`]
    await promisify(execFile)('npm', install, { cwd: home })
  }
  return import(pathToFileURL(module).href)
}

const PAGES = [
  { name: 'home', path: '/' },
  { name: 'shop', path: '/shop' },
  { name: 'details', path: '/shop-details/3' },
  { name: 'teacher', path: '/teacher-details/2' },
] as const
const LANGUAGES = [
  { name: 'Arabic', prefix: '' },
  { name: 'French', prefix: '/fr' },
] as const
/** The benchmark index from which on the score of 100 is promised. */
const QUIET_INDEX = 2000

/** Lighthouse's audits of pages on a phone, beside the same pages without scripts and fonts. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  const twin = await twinOf(url)
  bench.onEnd(() => twin.close())
  const judge = await openLighthouse(bench)
  const found: Row[] = []
  for (const page of PAGES) {
    for (const language of LANGUAGES) {
      const path = language.prefix + (page.path === '/' && language.prefix ? '' : page.path)
      await warmUpPages(url, [path])
      const taken: Record<'normal' | 'half' | 'bare', Judgement>[] = []
      for (let n = 0; n < bench.rounds; n++) {
        taken.push({ ...(await judge(url + path)), bare: (await judge(twin.url + path)).normal })
      }
      const of = (which: 'normal' | 'half' | 'bare', key: keyof Judgement) =>
        median(taken.map((one) => one[which][key]))
      const judged = (words: string, value: number, goal: Parameters<typeof row>[3], note = '') =>
        row('P3', `${page.name}, ${language.name}: ${words}`, value, goal, note)
      const index = Math.round(of('normal', 'index'))
      const speed = index < QUIET_INDEX ? `, promised for ${QUIET_INDEX} and above` : ''
      const [ours, twins] = [of('normal', 'tbt'), of('bare', 'tbt')]
      found.push(
        judged(
          'score',
          of('normal', 'score'),
          { least: 100 },
          `index ${index}${speed}; twin ${of('bare', 'score')}`,
        ),
        judged('score at half the speed', of('half', 'score'), { least: 97 }),
        ...(['fcp', 'lcp'] as const).map((key) => {
          const [own, other] = [of('normal', key), of('bare', key)]
          const note = `${(own / 1000).toFixed(2)} s beside ${(other / 1000).toFixed(2)} s`
          return judged(
            `${key.toUpperCase()} beside the twin`,
            own / other,
            { most: 1.1, unit: '×' },
            note,
          )
        }),
        judged(
          'TBT over the twin',
          ours - twins,
          { most: 30, unit: 'ms' },
          `${Math.round(ours)} ms beside ${Math.round(twins)} ms`,
        ),
        judged('CLS', of('normal', 'cls'), { most: 0.01 }),
      )
    }
  }
  return found
}
