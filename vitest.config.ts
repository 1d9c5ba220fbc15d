import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { preferMemoryDisk } from './tests/support/memory-disk.ts'
import { PATIENCE } from './tests/support/patience.ts'

// The shop's workers have a lower priority than the shop: beside several tests they would get no turn.
setPriority(constants.priority.PRIORITY_LOW)
preferMemoryDisk()
// Starting a shop compiles for half a second; later shops reuse the result.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/karras-tests')
// The tests' shops must answer every request, however slow the machine is.
process.env.OVERLOAD_DELAY ??= '0'

/**
 * On two cores, three workers leave a seventh of the time idle, four a tenth: tests wait for
 * time-outs, timers and idle networks.
 */
const workers = 4

/**
 * Files that take long: started first, so that none of them runs alone at the end. Projects run one
 * after the other, since a worker reuses loaded modules only for files of the same project.
 */
const PROJECTS = ['browser', 'start', 'server', 'unit']
const LONG = [
  'screens-arabic',
  'screens-french',
  'chat',
  'chat-orders',
  'chat-line',
  'office-weight',
  'office',
  'payments',
  'start',
  'demo-start',
  'teachers-first-day',
  'import-kills',
  'chat-chaos',
  'money-kills',
  'killed',
  'chaos',
  'fuzz',
  'survival',
  'embedded-users',
  'embedded',
  'money-histories',
  'matrix',
  'round-trip',
  'refusals',
  'payment-faults',
  'wallet',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return PROJECTS.indexOf(project.name) * 100 + (at < 0 ? LONG.length : at)
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    maxWorkers: workers,
    // Tests wait for conditions. These limits only end tests that hang, also on a machine that is
    // busy with five other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: PATIENCE.timeout } },
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // No file leaves state that another would see, and loading modules is half of their work.
          isolate: false,
          include: ['tests/{rules,contract,stores,components,i18n,checks}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          isolate: false,
          include: ['tests/server/**/*.test.ts'],
          globalSetup: ['tests/support/database.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          globalSetup: ['tests/support/filled-shop.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // All files of a process share one browser: loading and starting it costs as much as five
          // tests.
          isolate: false,
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/shop.ts'],
        },
      },
    ],
  },
})
