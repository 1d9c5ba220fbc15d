import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { build } from 'esbuild'
import { DIRECTIVES } from '../answers/content-security-policy.ts'
import { hashOfSources, PAGE_SCRIPTS } from './builds.ts'

/**
 * The site's adapter for Astro: the built site is a function from a request to a response
 * (`site/entry.ts`), which the shop calls in-process. It also gives the pages their addresses in all
 * languages, the scripts of the head, and few files for the islands.
 */
export function publishing(): AstroIntegration {
  return {
    name: 'karras:publishing',
    hooks: {
      'astro:config:setup': (setup) => {
        localeRoutes(setup)
        setup.updateConfig({
          // The scripts and styles of Astro's development server have no hashes.
          security: {
            csp: setup.command !== 'dev' && { algorithm: 'SHA-256', directives: [...DIRECTIVES] },
          },
          vite: {
            plugins: [headScripts(setup.config.srcDir), inlineConstants, pageScripts],
            // Set here, since Astro does not read it from an environment's options.
            environments: { client: { build: islandChunks } },
          },
        })
      },
      'astro:config:done': ({ setAdapter }) =>
        setAdapter({
          name: 'karras:publishing',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('../site/entry.ts', import.meta.url),
          // A prerendered page gets its policy as a header, as any other.
          adapterFeatures: { staticHeaders: true },
          supportedAstroFeatures: {
            serverOutput: 'stable',
            hybridOutput: 'stable',
            sharpImageService: 'stable',
          },
        }),
    },
  }
}

const WORKERS: Readonly<Record<string, string>> = {
  'virtual:karras/worker': 'worker/worker.ts',
  'virtual:karras/worker-off': 'worker/worker-off.ts',
}

/** Virtual modules, each the text of one small script, and their sources. */
const SOURCES: Readonly<Record<string, string>> = {
  ...WORKERS,
  'virtual:karras/head': 'layouts/head.ts',
  'virtual:karras/first-page': 'layouts/first-page.ts',
  'virtual:karras/office-gate': 'layouts/office-gate.ts',
  'virtual:karras/first-choice': 'islands/charging/first-choice.ts',
  'virtual:karras/office-menu': 'layouts/office-menu.ts',
  'virtual:karras/count-visit': 'components/teacher/count-visit.ts',
}

/** A plug-in of Vite that bundles the workers, and the scripts that run in a page's head. */
function headScripts(srcDir: URL) {
  let isBuild = true
  return {
    name: 'karras:head-scripts',
    configResolved({ command }: { command: string }) {
      isBuild = command === 'build'
    },
    resolveId: (id: string) => (id in SOURCES ? `\0${id}` : undefined),
    async load(this: { addWatchFile(file: string): void }, path: string) {
      const id = path.startsWith('\0') ? path.slice(1) : ''
      const source = SOURCES[id]
      if (!source) return
      const { text, inputs } = await bundleInline(fileURLToPath(new URL(source, srcDir)), isBuild)
      for (const input of inputs) this.addWatchFile(input)
      // A browser replaces its worker when a byte of it differs: the mark makes it differ in each build.
      const mark = id in WORKERS ? `/*${hashOfSources(process.cwd())}*/` : ''
      return `export default ${JSON.stringify(mark + text)}`
    },
  }
}

/** A file and its imports as a minified classic script, and the files that it was made from. */
export async function bundleInline(
  source: string,
  isBuild = true,
): Promise<{ text: string; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    // Omits "use strict", since each byte is in every page.
    tsconfigRaw: {},
    define: { 'import.meta.env.PROD': `${isBuild}` },
    write: false,
    metafile: true,
    absWorkingDir: process.cwd(),
  })
  // A `</script` in the text would end the element early.
  const text = (outputFiles[0]?.text ?? '').trim().replaceAll('</script', '<\\/script')
  return { text, inputs: Object.keys(metafile.inputs) }
}

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
    // What the script of every page shares with islands. Not the script itself: an entry that
    // loads this file for what is shared must not run it.
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
const islandChunks = {
  rolldownOptions: { output: { codeSplitting: { groups } } },
}

/**
 * A plug-in of Vite that writes constants where they are used, in place of their names: half a KB
 * less for every page with React.
 */
const inlineConstants = {
  name: 'karras:inline-constants',
  // Astro passes on only the options of the output for a single environment.
  configEnvironment: (name: string) =>
    name === 'client'
      ? { build: { rolldownOptions: { optimization: { inlineConst: true } } } }
      : null,
}

/** What is used here of a file that the build has written. */
interface Written {
  fileName: string
  facadeModuleId?: string | null
  imports?: string[]
}

/**
 * A plug-in of Vite that lists the script of the shop's pages and the files that it imports, for
 * `loadSite`. A page names them all, so that a browser requests them together.
 */
const pageScripts = {
  name: 'karras:page-scripts',
  applyToEnvironment: ({ name }: { name: string }) => name === 'client',
  async writeBundle({ dir = '' }: { dir?: string }, files: Record<string, Written>) {
    const script = Object.values(files).find(({ facadeModuleId }) =>
      facadeModuleId?.includes('/src/layouts/Head.astro?'),
    )
    const names = script ? [script.fileName, ...(script.imports ?? [])] : []
    const addresses = JSON.stringify(names.map((name) => `/${name}`))
    await writeFile(join(dir, '../server', PAGE_SCRIPTS), addresses)
  },
}

type Setup = Parameters<NonNullable<AstroIntegration['hooks']['astro:config:setup']>>[0]

/** Gives every page of `src/pages` its addresses in the other languages: `/shop`, `/fr/shop`, `/en/shop`. */
function localeRoutes({ config, command, injectRoute, addWatchFile }: Setup): void {
  const pages = new URL('pages/', config.srcDir)
  const prefixes = prefixedLocales(config.i18n).map((locale) => `/${locale}`)
  addWatchFile(pages)
  for (const file of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
    const route = routeOf(file)
    if (route === undefined) continue
    for (const prefix of prefixes) {
      injectRoute({ pattern: prefix + route, entrypoint: new URL(file, pages) })
    }
  }
  if (command !== 'dev') return
  // Every component in each of its states: for developers, not for visitors.
  const entrypoint = new URL('_gallery/Gallery.astro', pages)
  for (const prefix of ['', ...prefixes]) injectRoute({ pattern: `${prefix}/gallery`, entrypoint })
}

type I18n = { defaultLocale: string; locales: (string | { path: string })[] } | undefined

function prefixedLocales(i18n: I18n): string[] {
  const paths = (i18n?.locales ?? []).map((l) => (typeof l === 'string' ? l : l.path))
  return paths.filter((path) => path !== i18n?.defaultLocale)
}

/** `shop-details/[id].astro` → `/shop-details/[id]`, `index.astro` → ``; undefined for other files. */
export function routeOf(file: string): string | undefined {
  const segments = file.replaceAll('\\', '/').split('/')
  if (!file.endsWith('.astro') || segments.some((segment) => segment.startsWith('_'))) return
  return `/${segments.join('/')}`.replace(/\.astro$/, '').replace(/\/index$/, '')
}
