/**
 * `npm test`: checks types and regular expressions, lints, then runs the everyday tests; ends with a
 * list of failures and one line `N passed, N failed` that counts everything. `--landing` leaves
 * nothing out, `--long` runs more iterations of the randomised tests and every journey in each
 * language, `--server` only the server's tests (against another database). `npm test -- money chat`
 * runs all tests of these rooms: of files whose path names them.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { startVitest, type TestUserConfig } from 'vitest/node'
import { ensureChromium } from './support/chromium.ts'
import { filledShop } from './support/filled-shop.ts'
import { preferMemoryDisk } from './support/memory-disk.ts'
import { countTests, type Failure, printFailures } from './support/totals.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const { values, positionals: rooms } = parseArgs({
  options: {
    landing: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    server: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const isEveryday = !values.landing && !values.long && rooms.length === 0
process.env.TESTS_RUN = values.long ? 'long' : isEveryday ? 'everyday' : 'landing'

const SERVER_TESTS = 'tests/server'
/** HTTP and pages: the tests in these folders do not depend on the database version. */
const WITHOUT_SQL = ['http', 'publishing']
/** Files with this mark do not depend on it either; the line of the mark says why. */
const ONE_DATABASE = /^\/\/ @one-database: /m
/** Files with this mark take too long to run on every change. */
const AT_LANDING = /^\/\/ @at-landing: /m
/** Marks the browser's tests that are one journey for each of the main jobs. */
const EVERYDAY = /^\/\/ @everyday: /m

const MAX_OUTPUT_BYTES = 16 * 1024 ** 2

const totals = { passed: 0, skipped: 0 }
const failures: Failure[] = []

async function check(name: string, command: string, args: string[]): Promise<void> {
  const program = path.join(ROOT, 'node_modules', command)
  const ended = await promisify(execFile)(program, args, {
    cwd: ROOT,
    maxBuffer: MAX_OUTPUT_BYTES,
  }).catch((error: Error & Record<'stdout' | 'stderr', string>) => error)
  const output = `${ended.stdout ?? ''}${ended.stderr ?? ''}`.trimEnd()
  console.log(`\n— ${name}\n${output}`)
  if (!(ended instanceof Error)) totals.passed += 1
  else failures.push({ where: name, message: output || ended.message })
}

const hasMark = (mark: RegExp) => (file: string) =>
  mark.test(readFileSync(path.join(ROOT, file), 'utf8'))

const filesOf = (pattern: string) => globSync(pattern, { cwd: ROOT })

/** The files that the everyday tests leave out. */
function leftOutEveryday(): string[] {
  const isEverydayJourney = hasMark(EVERYDAY)
  return [
    ...filesOf('tests/{server,start}/**/*.test.ts').filter(hasMark(AT_LANDING)),
    ...filesOf('tests/e2e/**/*.test.ts').filter((file) => !isEverydayJourney(file)),
  ]
}

async function runTests(options: TestUserConfig): Promise<void> {
  process.exitCode = undefined
  const vitest = await startVitest(rooms, {
    root: ROOT,
    run: true,
    reporters: ['default'],
    ...options,
  })
  const counted = countTests(vitest)
  totals.passed += counted.passed
  totals.skipped += counted.skipped
  // An error that keeps vitest from starting is not in its list of tests.
  if (process.exitCode && counted.failures.length === 0) {
    counted.failures.push({ where: 'vitest', message: `ended with ${process.exitCode}: see above` })
  }
  failures.push(...counted.failures)
}

if (values.server) {
  await runTests({
    project: ['server'],
    cliExclude: [
      ...WITHOUT_SQL.map((room) => `${SERVER_TESTS}/${room}/**`),
      ...filesOf(`${SERVER_TESTS}/**/*.test.ts`).filter(hasMark(ONE_DATABASE)),
    ],
  })
} else if (rooms.length > 0) {
  ensureChromium()
  preferMemoryDisk()
  await runTests({ passWithNoTests: false })
} else {
  ensureChromium()
  preferMemoryDisk()
  const leftOut: TestUserConfig = isEveryday ? { cliExclude: leftOutEveryday() } : {}
  // The shop that the tests copy waits for its database half of the time, and the checks wait for
  // the slowest one: tests that need no shop use that time. An error while filling the shop is
  // reported by the tests, which try again.
  const [shop] = await Promise.all([
    filledShop().catch(() => null),
    runTests({ project: ['unit'], maxWorkers: 1, ...leftOut }),
    check('types', 'typescript-native/bin/tsc', []),
    check('types of pages and components', '.bin/astro', [
      'check',
      ...['--minimumSeverity', 'warning', '--tsconfig', 'tsconfig.astro.json'],
    ]),
    check('regular expressions', '.bin/node', ['scripts/check-expressions.ts']),
    check('lint and format', '.bin/biome', ['ci', '--error-on-warnings', '.']),
  ])
  await runTests({ project: ['server', 'start', 'browser'], ...leftOut })
  await shop?.release()
}

printFailures(failures)
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
console.log(`\n${totals.passed} passed, ${failures.length} failed${skipped}`)
process.exit(failures.length === 0 ? 0 : 1)
