interface Chunking {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

// Below `src`, because the shop itself may be in a directory of that name.
const OFFICE = /\/src\/(.*\/)?office([/-]|\.ts$)/

/** The script that a layout has on each of its pages, as Astro names it. */
const PAGE_SCRIPT = /\/src\/layouts\/.*\.astro\?.*type=script/

/** Whether a module, or one that imports it statically, has such a path. */
function isNeededBy(
  path: RegExp,
  id: string,
  chunking: Chunking,
  seen = new Set<string>(),
): boolean {
  if (path.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  const importers = chunking.getModuleInfo(id)?.importers ?? []
  return importers.some((each) => isNeededBy(path, each, chunking, seen))
}

/** Whether only the office uses a module: it is in the office's directories, or only they import it. */
function isOfOffice(id: string, chunking: Chunking, seen = new Set<string>()): boolean {
  if (OFFICE.test(id) || seen.has(id)) return true
  seen.add(id)
  const importers = chunking.getModuleInfo(id)?.importers ?? []
  return importers.length > 0 && importers.every((each) => isOfOffice(each, chunking, seen))
}

/**
 * Which modules the browser gets in shared files; all others are as Rolldown puts them. No page of the
 * catalogue loads React, and none of the shop the code of the office, before it is touched.
 */
const groups = [
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
  {
    // What the script of every page shares with islands. Not the script itself: who loads this file
    // for what is shared must not run it.
    name: (id: string, chunking: Chunking) => {
      if (PAGE_SCRIPT.test(id) || !isNeededBy(PAGE_SCRIPT, id, chunking)) return null
      return isNeededBy(OFFICE, id, chunking) ? 'page' : 'page-shop'
    },
    minShareCount: 2,
    priority: 2,
  },
  {
    // Each file costs a visit 400 bytes of headers: what many islands use is together.
    name: (id: string, chunking: Chunking) => {
      if (isOfOffice(id, chunking)) return 'office'
      return isNeededBy(OFFICE, id, chunking) ? 'both' : 'shop'
    },
    minShareCount: 8,
    priority: 1,
  },
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
