/** Modules that islands share. */
const SHARED = /\/src\/(rules|i18n|stores|islands\/parts)\/(?!.*(office|Later))|nanostores/

/** Modules of every call, the shop's and the office's, and two that are too small for separate files. */
const WIRE = modules(
  '/src/client/(api|timed)',
  '/src/contract/(account-fields|call|encode|errors|history-entry|names|pages|values)',
  '/src/rules/(catalogue-names|in-each-language)',
  '/node_modules/superstruct/.*',
)

/** Modules that load with the shop's first call. */
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
  '/src/islands/office/documents/(ActDialog|FileLink|names)',
  '/src/rules/(document-life|uploads)',
  '/src/stores/office/documents/(own|text)',
)

const OFFICE_FORMS = modules(
  '/src/islands/office/parts/(ConflictChoice|use-office-form)',
  '/src/stores/office/saving',
)

/** Modules of every office page: the logged-in user, and the data that the log-out clears. */
const OFFICE_STAFF = modules(
  '/src/contract/office-access',
  '/src/rules/joining',
  '/src/stores/office/(staff|upload-memory)',
)

function modules(...paths: string[]): RegExp {
  return new RegExp(`(${paths.join('|')})\\.(ts|tsx|mjs|js)$`)
}

interface Chunking {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

// Below `src`, because the shop itself may be in a directory of that name.
const OFFICE = /\/src\/(.*\/)?office([/-]|\.ts$)/

const importersOf = (id: string, chunking: Chunking) => chunking.getModuleInfo(id)?.importers ?? []

/** Whether only the office uses a module: it is in the office's directories, or only they import it. */
function isOfOffice(id: string, chunking: Chunking, seen = new Set<string>()): boolean {
  if (OFFICE.test(id) || seen.has(id)) return true
  seen.add(id)
  const importers = importersOf(id, chunking)
  return importers.length > 0 && importers.every((each) => isOfOffice(each, chunking, seen))
}

/** Whether the office uses a module, alone or with others. */
function isInOffice(id: string, chunking: Chunking, seen = new Set<string>()): boolean {
  if (OFFICE.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return importersOf(id, chunking).some((each) => isInOffice(each, chunking, seen))
}

const isInBoth = (id: string, chunking: Chunking) =>
  !isOfOffice(id, chunking) && isInOffice(id, chunking)

/**
 * Modules that the browser gets in shared files: with a file each, a page would load sixty, at 400 bytes of
 * headers each. A module goes to the first group of the highest priority that matches, with all its imports
 * that no group has yet; so groups for both shop and office come before those of the office alone.
 */
const groups = [
  // Modules of every page's scripts stay out of the files below: no page of the catalogue loads React.
  { name: 'preload', test: /vite\/preload-helper/, priority: 3 },
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
    // Split by entries, so that a page loads only those that it uses.
    entriesAware: true,
    priority: 1,
  },
  { name: 'calls', test: SHOP_CALLS, minShareCount: 2 },
  {
    name: (id: string, chunking: Chunking) => {
      const isGrouped = [OFFICE_TABLE, OFFICE_DOCUMENTS, OFFICE_FORMS, OFFICE_STAFF].some((each) =>
        each.test(id),
      )
      return !isGrouped && isOfOffice(id, chunking) ? 'office' : null
    },
    test: /\/src\//,
    minShareCount: 10,
  },
  { name: 'office-table', test: OFFICE_TABLE },
  { name: 'office-documents', test: OFFICE_DOCUMENTS },
  { name: 'office-forms', test: OFFICE_FORMS },
  { name: 'office-staff', test: OFFICE_STAFF },
]

/** Options of Vite's browser build that put the modules that islands share into few files. */
export const islandChunks = {
  rolldownOptions: { output: { codeSplitting: { groups } } },
}

/**
 * A plug-in of Vite that writes constants where they are used, in place of their names: half a KB less in the
 * file that every page with React loads.
 */
export const inlineConstants = {
  name: 'karras:inline-constants',
  // Of the options for a single environment, Astro passes on those of the output.
  configEnvironment: (name: string) =>
    name === 'client'
      ? { build: { rolldownOptions: { optimization: { inlineConst: true } } } }
      : null,
}
