/**
 * `npm test`: types, lint, then every test; ends with one line `N passed, N failed` that counts
 * them all. `--server` runs the server's tests alone (for another database).
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureChromium } from './support/chromium.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const serverOnly = process.argv.includes('--server')

const totals = { passed: 0, failed: 0, skipped: 0 }

function run(command: string, args: string[]): boolean {
  const bin = path.join(ROOT, 'node_modules/.bin', command)
  return spawnSync(bin, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

function check(name: string, command: string, args: string[]): void {
  console.log(`\n— ${name}`)
  if (run(command, args)) totals.passed += 1
  else {
    totals.failed += 1
    console.log(`✗ ${name}`)
  }
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  success: boolean
  testResults: { status: string; message?: string; name: string; assertionResults: unknown[] }[]
}

function runTests(projects: string[], more: string[] = []): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'karras-report-'))
  const file = path.join(folder, 'report.json')
  const ok = run('vitest', [
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    ...more,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    totals.passed += report.numPassedTests
    totals.failed += report.numFailedTests
    totals.skipped += report.numPendingTests + report.numTodoTests
    // A file that could not even be loaded has no test to count, and an error outside any test
    // fails no test: neither may pass unseen.
    const broken = report.testResults.filter(
      (result) => result.status === 'failed' && result.assertionResults.length === 0,
    ).length
    totals.failed += broken
    if (!ok && report.numFailedTests + broken === 0) totals.failed += 1
  } catch (error) {
    console.error(`No report of the tests: ${error}`)
    totals.failed += 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (serverOnly) {
  // What brings its own database, or needs none, says nothing of this one.
  const apart = ['database/{binaries,embedded,survival}', 'publishing/{intent,fonts,static-files}']
  process.env.MONEY_HISTORIES ??= '20'
  runTests(
    ['server'],
    apart.flatMap((files) => ['--exclude', `tests/server/${files}.test.ts`]),
  )
} else {
  ensureChromium()
  check('types', 'astro', ['check', '--minimumSeverity', 'warning'])
  check('lint and format', 'biome', ['ci', '--error-on-warnings', '.'])
  runTests(['unit', 'server', 'start', 'browser'])
}

const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`)
process.exit(totals.failed === 0 ? 0 : 1)
