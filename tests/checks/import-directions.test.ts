import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, read, sourceFiles } from './source.ts'

/** Which rooms each room may import from; the house's directions. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  site: [],
  rules: ['rules'],
  contract: ['contract', 'rules'],
  i18n: ['i18n', 'rules', 'locales'],
  styles: [],
  middleware: ['i18n'],
  client: ['client', 'contract', 'rules'],
  stores: ['stores', 'client', 'contract', 'rules'],
  islands: ['islands', 'stores', 'contract', 'rules', 'i18n'],
  components: ['components', 'i18n', 'rules', 'contract', 'islands', 'site', 'styles'],
  layouts: ['layouts', 'components', 'i18n', 'rules', 'contract', 'islands', 'site', 'styles'],
  pages: [
    'pages',
    'layouts',
    'components',
    'i18n',
    'rules',
    'contract',
    'client',
    'islands',
    'site',
    'styles',
    'stores',
  ],
  // The server renders pages through the build, never by import.
  server: ['server', 'contract', 'rules', 'i18n', 'site', 'client'],
}

const IMPORT = /(?:from\s+|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g

function roomOf(file: string): string {
  const inside = path.relative(path.join(ROOT, 'src'), file)
  // What lies beside `src` is a room as well: `locales`.
  const [room = ''] = inside.split(path.sep).filter((part) => part !== '..')
  return room.replace(/\.(ts|d\.ts)$/, '')
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(IMPORT)].map(([, target]) => target ?? '')
}

const files = sourceFiles(/^src\/.*\.(ts|tsx|astro|mjs)$/)

describe('the directions of the house', () => {
  test('every room imports only from the rooms that it may', () => {
    const wrong: string[] = []
    for (const file of files) {
      const room = roomOf(path.join(ROOT, file))
      const allowed = MAY_IMPORT[room]
      if (!allowed) continue
      for (const target of importsOf(file)) {
        if (!target.startsWith('.')) continue
        const other = roomOf(path.resolve(ROOT, path.dirname(file), target))
        if (!allowed.includes(other)) wrong.push(`${file} imports ${target} (${room} → ${other})`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('a resource of the server uses another only through its <resource>.ts', () => {
    const wrong: string[] = []
    const insides = new Set(['routes', 'present'])
    for (const file of files.filter((name) => name.startsWith('src/server/'))) {
      if (file === 'src/server/routes.ts') continue
      for (const target of importsOf(file)) {
        if (!target.startsWith('.')) continue
        const resolved = path.relative(ROOT, path.resolve(ROOT, path.dirname(file), target))
        const folder = path.dirname(resolved)
        if (folder === path.dirname(file)) continue
        if (insides.has(path.basename(resolved, '.ts'))) wrong.push(`${file} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('nothing imports main.ts, and every relative import exists with its ending', () => {
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
