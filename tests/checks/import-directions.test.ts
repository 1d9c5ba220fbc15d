import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, read, sourceFiles } from './source.ts'
import { cyclesOf, grouped, importsOfFiles } from './source-graph.ts'

/**
 * What the office shows as the shop does: conversations, and a person's own log-ins, contacts and
 * deletion.
 */
const SHOWN_IN_BOTH = [
  'islands/chat',
  'stores/chat',
  'islands/own-account',
  'islands/account/PasswordAdvice.tsx',
  'stores/user-data/unsent-texts.ts',
]

/** The folders, and files of other folders, that each folder of src may import from. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  site: [],
  rules: ['rules'],
  contract: ['contract', 'rules'],
  i18n: ['i18n', 'rules', 'locales', 'site'],
  styles: ['styles'],
  middleware: ['contract', 'i18n', 'rules'],
  env: ['contract', 'i18n', 'rules', 'client'],
  worker: ['worker', 'i18n', 'rules'],
  client: ['client', 'contract', 'rules'],
  stores: ['stores', 'client', 'contract', 'rules'],
  // Sheets and drawings of static parts and islands alike.
  parts: ['parts', 'contract', 'rules', 'i18n'],
  islands: ['islands', 'parts', 'stores', 'contract', 'rules', 'i18n', 'locales'],
  office: [
    'office',
    'client',
    'stores/shared',
    'islands/parts',
    'parts',
    'components',
    'i18n',
    'contract',
    'rules',
    'locales',
    ...SHOWN_IN_BOTH,
  ],
  // Their custom elements show what the stores hold.
  components: [
    'components',
    'parts',
    'i18n',
    'rules',
    'contract',
    'stores',
    'islands',
    'site',
    'styles',
  ],
  layouts: [
    'layouts',
    'components',
    'i18n',
    'rules',
    'contract',
    'stores',
    'islands',
    'parts',
    'office',
    'site',
    'styles',
  ],
  pages: [
    'pages',
    'layouts',
    'components',
    'i18n',
    'rules',
    'contract',
    'client',
    'islands',
    'parts',
    'office',
    'site',
    'styles',
    'stores',
  ],
  // The server renders pages through the build, never by import.
  server: ['server', 'contract', 'rules', 'i18n', 'site', 'client', 'styles'],
}

const IMPORT = /(?:from\s+|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g

/** The path below `src`, or beside it for folders such as `locales`. */
function placeOf(file: string): string {
  const inside = path.relative(path.join(ROOT, 'src'), file)
  return inside
    .split(path.sep)
    .filter((part) => part !== '..')
    .join('/')
}

const roomOf = (file: string) => (placeOf(file).split('/')[0] ?? '').replace(/\.(ts|d\.ts)$/, '')

/** Whether a file is one of these, or in one of these folders. */
const isIn = (allowed: readonly string[], file: string) =>
  allowed.includes(roomOf(file)) ||
  allowed.some((place) => placeOf(file) === place || placeOf(file).startsWith(`${place}/`))

function importsOf(file: string): string[] {
  return [...read(file).matchAll(IMPORT)].map(([, target]) => target ?? '')
}

const files = sourceFiles(/^src\/.*\.(ts|tsx|astro|mjs)$/)

describe('import directions', () => {
  test('every folder imports only from the folders that it may', () => {
    const wrong: string[] = []
    for (const file of files) {
      const room = roomOf(path.join(ROOT, file))
      const allowed = MAY_IMPORT[room]
      if (!allowed) {
        if (importsOf(file).length > 0) wrong.push(`${file} is in a room without directions`)
        continue
      }
      for (const target of importsOf(file)) {
        if (!target.startsWith('.')) continue
        const other = path.resolve(ROOT, path.dirname(file), target)
        if (!isIn(allowed, other)) wrong.push(`${file} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('nothing imports main.ts, and every relative import exists and has its extension', () => {
    const wrong: string[] = []
    for (const file of files) {
      for (const target of importsOf(file)) {
        if (!target.startsWith('.')) continue
        const resolved = path.resolve(ROOT, path.dirname(file), target.replace(/\?.*$/, ''))
        if (!existsSync(resolved) || path.extname(resolved) === '') wrong.push(`${file}: ${target}`)
        if (resolved === path.join(ROOT, 'src/server/main.ts')) wrong.push(`${file}: ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

/**
 * What every resource is built on; any other folder of the server is imported through
 * `<name>/<name>.ts`.
 */
const FOUNDATIONS = new Set(['concurrency', 'config', 'database', 'http'])

/**
 * Lists of what every resource answers and does in the background: faces would repeat them, and
 * nothing imports a resource for its routes but these.
 */
const LISTS = new Set(['src/server/routes.ts', 'src/server/background-jobs.ts'])

const graph = importsOfFiles()
const serverRoom = (file: string) => /^src\/server\/([^/]+)\//.exec(file)?.[1]

describe('the server', () => {
  test('imports another resource only through its main file', () => {
    const wrong: string[] = []
    for (const [file, targets] of graph) {
      if (!file.startsWith('src/server/') || LISTS.has(file)) continue
      const room = serverRoom(file)
      for (const target of targets) {
        const other = serverRoom(target)
        if (!other || other === room || FOUNDATIONS.has(other)) continue
        if (target !== `src/server/${other}/${other}.ts`) wrong.push(`${file} → ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

/** All folders of `src` that have folders, with `src` itself. */
const parents = new Set(
  files.flatMap((file) => {
    const folders = file.split('/').slice(0, -2)
    return folders.map((_, at) => folders.slice(0, at + 1).join('/'))
  }),
)

test.each([...parents])('the folders of %s do not import each other in a cycle', (parent) => {
  const child = (file: string) =>
    file.startsWith(`${parent}/`)
      ? /^([^/]+)\//.exec(file.slice(parent.length + 1))?.[1]
      : undefined
  expect(cyclesOf(grouped(graph, child))).toEqual([])
})

test('no files import each other in a cycle, not even types', () => {
  expect(cyclesOf(graph)).toEqual([])
})
