import type { AstroIntegration } from 'astro'

/** What carries every call, the shop's and the office's. */
const WIRE = new RegExp(
  [
    '/src/client/(api|timed)\\.ts$',
    '/src/contract/(account-fields|call|encode|errors|names|pages|values)\\.ts$',
    '/node_modules/superstruct/',
  ].join('|'),
)

/** What comes with the first call of the shop; the office's calls go with its pages. */
const SHOP_CALLS = new RegExp(
  [
    '/src/client/http\\.ts$',
    '/src/contract/(accounts|carts|catalogue|chat|library|orders|ratings|wallet|wishlists)\\.ts$',
    '/node_modules/(ofetch|destr|ufo)/',
  ].join('|'),
)

/** What islands have in common. Not their components: a style sheet goes where its module goes. */
const SHARED = /\/src\/(rules|i18n|stores|islands\/parts)\/(?!.*office)|nanostores/

const OFFICE_TABLE =
  /\/src\/(islands\/office\/parts\/(OfficeTable|Table\w+|columns)|stores\/office\/table)\.tsx?$/
const OFFICE_DOCUMENTS =
  /\/src\/(contract\/(office-documents|own-document|uploads)|rules\/(document-life|uploads))\.ts$/

interface Chunking {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

const OFFICE = /\/office[/-]|\/office\.ts$/

const importersOf = (id: string, chunking: Chunking) => chunking.getModuleInfo(id)?.importers ?? []

/** Whether nothing but the office uses a module: its own rooms, and what only they import. */
function isOfOffice(id: string, chunking: Chunking, seen = new Set<string>()): boolean {
  if (OFFICE.test(id) || seen.has(id)) return true
  seen.add(id)
  const importers = importersOf(id, chunking)
  return importers.length > 0 && importers.every((each) => isOfOffice(each, chunking, seen))
}

/** Whether the office uses a module, alone or not. */
function isInOffice(id: string, chunking: Chunking, seen = new Set<string>()): boolean {
  if (OFFICE.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return importersOf(id, chunking).some((each) => isInOffice(each, chunking, seen))
}

/** Modules that the browser gets in one file with others: with a file each, a page would load sixty. */
const groups = [
  // What scripts of every page use stays out of the files below: no page of the catalogue loads React.
  { name: 'preload', test: /vite\/preload-helper/, priority: 3 },
  { name: 'keys', test: /\/src\/rules\/storage-keys\.ts$/, priority: 3 },
  {
    name: 'react',
    test: /\/node_modules\/(react|react-dom|scheduler)\//,
    priority: 3,
  },
  {
    name: (id: string, chunking: Chunking) =>
      !isOfOffice(id, chunking) && isInOffice(id, chunking) ? 'base' : null,
    test: SHARED,
    priority: 2,
    minShareCount: 5,
  },
  {
    name: (id: string, chunking: Chunking) => (isOfOffice(id, chunking) ? null : 'islands'),
    test: SHARED,
    priority: 2,
    minShareCount: 8,
  },
  { name: 'wire', test: WIRE, priority: 2 },
  {
    name: (id: string, chunking: Chunking) =>
      !isOfOffice(id, chunking) && isInOffice(id, chunking) ? 'both' : null,
    test: /\/src\/|\/node_modules\//,
    priority: 1,
    entriesAware: true,
    minShareCount: 2,
  },
  {
    name: (id: string, chunking: Chunking) => (isOfOffice(id, chunking) ? 'office' : null),
    test: /\/src\//,
    minShareCount: 6,
  },
  { name: 'office-table', test: OFFICE_TABLE },
  { name: 'office-documents', test: OFFICE_DOCUMENTS },
  { name: 'calls', test: SHOP_CALLS, minShareCount: 2 },
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
