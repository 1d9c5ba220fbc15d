/** What islands have in common. */
const SHARED = /\/src\/(rules|i18n|stores|islands\/parts)\/(?!.*office)|nanostores/

/** What carries every call, the shop's and the office's. */
const WIRE = modules(
  '/src/client/(api|timed)',
  '/src/contract/(account-fields|call|encode|errors|history-entry|names|pages|values)',
  '/node_modules/superstruct/.*',
)

/** What comes with the first call of the shop. */
const SHOP_CALLS = modules(
  '/src/client/http',
  '/src/contract/(accounts|carts|catalogue|chat|library|orders|ratings|wallet|wishlists)',
  '/node_modules/(ofetch|destr|ufo)/.*',
)

const OFFICE_TABLE = modules(
  '/src/islands/office/parts/(OfficeTable|OfficeList|Table\\w+|columns)',
  '/src/stores/office/table',
)

const OFFICE_DOCUMENTS = modules(
  '/src/contract/(office-documents|own-document|references|uploads)',
  '/src/islands/office/documents/(FileLink|names)',
  '/src/rules/(document-life|uploads)',
  '/src/stores/office/documents/own',
)

function modules(...paths: string[]): RegExp {
  return new RegExp(`(${paths.join('|')})\\.(ts|tsx|mjs|js)$`)
}

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

const isInBoth = (id: string, chunking: Chunking) =>
  !isOfOffice(id, chunking) && isInOffice(id, chunking)

/**
 * Modules that the browser gets in one file with others: with a file each, a page would load sixty, at
 * 400 bytes of headers each. The first group with the highest priority takes a module, and with it what
 * it imports and no other has taken; so what both the shop and the office use is taken before what is
 * the office's alone.
 */
const groups = [
  // What scripts of every page use stays out of the files below: no page of the catalogue loads React.
  { name: 'preload', test: /vite\/preload-helper/, priority: 3 },
  { name: 'keys', test: /\/src\/rules\/storage-keys\.ts$/, priority: 3 },
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
  {
    name: (id: string, chunking: Chunking) => (isInBoth(id, chunking) ? 'base' : null),
    test: SHARED,
    minShareCount: 5,
    priority: 2,
  },
  {
    name: (id: string, chunking: Chunking) => (isOfOffice(id, chunking) ? null : 'islands'),
    test: SHARED,
    minShareCount: 8,
    priority: 2,
  },
  { name: 'wire', test: WIRE, priority: 2 },
  {
    name: (id: string, chunking: Chunking) => (isInBoth(id, chunking) ? 'both' : null),
    test: /\/src\/|\/node_modules\//,
    minShareCount: 2,
    // A page loads those of them that it uses, whoever else uses the others.
    entriesAware: true,
    priority: 1,
  },
  { name: 'calls', test: SHOP_CALLS, minShareCount: 2 },
  {
    name: (id: string, chunking: Chunking) => {
      if (OFFICE_TABLE.test(id) || OFFICE_DOCUMENTS.test(id)) return null
      return isOfOffice(id, chunking) ? 'office' : null
    },
    test: /\/src\//,
    minShareCount: 6,
  },
  { name: 'office-table', test: OFFICE_TABLE },
  { name: 'office-documents', test: OFFICE_DOCUMENTS },
]

/** Options of Vite that put what islands share into few files, in the browser's build alone. */
export const islandChunks = { rolldownOptions: { output: { codeSplitting: { groups } } } }
