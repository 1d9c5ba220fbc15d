import type { AstroIntegration } from 'astro'

/** What carries every call, the shop's and the office's. */
const WIRE = new RegExp(
  [
    '/src/client/(api|http)\\.ts$',
    '/src/contract/(call|encode|errors|names|pages|values)\\.ts$',
    '/node_modules/(superstruct|ofetch|destr|ufo)/',
  ].join('|'),
)

/** The calls of the office, as `tests/checks/office.test.ts` knows them. */
const OFFICE_CALLS =
  /\/src\/(client\/office|contract\/(all-errors|earnings|office-[\w-]+|own-document|payouts|teacher-[\w-]+|uploads))\.ts$/

/** Modules that the browser gets in one file with others: with a file each, a page would load sixty. */
const groups = [
  // What scripts of every page use stays out of the files below: no page of the catalogue loads React.
  { name: 'preload', test: /vite\/preload-helper/, priority: 1 },
  { name: 'keys', test: /\/src\/rules\/storage-keys\.ts$/, priority: 1 },
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
  // What most islands have in common. Not their components: a style sheet goes where its module goes.
  {
    name: 'islands',
    test: /\/src\/(rules|i18n|stores|islands\/parts)\/(?!.*office)[^A-Z]*$/,
    minShareCount: 8,
  },
  // What comes with the first call, and the calls of the office, of which buyers load none.
  { name: 'wire', test: WIRE, priority: 2 },
  { name: 'office-calls', test: OFFICE_CALLS, priority: 1 },
  { name: 'calls', test: /\/src\/(client|contract)\//, minShareCount: 2 },
]

/** Puts what islands share into few files, in the browser's build alone. */
export function islandChunks(): AstroIntegration {
  const build = { rolldownOptions: { output: { codeSplitting: { groups } } } }
  return {
    name: 'karras:island-chunks',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { environments: { client: { build } } } })
      },
    },
  }
}
