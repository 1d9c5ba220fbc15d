import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { CALLS } from '../../src/contract/index.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/rules/durations.ts'
import type { Allowance } from '../../src/server/http/attempt-counter.ts'
import { ALLOWANCES } from '../../src/server/http/rate-limits.ts'
import { COMMANDS } from '../../src/server/office/run.ts'
import { read, sourceFiles } from './source.ts'

test('docs/architecture.md names every folder of the server, and no other', () => {
  const text = readFileSync('docs/architecture.md', 'utf8')
  const rows = text.split('### The rooms of the server')[1]?.split('\n## ')[0]?.split('\n') ?? []
  const named = rows.flatMap((row) => {
    const [, first = ''] = row.split('|')
    return [...first.matchAll(/`([a-z-]+)\/`/g)].map(([, room]) => room)
  })
  const rooms = readdirSync('src/server', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(named.toSorted()).toEqual(rooms.toSorted())
})

test('the table of commands in docs/operating.md is that of --help', () => {
  const section = read('docs/operating.md').split('\n## The command line\n')[1] ?? ''
  const rows = section.split('\n\n').find((part) => part.startsWith('| command |'))
  const expected = COMMANDS.map(({ name, usage, summary }) => {
    const call = `${name} ${usage}`.trim().replaceAll('|', '\\|')
    return `| \`${call}\` | ${summary} |`
  })
  expect(rows?.split('\n').slice(2)).toEqual(expected)
})

test('the calls that docs name by `office call` exist', () => {
  const named = DOCS.flatMap((doc) =>
    [...read(doc).matchAll(/`?(?:office|karras) call\s+(\w+)/g)].map(([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !Object.hasOwn(CALLS, name))).toEqual([])
})

test('README.md names every script and every folder of src', () => {
  const text = readFileSync('README.md', 'utf8')
  const scripts = Object.keys(manifest.scripts)
  expect(
    scripts.filter((name) => !new RegExp(`npm (?:run )?(?:--silent )?${name}\\b`).test(text)),
  ).toEqual([])
  const rooms = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const map = text.split('## The map')[1]?.split('\n## ')[0] ?? ''
  expect(
    rooms.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}/`).test(map)),
  ).toEqual([])
})

test('proxies in the docs log nothing of /ws, whose address holds a token', () => {
  const codeOf = (doc: string) => read(doc).match(/^```.*?^```/gms) ?? []
  const proxies = DOCS.flatMap(codeOf)
    .filter((code) => code.includes('proxy_pass'))
    .map((code) => /location \/ws \{([^}]*)\}/.exec(code)?.[1] ?? '')
  expect(proxies.length).toBeGreaterThan(0)
  for (const ofSocket of proxies) {
    expect(ofSocket).toMatch(/^ *access_log off;$/m)
    expect(ofSocket).toMatch(/^ *error_log \/dev\/null;$/m)
  }
})

test('the bounds in docs/operating.md are those of the code', () => {
  const section = read('docs/operating.md').split('\n## Bounds\n')[1] ?? ''
  const rows =
    section
      .split('\n## ')[0]
      ?.match(/^\| .* \|$/gm)
      ?.slice(1) ?? []
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    const [, , limit = '', , named = ''] = row.split('|')
    const [, name = '', file = ''] = /`([\w.]+)` in `([\w./-]+)`/.exec(named) ?? []
    expect(read(file), row).toContain(name.replace(/^ALLOWANCES\./, ''))
    const allowance = (ALLOWANCES as Record<string, Allowance>)[name.replace(/^ALLOWANCES\./, '')]
    if (!allowance) continue
    const [, max, count, unit = ''] = /^ (\d+) in (\d+) (minute|hour)s? $/.exec(limit) ?? []
    const windowMs = Number(count) * (unit === 'hour' ? HOUR_MS : MINUTE_MS)
    expect({ row, max: Number(max), windowMs }).toEqual({ row, ...allowance })
  }
})

const DOCS = ['README.md', 'docs/architecture.md', 'docs/shop.md', 'docs/operating.md']

/** The words of all code in a Markdown text: of code blocks, and of spans such as `src/site.ts`. */
function wordsOfCode(text: string): string[] {
  const parts = text.split('```')
  const spans = parts
    .filter((_, at) => at % 2 === 0)
    .flatMap((part) => part.match(/`[^`]+`/g) ?? [])
  const blocks = parts.filter((_, at) => at % 2 === 1)
  return [...blocks, ...spans.map((span) => span.slice(1, -1))].flatMap((code) =>
    code.split(/,?\s+/),
  )
}

/**
 * A path of the project, possibly without its first folders; excludes what npm, a build or a script
 * generates.
 */
const PATH =
  /^(?!node_modules|dist|screenshots)[a-z_](?:[\w.*{},-]|<[\w-]+>)*(?:\/(?:[\w.*{},-]|<[\w-]+>)*)+$|^[\w-]+\.(?:ts|tsx|astro|mjs|css|md)$/

/** Matches paths that end in this one: `{ar,fr}` is one of these, `*` and `<name>` are any name. */
function endingIn(path: string): RegExp {
  const pattern = path
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)
    .replace(/<[^>]*>|\*/g, '[^/]+')
  return new RegExp(`(?:^|/)${pattern}(?:/|$)`)
}

describe.each(DOCS)('%s', (doc) => {
  const text = readFileSync(doc, 'utf8')

  test('names files and folders that exist', () => {
    const files = sourceFiles(/./)
    const paths = wordsOfCode(text).filter((word) => PATH.test(word))
    expect(paths.filter((path) => !files.some((file) => endingIn(path).test(file)))).toEqual([])
  })

  test('names scripts that exist', () => {
    const names = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name)
    expect(names.filter((name) => !(name in manifest.scripts))).toEqual([])
  })
})

test('the recipes in README.md name code that exists', () => {
  const recipes =
    readFileSync('README.md', 'utf8').split('## How to …')[1]?.split('\n### ')[0] ?? ''
  const names = wordsOfCode(recipes).flatMap(
    (word) => /^([A-Z]\w+|[a-z]\w*[A-Z]\w*)/.exec(word)?.[1] ?? [],
  )
  expect(names.length).toBeGreaterThan(20)
  const code = sourceFiles(/^(?:src|tests|scripts)\/.*\.(?:tsx?|astro)$/)
    .map(read)
    .join('\n')
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([])
})

test('comments cite nothing from outside the project', () => {
  const cited = sourceFiles(/^(?:src|tests|scripts)\/.*\.(?:tsx?|astro|css|mjs)$/).flatMap((file) =>
    (read(file).match(/.*(?:\bsection \d|(?<!RFC \d+ )\u00a7).*/g) ?? []).map(
      (line) => `${file}: ${line}`,
    ),
  )
  expect(cited).toEqual([])
  const all = sourceFiles(/./)
  const missing = sourceFiles(/^(?:src|tests|scripts)\/.*\.(?:tsx?|astro|css|mjs)$/).flatMap(
    (file) =>
      [...read(file).matchAll(/(?:\/\/|\*).*?([\w/.-]+\.md)\b/g)]
        .map(([, cited = '']) => cited)
        .filter((cited) => !all.some((path) => endingIn(cited).test(path)))
        .map((cited) => `${file}: ${cited}`),
  )
  expect(missing).toEqual([])
})
