import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem, type } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { closeBrowser } from './support/chromium.ts'
import { type Bench, figure, goalOf, type Part, type Row, verdict } from './support/part.ts'
import { ROOT, shopsIn } from './support/shops.ts'

/** The machine and its present load in one line. */
function machine(): string {
  const cores = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  const load = (loadavg()[0] ?? 0).toFixed(1)
  return `${cores.length} × ${cores[0]?.model.trim() || 'unknown processor'}, ${memory} GB, ${type()}, Node ${process.version}, load ${load}`
}

/** The commit of a checkout, with a plus sign where files differ from it. */
function commitOf(directory: string): string {
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, { cwd: directory, encoding: 'utf8' }).trim()
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
    return git('rev-parse', '--short', 'HEAD') + (isChanged ? '+' : '')
  } catch {
    return 'no commit'
  }
}

/** The rows of one part, and the conditions under which they were measured. */
interface Findings {
  readonly part: string
  /** What the part measures, and how. */
  readonly about: string
  /** Date, machine, commit and duration. */
  readonly conditions: string
  readonly rows: readonly Row[]
}

const HEADING = `# What the shop weighs and how fast it is

Written by \`npm run bench\`; each part says when, on which machine and how it was measured. Figures beside
"×" are ratios to a limit measured in the same run, which a slow or busy machine changes less than seconds.
`

/**
 * Writes a part's findings into the file in place of its earlier ones, the parts in the given order;
 * sections that were written by hand stay, after them.
 */
function writeResults(file: string, findings: Findings, order: readonly string[]): void {
  const sections = existsSync(file) ? sectionsOf(readFileSync(file, 'utf8')) : new Map()
  sections.set(findings.part, sectionOf(findings))
  const known = order.filter((part) => sections.has(part))
  const all = [...new Set([...known, ...sections.keys()])]
  const text = [HEADING, ...all.map((part) => `## ${part}\n\n${sections.get(part)}\n`)].join('\n')
  writeFileSync(file, text)
}

/** The text of each part in the file, by its name. */
function sectionsOf(text: string): Map<string, string> {
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [name = '', ...lines] = section.split('\n')
        return [name.trim(), lines.join('\n').trim()]
      }),
  )
}

function sectionOf({ about, conditions, rows }: Findings): string {
  const lines = rows.map((row) =>
    [row.id, row.what, goalOf(row), figure(row.value, row.unit), verdict(row), row.note ?? '']
      .map((cell) => cell.replaceAll('|', '\\|'))
      .join(' | '),
  )
  return [
    about,
    '',
    conditions,
    '',
    '| | what | goal | measured | | |',
    '|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n')
}

/** Prints findings as a table. */
function printFindings({ part, conditions, rows }: Findings): void {
  console.log(`\n${part}: ${conditions}`)
  console.table(
    rows.map((row) => ({
      id: row.id,
      what: row.what,
      goal: goalOf(row),
      measured: figure(row.value, row.unit),
      verdict: verdict(row),
      note: row.note ?? '',
    })),
  )
}

/**
 * `npm run bench`: measures the shop, prints tables and writes `RESULTS.md`. `npm run bench front start` runs
 * these parts alone; `--large` adds catalogues of 100 000 documents; `--tree <directory>` measures another
 * checkout and writes no results; `--data <directory>` keeps filled shops there for the next run;
 * `--rounds <number>` says of how many measurements each median is taken.
 */

const RESULTS = path.join(import.meta.dirname, 'RESULTS.md')

/** Each part with what it measures and how; its file beside this one exports `rows`. */
const PARTS: Readonly<Record<string, string>> = {
  front:
    'Pages, which three others have read, on a phone (Chromium, 360 × 740, Arabic), nothing cached at first. All bytes from the shop until the line is idle for 3 s, counted on the connections, headers included. Then details on a line of 400 kbit/s and 400 ms, the processor slowed 4 ×, times from the start of the visit. Times are medians.',
  lighthouse:
    'Lighthouse mobile, medians, each page, which three others have read, beside its twin without scripts and fonts; once as the machine is, once with the processor counted at half its speed.',
  reader:
    'A bought document on a line of 400 kbit/s and 400 ms, the processor slowed 4 ×, nothing cached; medians.',
  samples:
    'A sample opened from details on a line of 400 kbit/s and 400 ms, the processor slowed 4 ×, nothing of it cached; from the tap to the first picture, medians.',
  serving: 'wrk with 50 connections, in turn with servers that send the same bytes.',
  publishing:
    'From the commit of a changed price to the first answer over HTTP with it, for three languages.',
  rendering: 'A shop that has no page yet renders all of them behind, without visitors.',
  api: 'wrk in turn with a bare Fastify that answers `{"hello":"world"}`; waits one call at a time.',
  search:
    'Calls one at a time and 20 at once, with 100 000 documents, while the shop renders their pages; only with `--large`.',
  purchases:
    'Purchases from wallets over HTTP by 20 callers, the database on a disk with fsync, after all pages are rendered; the first two seconds are not counted.',
  library:
    'A PDF of 50 MB, stamped: cut at random places and resumed; then 50 buyers download it, each on a line of 4 Mbit/s, and 20 turn a page every two seconds, in a process of their own, beside one who looks at the catalogue; memory is read before and after those looks. All pages are rendered before.',
  start: 'The shop started as `npm start` does, until it answers; memory of all its processes.',
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    large: { type: 'boolean', default: false },
    tree: { type: 'string', default: ROOT },
    data: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
})
const unknown = positionals.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}.`)
  process.exit(2)
}

const tree = path.resolve(options.tree)
const home = options.data
  ? path.resolve(options.data)
  : await mkdtemp(path.join(tmpdir(), 'karras-bench-'))
await mkdir(home, { recursive: true })
const openShop = shopsIn(home, tree, log)
let failed = 0

try {
  const names = Object.keys(PARTS).filter((name) => existsSync(fileOf(name)))
  for (const name of names) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    await measure(name).catch((error: unknown) => {
      failed += 1
      console.error(`${name} failed:`, error)
    })
  }
} finally {
  await closeBrowser()
  if (!options.data) await rm(home, { recursive: true, force: true })
}
process.exit(failed === 0 ? 0 : 1)

async function measure(part: string): Promise<void> {
  const { rows } = (await import(fileOf(part))) as { rows: Part }
  const closings: (() => Promise<unknown>)[] = []
  const bench: Bench = {
    tree,
    isLarge: options.large,
    rounds: Number(options.rounds),
    async openShop(shopOptions) {
      const shop = await openShop(shopOptions)
      bench.onEnd(() => shop.stop())
      return shop
    },
    onEnd: (close) => void closings.push(close),
    log,
  }
  log(`— ${part}`)
  const before = machine()
  const startedAt = performance.now()
  try {
    const found = await rows(bench)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const day = new Date().toISOString().slice(0, 16).replace('T', ' ')
    const findings: Findings = {
      part,
      about: PARTS[part] ?? '',
      conditions: `${day} UTC, commit ${commitOf(tree)}, ${before}, ${seconds} s.`,
      rows: found,
    }
    if (found.length === 0) {
      log(`${part} needs --large, or a program that is not installed.`)
      return
    }
    printFindings(findings)
    if (tree === ROOT) writeResults(RESULTS, findings, Object.keys(PARTS))
  } finally {
    for (const close of closings.reverse()) await close().catch(console.error)
  }
}

function fileOf(part: string): string {
  return path.join(import.meta.dirname, `${part}.ts`)
}

function log(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)
}
