interface Chunking {
  getModuleInfo(id: string): Readonly<Record<Direction, readonly string[]>> | null
}
type Direction = 'importers' | 'importedIds'

// Below `src`, because the shop itself may be in a directory of that name.
const OFFICE = /\/src\/(.*\/)?(office([/-]|\.ts$)|Office[A-Z])/
const REACT = /\/node_modules\/(react|react-dom|scheduler)\//
/** What reads the answers of calls. */
const SCHEMAS = /\/node_modules\/superstruct\//

/** The script that a layout has on each of its pages, as Astro names it. */
const PAGE_SCRIPT = /\/src\/layouts\/.*\.astro\?.*type=script/

/** Whether a module, or one that static imports lead to in this direction, has such a path. */
function leadsTo(
  path: RegExp,
  direction: Direction,
  id: string,
  chunking: Chunking,
  seen = new Set<string>(),
): boolean {
  if (path.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  const next = chunking.getModuleInfo(id)?.[direction] ?? []
  return next.some((each) => leadsTo(path, direction, each, chunking, seen))
}

/** Whether only the office uses a module: it is in the office's directories, or only they import it. */
function isOfOffice(id: string, chunking: Chunking, seen = new Set<string>()): boolean {
  if (OFFICE.test(id) || seen.has(id)) return true
  seen.add(id)
  const importers = chunking.getModuleInfo(id)?.importers ?? []
  return importers.length > 0 && importers.every((each) => isOfOffice(each, chunking, seen))
}

/** Whether a module imports one with such a path, be it indirectly. */
const needs = (path: RegExp, id: string, chunking: Chunking): boolean =>
  leadsTo(path, 'importedIds', id, chunking)

/** The name of a file that many entries share: by its kind, and whether the office uses it as well. */
const fileFor = (kind: string, id: string, chunking: Chunking): string =>
  leadsTo(OFFICE, 'importers', id, chunking) ? kind : `${kind}-shop`

/** Each file costs a visit 400 bytes of headers: what this many entries use is in few files. */
const MANY = 8

/**
 * Which modules the browser gets in shared files; all others are as Rolldown puts them. No page of the
 * catalogue loads React, and none of the shop the code of the office, before it is touched. With a
 * module, its imports come into the file: so the rules for what others need come first.
 */
const groups = [
  { name: 'react', test: REACT, priority: 5 },
  {
    // What the script of every page shares with islands. Not the script itself: who loads this file
    // for what is shared must not run it.
    name: (id: string, chunking: Chunking) => {
      if (PAGE_SCRIPT.test(id) || !leadsTo(PAGE_SCRIPT, 'importers', id, chunking)) return null
      return fileFor('page', id, chunking)
    },
    minShareCount: 2,
    priority: 4,
  },
  {
    // Apart from the rest, so that scripts without React and without calls load neither.
    name: (id: string, chunking: Chunking) => {
      const isPlain = !needs(REACT, id, chunking) && !needs(SCHEMAS, id, chunking)
      return isPlain && !isOfOffice(id, chunking) ? fileFor('plain', id, chunking) : null
    },
    minShareCount: MANY,
    priority: 3,
  },
  {
    name: (id: string, chunking: Chunking) => {
      const isFree = !needs(REACT, id, chunking) && !isOfOffice(id, chunking)
      return isFree ? fileFor('calls', id, chunking) : null
    },
    minShareCount: MANY,
    priority: 2,
  },
  {
    name: (id: string, chunking: Chunking) =>
      isOfOffice(id, chunking) ? 'office' : fileFor('islands', id, chunking),
    minShareCount: MANY,
    priority: 1,
  },
]

/** Options of Vite's browser build that put the modules that islands share into few files. */
export const islandChunks = {
  rolldownOptions: { output: { codeSplitting: { groups } } },
}

/**
 * A plug-in of Vite that writes constants where they are used, in place of their names: half a KB
 * less for every page with React.
 */
export const inlineConstants = {
  name: 'karras:inline-constants',
  // Of the options for a single environment, Astro passes on those of the output.
  configEnvironment: (name: string) =>
    name === 'client'
      ? { build: { rolldownOptions: { optimization: { inlineConst: true } } } }
      : null,
}
