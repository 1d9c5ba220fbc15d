import { defineConfig } from 'vitest/config'

/** Server and browser tests share two cores with a database; more workers only time out. */
const workers = 2

export default defineConfig({
  test: {
    maxWorkers: workers,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // A page's picture or a debounce may take longer than the second that is the default.
    expect: { poll: { timeout: 15_000 } },
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
          testTimeout: 90_000,
        },
      },
    ],
  },
})
