/**
 * `npm test`: types, lint, then every test; ends with what failed and one line
 * `N passed, N failed` that counts them all. `--server` runs the server's tests alone (for another
 * database), `--long` tries chance more often than there is time for every day.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { startVitest, type TestUserConfig } from 'vitest/node'
import { ensureChromium } from './support/chromium.ts'
import { filledShop } from './support/filled-shop.ts'
import { preferMemoryDisk } from './support/memory-disk.ts'
import { countTests, type Failure, printFailures } from './support/totals.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const serverOnly = process.argv.includes('--server')
if (process.argv.includes('--long')) process.env.TESTS_LONG = '1'

const SERVER_TESTS = 'tests/server'
/** The wire and the pages: whatever is in these rooms says nothing of another database. */
const WITHOUT_SQL = ['http', 'publishing']
/** A file with this mark says nothing of it either; the mark's line says why. */
const ONE_DATABASE = /^\/\/ @one-database: /

const MOST_OUTPUT = 16 * 1024 ** 2

const totals = { passed: 0, skipped: 0 }
const failures: Failure[] = []

async function check(name: string, command: string, args: string[]): Promise<void> {
  const program = path.join(ROOT, 'node_modules', command)
  const ended = await promisify(execFile)(program, args, {
    cwd: ROOT,
    maxBuffer: MOST_OUTPUT,
  }).catch((error: Error & Record<'stdout' | 'stderr', string>) => error)
  const output = `${ended.stdout ?? ''}${ended.stderr ?? ''}`.trimEnd()
  console.log(`\n— ${name}\n${output}`)
  if (!(ended instanceof Error)) totals.passed += 1
  else failures.push({ where: name, message: output || ended.message })
}

function markedFiles(): string[] {
  return globSync(`${SERVER_TESTS}/**/*.test.ts`, { cwd: ROOT }).filter((file) =>
    ONE_DATABASE.test(readFileSync(path.join(ROOT, file), 'utf8')),
  )
}

async function runTests(options: TestUserConfig): Promise<void> {
  process.exitCode = undefined
  const vitest = await startVitest([], {
    root: ROOT,
    run: true,
    reporters: ['default'],
    ...options,
  })
  const counted = countTests(vitest)
  totals.passed += counted.passed
  totals.skipped += counted.skipped
  // What keeps vitest from starting is in no list of its tests.
  if (process.exitCode && counted.failures.length === 0) {
    counted.failures.push({ where: 'vitest', message: `ended with ${process.exitCode}: see above` })
  }
  failures.push(...counted.failures)
}

if (serverOnly) {
  await runTests({
    project: ['server'],
    cliExclude: [...WITHOUT_SQL.map((room) => `${SERVER_TESTS}/${room}/**`), ...markedFiles()],
  })
} else {
  ensureChromium()
  preferMemoryDisk()
  // The checks keep one core busy for half a minute, and the shop that the tests copy the other. What
  // keeps it from opening is told by the tests, which then try again.
  const [shop] = await Promise.all([
    filledShop().catch(() => null),
    check('types', 'typescript-native/bin/tsc', []),
    check('types of pages and components', '.bin/astro', [
      'check',
      ...['--minimumSeverity', 'warning', '--tsconfig', 'tsconfig.astro.json'],
    ]),
    check('lint and format', '.bin/biome', ['ci', '--error-on-warnings', '.']),
  ])
  await runTests({ project: ['unit', 'server', 'start', 'browser'] })
  await shop?.release()
}

printFailures(failures)
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
console.log(`\n${totals.passed} passed, ${failures.length} failed${skipped}`)
process.exit(failures.length === 0 ? 0 : 1)
