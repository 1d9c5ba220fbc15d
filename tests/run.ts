/**
 * `npm test`: types, lint, then every test; ends with what failed and one line
 * `N passed, N failed` that counts them all. `--server` runs the server's tests alone (for another
 * database).
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { startVitest, type TestUserConfig } from 'vitest/node'
import { ensureChromium } from './support/chromium.ts'
import { countTests, type Failure, printFailures } from './support/totals.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const serverOnly = process.argv.includes('--server')

/**
 * Tests of the server that say nothing of another database: they bring their own or need none, or
 * are about the wire, pages, processes and faults outside. Every other one runs on each database.
 */
const NOT_OF_SQL = [
  '{http,publishing}/**/*',
  'database/{binaries,embedded,survival}',
  'backup/{killed,refusals}',
  'chat-{fuzz,other-client,socket,stomp,upgrade}',
  '{config,covers,konnect,mail,payment-faults,slow-gateway,start-errors,terminal}',
]

const totals = { passed: 0, skipped: 0 }
const failures: Failure[] = []

function check(name: string, command: string, args: string[]): void {
  console.log(`\n— ${name}`)
  const bin = path.join(ROOT, 'node_modules/.bin', command)
  const { status, stdout, stderr } = spawnSync(bin, args, { cwd: ROOT, encoding: 'utf8' })
  const output = `${stdout ?? ''}${stderr ?? `${bin} could not be run`}`.trimEnd()
  console.log(output)
  if (status === 0) totals.passed += 1
  else failures.push({ where: name, message: output })
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
  process.env.MONEY_HISTORIES ??= '20'
  await runTests({
    project: ['server'],
    cliExclude: NOT_OF_SQL.map((files) => `tests/server/${files}.test.ts`),
  })
} else {
  ensureChromium()
  check('types', 'astro', ['check', '--minimumSeverity', 'warning'])
  check('lint and format', 'biome', ['ci', '--error-on-warnings', '.'])
  await runTests({ project: ['unit', 'server', 'start', 'browser'] })
}

printFailures(failures)
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
console.log(`\n${totals.passed} passed, ${failures.length} failed${skipped}`)
process.exit(failures.length === 0 ? 0 : 1)
