import { defineConfig } from 'vitest/config'
import { PATIENCE } from './tests/support/patience.ts'

/** Server and browser tests share two cores with a database; more workers only time out. */
const workers = 2

export default defineConfig({
  test: {
    maxWorkers: workers,
    // Tests wait for conditions. These limits only end what hangs, also on a machine that is busy
    // with five other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: PATIENCE.timeout } },
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{rules,contract,stores,components,i18n,checks}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          globalSetup: ['tests/support/database.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'start', include: ['tests/start/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/shop.ts'],
        },
      },
    ],
  },
})
