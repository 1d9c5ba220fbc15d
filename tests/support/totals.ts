import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { TestModule, TestSuite, Vitest } from 'vitest/node'

/** The most lines of an error in the list at the end, and of characters in each: it may be a page. */
const LINES = 8
const CHARACTERS = 200

export interface Failure {
  /** The file and the test's name, or the check that failed. */
  where: string
  message: string
}

interface Counted {
  passed: number
  skipped: number
  failures: Failure[]
}

interface Described {
  message: string
  stack?: string
  /** Expected and received, line by line. */
  diff?: string
}

/** The message, the line of the test, and the differing values. */
function describe({ message, stack = '', diff = '' }: Described): string {
  const line = stack.split('\n').find((frame) => /\/tests\/(?!node_modules)/.test(frame))
  const differing = stripVTControlCharacters(diff)
    .split('\n')
    .filter((each) => /^[-+]/.test(each))
  return [...message.split('\n').slice(0, 3), line?.trim() ?? '', ...differing].join('\n')
}

/**
 * Counts a vitest run. A file that cannot be loaded, a failed suite hook and an error outside any
 * test belong to no test: each is counted as a failure of its own, so that none goes unnoticed.
 */
export function countTests(vitest: Vitest): Counted {
  const counted: Counted = { passed: 0, skipped: 0, failures: [] }
  for (const file of vitest.state.getTestModules()) {
    const name = path.relative(vitest.config.root, file.moduleId)
    const fail = (title: string, errors: readonly Described[] = []) => {
      const message = errors.map(describe).join('\n')
      counted.failures.push({ where: title ? `${name} › ${title}` : name, message })
    }
    for (const test of file.children.allTests()) {
      const { state, errors } = test.result()
      if (state === 'passed') counted.passed += 1
      else if (state === 'skipped') counted.skipped += 1
      else if (state === 'failed') fail(test.fullName, errors)
      else fail(test.fullName, [{ message: 'It did not end.' }])
    }
    const suites: (TestModule | TestSuite)[] = [file, ...file.children.allSuites()]
    for (const suite of suites) {
      const errors = suite.errors()
      if (errors.length > 0) fail(suite.type === 'suite' ? suite.fullName : '', errors)
    }
    if (!['passed', 'failed', 'skipped'].includes(file.state())) {
      fail('', [{ message: 'The file did not end.' }])
    }
  }
  for (const error of vitest.state.getUnhandledErrors()) {
    counted.failures.push({ where: 'outside any test', message: describe(error as Described) })
  }
  return counted
}

/** Prints the failures in short at the end of a log; nothing if there are none. */
export function printFailures(failures: readonly Failure[]): void {
  if (failures.length === 0) return
  console.log('\nFailed:')
  for (const { where, message } of failures) {
    const lines = stripVTControlCharacters(message).split('\n')
    const shown = lines
      .map((line) => line.trimEnd().slice(0, CHARACTERS))
      .filter(Boolean)
      .slice(0, LINES)
    console.log([`✗ ${where}`, ...shown.map((line) => `    ${line}`)].join('\n'))
  }
}
