import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import waitingTexts from '../../locales/en/office-waiting.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import type { AnyCall } from '../../src/contract/call.ts'
import { CALLS } from '../../src/contract/index.ts'
import { textsIn } from '../../src/i18n/texts.ts'
import { DETAILS, ruleOf } from '../../src/rules/document-fields.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/rules/durations.ts'
import { OFFICE_PATHS, type OfficePath } from '../../src/rules/pages.ts'
import { RETENTION } from '../../src/rules/retention.ts'
import { scheduledJobs } from '../../src/server/background-jobs.ts'
import { readFields } from '../../src/server/command-line/call.ts'
import type { Monitor } from '../../src/server/command-line/command.ts'
import { COMMANDS } from '../../src/server/command-line/run.ts'
import { settingsTable } from '../../src/server/config/settings.ts'
import type { Deps } from '../../src/server/deps.ts'
import type { Allowance } from '../../src/server/http/attempt-counter.ts'
import { ALLOWANCES } from '../../src/server/http/rate-limits.ts'
import { MAIL_KINDS } from '../../src/server/mail/queue.ts'
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

test('the table of commands in docs/operating/command-line.md is that of --help', () => {
  const section = read('docs/operating/command-line.md').split('\n## The command line\n')[1] ?? ''
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

test('the calls in docs that give fields give all that they need', async () => {
  const monitor = { ask: async () => '', piped: async () => '' } as unknown as Monitor
  const calls: Readonly<Record<string, AnyCall>> = CALLS
  let count = 0
  for (const [example, name = ''] of DOCS.flatMap((doc) => [...read(doc).matchAll(TYPED_CALL)])) {
    const fields = (example.match(/(?<= )[\w.]+=(?:"[^"]*"|[^\s"])*/g) ?? []).map((field) =>
      // `@file` and placeholders such as `<id>` stand for some value.
      field.replaceAll('"', '').replace(/=[@<].*$/, '=1'),
    )
    const call = calls[name]
    if (!call || fields.length === 0) continue
    await expect(readFields(call, fields, monitor), example).resolves.toBeDefined()
    count += 1
  }
  expect(count).toBeGreaterThan(10)
})

test('docs/operating.md has the table of settings that `npm run api` writes', () => {
  expect(read('docs/operating.md')).toContain(`\n\n${settingsTable()}\n\n`)
})

test('the jobs that run by the clock are in docs/operating/watching.md, and have names in the office', () => {
  const everything = { config: { cdn: { purge: {} }, chatMail: true }, sms: {} } as unknown as Deps
  const jobs = scheduledJobs(everything).map(({ name }) => name)
  const section = read('docs/operating/watching.md').split('\n## What runs by the clock\n')[1] ?? ''
  const firstCells = section.split('\n## ')[0]?.match(/^\| `[^|]+/gm) ?? []
  const named = firstCells.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  expect(named.toSorted()).toEqual(jobs.toSorted())
  const { turns, mails } = waitingTexts.page
  expect(jobs.filter((name) => !Object.hasOwn(turns, name))).toEqual([])
  expect(Object.keys(MAIL_KINDS).filter((kind) => !Object.hasOwn(mails, kind))).toEqual([])
})

test('README.md names every folder of src, and the documents name every script', () => {
  const scripts = Object.keys(manifest.scripts)
  const all = DOCS.map(read).join('\n')
  expect(
    scripts.filter((name) => !new RegExp(`npm (?:run )?(?:--silent )?${name}\\b`).test(all)),
  ).toEqual([])
  const rooms = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const map = read('README.md').split('## The map')[1]?.split('\n## ')[0] ?? ''
  expect(
    rooms.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}/`).test(map)),
  ).toEqual([])
})

test('vitest.config.ts names tests that exist among those that take long', () => {
  const [, list = ''] = /const LONG = \[([^\]]*)\]/.exec(read('vitest.config.ts')) ?? []
  const names = [...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  const tests = sourceFiles(/^tests\/.*\.test\.ts$/)
  expect(names.filter((name) => !tests.some((file) => file.endsWith(`/${name}.test.ts`)))).toEqual(
    [],
  )
})

test('README.md tests with the command that .ci/run runs', () => {
  const [, command = ''] =
    /```sh\nnpm ci && (npm test)\n```/.exec(read('README.md').split('## Two commands')[1] ?? '') ??
    []
  expect(command).toBe('npm test')
  expect(read('.ci/run')).toMatch(new RegExp(`^${command} -- --landing `, 'm'))
})

test('docs/testing.md names the cases of every randomised test', () => {
  const amounts = sourceFiles(/^tests\/.*\.test\.ts$/).flatMap((file) =>
    [...read(file).matchAll(/amount\('(\w+)', \{ usual: ([\d_]+), long: ([\d_]+) \}\)/g)].map(
      ([, name, usual, long]) => `${name} ${usual} ${long}`.replaceAll('_0', '0'),
    ),
  )
  expect(amounts.length).toBeGreaterThan(10)
  const named = rowsOf('docs/testing.md', 'Randomised tests').map(([variable = '', ...counts]) =>
    [variable.replaceAll('`', ''), ...counts.slice(0, 2)].join(' '),
  )
  expect(named.toSorted()).toEqual(amounts.toSorted())
})

test('the limits in docs/recipes.md are constants of the file beside them', () => {
  const rows = rowsOf('docs/recipes.md', 'Change a limit').filter((cells) => cells.length === 3)
  expect(rows.length).toBeGreaterThan(10)
  for (const [, constants = '', file = ''] of rows) {
    for (const [, name] of constants.matchAll(/`(\w+)`/g)) {
      expect(read(file.replaceAll('`', ''))).toMatch(
        new RegExp(`^(?:export )?const ${name}\\b`, 'm'),
      )
    }
  }
})

test('the documents name the hours for which a log-in lasts', () => {
  const hours = DOCS.flatMap((doc) => {
    const sentences =
      read(doc)
        .replace(/\n(?![\n|-])/g, ' ')
        .match(/[^\n]*?(?:[.|]\s|$)/gm) ?? []
    return sentences.flatMap((text) =>
      /\b(?:tokens?|log-ins?)\b/.test(text) && !/link/.test(text)
        ? [...text.matchAll(/(\d+) hours/g)].map(([, count]) => Number(count))
        : [],
    )
  })
  expect(hours.length).toBeGreaterThan(3)
  expect(new Set(hours)).toEqual(new Set([RETENTION.logIns / HOUR_MS]))
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

test('the bounds in docs/operating/limits.md are those of the code', () => {
  const section = read('docs/operating/limits.md').split('\n## Bounds\n')[1] ?? ''
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
  const named = new Set(rows.flatMap((row) => /`ALLOWANCES\.(\w+)`/.exec(row)?.[1] ?? []))
  expect(Object.keys(ALLOWANCES).filter((name) => !named.has(name))).toEqual([])
})

test('docs/operating/watching.md names the metrics of the shop, and no other', () => {
  const code = ['counters', 'readings'].map((file) => read(`src/server/metrics/${file}.ts`)).join()
  const metrics = [...code.matchAll(/name: '(karras_\w+)'/g)].map(([, name = '']) => name)
  expect(metrics.length).toBeGreaterThan(20)
  const rows = read('docs/operating/watching.md').match(/^\| `karras_[^|]*/gm) ?? []
  const named = rows.flatMap((row) => [...row.matchAll(/`(karras_\w+)`/g)].map(([, name]) => name))
  expect(named.toSorted()).toEqual(metrics.toSorted())
})

/** All documents. */
const DOCS = sourceFiles(/^(?:[A-Z]+|docs\/.*)\.md$/)

test('every document is linked from another one', () => {
  const linked = new Set(DOCS.flatMap((doc) => linksOf(doc).map(({ target }) => target)))
  expect(DOCS.filter((doc) => doc !== 'README.md' && !linked.has(doc))).toEqual([])
})

/** The links of a document within the project: the file that each leads to, and the heading. */
function linksOf(doc: string): { target: string; anchor: string | undefined }[] {
  return [...read(doc).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(
    ([, file = '', anchor]) => ({
      target: file === '' ? doc : path.join(path.dirname(doc), file),
      anchor,
    }),
  )
}

/** The cells of all table rows of a section, without the headings of the tables. */
function rowsOf(doc: string, heading: string): string[][] {
  const section = read(doc).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const tables = section.match(/(?:^\|.*\|\n)+/gm) ?? []
  return tables.flatMap((table) =>
    table
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  )
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(doc: string): string[] {
  return [...read(doc).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** A call with its fields and options, as it is typed: `office call name field=value`, or `name field=value` as a span. */
const TYPED_CALL =
  /(?:\b(?:office|karras) call |`)(\w+)(?: (?:[\w.]+=|--\w+)(?:"[^"]*"|[^\s"`])*)+/g

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

  test('is short enough to be read', () => {
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(7000)
  })

  test('has no cell of a table that is a paragraph', () => {
    const cells = text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .flatMap((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    expect(cells.filter((cell) => cell.length > 160)).toEqual([])
  })

  test('names files and folders that exist', () => {
    const files = sourceFiles(/./)
    const paths = wordsOfCode(text).filter((word) => PATH.test(word))
    expect(paths.filter((path) => !files.some((file) => endingIn(path).test(file)))).toEqual([])
  })

  test('links to documents and headings that exist', () => {
    const files = sourceFiles(/./)
    const wrong = linksOf(doc).filter(
      ({ target, anchor }) =>
        !files.includes(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
    )
    expect(wrong).toEqual([])
  })

  test('names pages of the office that exist', () => {
    const named = [...text.matchAll(/`(\/office\/[a-z-]+)/g)].map(([, page = '']) => page)
    expect(named.filter((page) => !OFFICE_PATHS.includes(page as OfficePath))).toEqual([])
  })

  test('names scripts that exist', () => {
    const names = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name)
    expect(names.filter((name) => !(name in manifest.scripts))).toEqual([])
  })
})

test('the recipes name code that exists', () => {
  const names = wordsOfCode(read('docs/recipes.md')).flatMap(
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

test.each(DETAILS)('docs/shop/documents.md names the detail %s of documents', (name) => {
  const rule = ruleOf(name)
  const named = String(textsIn('en', 'office-documents:fields')[name]).toLowerCase()
  const range = rule.kind === 'number' ? ` (${rule.least} to ${rule.most}` : ''
  expect(read('docs/shop/documents.md')).toContain(`${named}${range}`)
})
