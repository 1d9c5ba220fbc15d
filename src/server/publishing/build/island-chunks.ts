/** What carries every call, the shop's and the office's. */
const WIRE = new RegExp(
  [
    '/src/client/(api|http)\\.ts$',
    '/src/contract/(call|encode|errors|names|pages|values)\\.ts$',
    '/node_modules/(superstruct|ofetch|destr|ufo)/',
  ].join('|'),
)

/** The calls of the shop; those of the office go with its pages, and buyers load none of them. */
const SHOP_CALLS =
  /\/src\/contract\/(accounts|carts|catalogue|chat|library|orders|ratings|wallet|wishlists)\.ts$/

interface Chunking {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

/** Whether nothing but the office uses a module: its own rooms, and what only they import. */
function isOfOffice(id: string, chunking: Chunking, seen = new Set<string>()): boolean {
  if (/\/office[/-]|\/office\.ts$/.test(id) || seen.has(id)) return true
  seen.add(id)
  const importers = chunking.getModuleInfo(id)?.importers ?? []
  return importers.length > 0 && importers.every((each) => isOfOffice(each, chunking, seen))
}

/** Modules that the browser gets in one file with others: with a file each, a page would load sixty. */
const groups = [
  // What scripts of every page use stays out of the files below: no page of the catalogue loads React.
  { name: 'preload', test: /vite\/preload-helper/, priority: 1 },
  { name: 'keys', test: /\/src\/rules\/storage-keys\.ts$/, priority: 1 },
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
  // What most islands have in common. Not their components: a style sheet goes where its module goes.
  {
    name: (id: string, chunking: Chunking) => (isOfOffice(id, chunking) ? null : 'islands'),
    test: /\/src\/(rules|i18n|stores|islands\/parts)\/(?!.*office)[^A-Z]*$/,
    minShareCount: 8,
  },
  // What comes with the first call. The office has the first of them in common with the shop.
  { name: 'wire', test: WIRE, priority: 1 },
  { name: 'calls', test: SHOP_CALLS, minShareCount: 2 },
]

/** Options of Vite that put what islands share into few files, in the browser's build alone. */
export const islandChunks = { rolldownOptions: { output: { codeSplitting: { groups } } } }
