import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  IMPORT_PROBLEMS,
  LIST_CELL_MAX_LENGTH,
  LIST_MAX_BYTES,
  LIST_MAX_COLUMNS,
  PACKAGE_MAX_FILES,
} from '../../src/rules/imports.ts'
import { checkRows, LONGEST, type Shop } from '../../src/server/documents/import/check-rows.ts'
import { COLUMN_NAMES, type Column } from '../../src/server/documents/import/columns.ts'
import { csvOf } from '../../src/server/documents/import/export.ts'
import { readList } from '../../src/server/documents/import/read-list.ts'
import { listArchive, unpackEntry } from '../../src/server/uploads/archive.ts'
import { type HostileFile, hostileZip } from '../support/hostile-zips.ts'
import { ROW } from '../support/office-import.ts'

const SHOP: Shop = {
  subjects: [aListed('mathematics')],
  classes: [{ ...aListed('primary-6'), level: 'primary-school' }],
  categories: [aListed('exercises')],
  teachers: new Set(),
  otherAccounts: new Set(),
}

function aListed(code: string) {
  return { id: 1, names: [code], code, inLanguages: [code, code, code], isRetired: false }
}

const HEADER = COLUMN_NAMES.join(';')
const read = (text: string | Uint8Array, format: 'csv' | 'json' = 'csv') =>
  readList(Readable.from([Buffer.from(text as string)]), format)

const codesOf = async (text: string, format: 'csv' | 'json' = 'csv') =>
  (await read(text, format)).problems.map(({ code, detail }) => `${code} ${detail}`.trim())

/** Exactly as many letters as fill a list. */
const full = (head: string, piece: string) =>
  head + piece.repeat(Math.floor((LIST_MAX_BYTES - Buffer.byteLength(head)) / piece.length))

describe('a list beyond its limits', () => {
  test('of six million rows is not read to the end', async () => {
    let given = 0
    async function* rows() {
      yield Buffer.from(`${HEADER}\n`)
      const piece = Buffer.from('1;2\n'.repeat(10_000))
      for (let row = 0; row < 6_000_000; row += 10_000) {
        given += piece.length
        yield piece
      }
    }
    for (const format of ['csv', 'json'] as const) {
      given = 0
      const { rows: found, problems } = await readList(rows(), format)
      expect(found).toEqual([])
      expect(problems).toEqual([{ row: null, column: null, code: 'list_too_large', detail: '4' }])
      expect(given).toBeLessThan(LIST_MAX_BYTES + 50_000)
    }
  })

  test('in CSV is refused by the first limit', async () => {
    const row = ';'.repeat(COLUMN_NAMES.length - 1)
    expect(await codesOf(full(`${HEADER}\n`, `1${row}\n`))).toEqual(['too_many_rows 5000'])
    expect(await codesOf(full('', 'a;'))).toEqual([`too_many_columns ${LIST_MAX_COLUMNS}`])
    expect(await codesOf(full(`${HEADER}\n`, ';'))).toEqual([
      `too_many_columns ${LIST_MAX_COLUMNS}`,
    ])
    expect(await codesOf(full(`${HEADER}\n"`, '1;2\n'))).toEqual([
      expect.stringMatching(/^not_readable Quote Not Closed/),
    ])
    // What was found is shown, but not all of it.
    const [found = ''] = await codesOf(full(`${HEADER}\nx`, 'y').replace(/y$/, '"'))
    expect(found).toMatch(/^not_readable Invalid Opening Quote/)
    expect(found.length).toBeLessThan(400)
    for (const nothing of ['\n', '#\n', ' ']) {
      expect(await codesOf(full(`${HEADER}\n`, nothing)), nothing).toEqual(['no_rows'])
    }
    expect(await codesOf(full('', 'a'))).toContain('no_rows')
    expect(await codesOf(`${HEADER}\n\0${row}`)).toEqual(['not_utf8'])
  })

  test('in JSON is refused before it is parsed', async () => {
    const json = (text: string) => codesOf(text, 'json')
    const tooManyKeys = [`too_many_columns ${LIST_MAX_COLUMNS}`]
    expect(await json(full('', '['))).toEqual(['not_readable [[[[…'])
    expect(await json(full('', '{"a":'))).toEqual(['not_readable {{{{…'])
    expect(await json(`[{"title":${'['.repeat(1000)}${']'.repeat(1000)}}]`)).toEqual([
      'not_readable [{[[…',
    ])
    expect(await json(full('[{}', ',{}'))).toEqual(['too_many_rows 5000'])
    expect(await json(full('[0', ',0'))).toEqual(['too_many_rows 5000'])
    expect(await json(full('[{"a":0', ',"b":0'))).toEqual(tooManyKeys)
    expect(await json(full('{"documents":[{}],"a":0', ',"b":0'))).toEqual(tooManyKeys)
    expect(await json('[{"title":"\\ud800"}]')).toEqual(['not_utf8'])
    expect(await json('[{"title":"\\u0000"}]')).toEqual(['not_utf8'])
    // Brackets and commas in a text are none.
    const title = `${'[{,"'.repeat(50)}\\`
    const { rows, problems } = await read(JSON.stringify([{ title }]), 'json')
    expect([rows[0]?.values.title, problems]).toEqual([title, []])
  })

  test('in a cell is refused by the limit of its column, and nothing else is said of it', async () => {
    const long = 'ئ'.repeat(60_000)
    for (const text of [
      csvOf([
        Object.fromEntries(COLUMN_NAMES.map((name) => [name, long])) as Record<Column, string>,
      ]),
      JSON.stringify([Object.fromEntries(COLUMN_NAMES.map((name) => [name, long]))]),
    ]) {
      const { rows } = await read(text, text.startsWith('[') ? 'json' : 'csv')
      expect(rows[0]?.values.title).toHaveLength(LIST_CELL_MAX_LENGTH)
      const { documents, problems } = checkRows(rows, SHOP)
      expect(documents).toEqual([])
      expect(problems).toEqual(
        COLUMN_NAMES.map((column) => {
          return { row: 2, column, code: 'too_long', detail: String(LONGEST[column]) }
        }),
      )
    }
    // A letter may take two units: what is cut off a cell never makes it short enough.
    expect(2 * Math.max(...Object.values(LONGEST))).toBeLessThan(LIST_CELL_MAX_LENGTH)
  })
})

/** Bytes with some of them changed, left out, repeated or moved. */
const mutated = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .array(
      fc.record({
        at: fc.nat(bytes.length - 1),
        length: fc.integer({ min: 1, max: 8 }),
        kind: fc.constantFrom('set', 'drop', 'repeat', 'cut'),
        by: fc.uint8Array({ minLength: 1, maxLength: 8 }),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((changes) =>
      changes.reduce((now, { at, length, kind, by }) => {
        const [head, tail] = [now.subarray(0, at), now.subarray(at + length)]
        if (kind === 'set') return Buffer.concat([head, by, tail])
        if (kind === 'drop') return Buffer.concat([head, tail])
        if (kind === 'repeat')
          return Buffer.concat([head, now.subarray(at, at + length), now.subarray(at)])
        return now.subarray(0, at)
      }, bytes),
    )

const GOOD_ROWS = ['A', 'B', 'C'].map((reference) => ({
  ...Object.fromEntries(COLUMN_NAMES.map((name) => [name, ''])),
  ...ROW,
  reference,
})) as Record<Column, string>[]

test('a good list, however it is changed, is read or refused', async () => {
  const lists = [
    { format: 'csv', bytes: Buffer.from(csvOf(GOOD_ROWS)) },
    { format: 'json', bytes: Buffer.from(JSON.stringify({ documents: GOOD_ROWS })) },
  ] as const
  for (const { format, bytes } of lists) {
    await fc.assert(
      fc.asyncProperty(mutated(bytes), async (changed) => {
        const { rows, problems } = await read(changed, format)
        expect(rows.length > 0).toBe(problems.length === 0)
        const checked = checkRows(rows, SHOP)
        for (const { code, detail } of [...problems, ...checked.problems]) {
          expect(IMPORT_PROBLEMS).toContain(code)
          expect(detail.isWellFormed()).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  }
})

describe('a ZIP', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'karras-zips-'))
    path = join(folder, 'a.zip')
    return () => rm(folder, { recursive: true, force: true })
  })
  const listed = async (files: readonly HostileFile[], end = {}) => {
    await writeFile(path, hostileZip(files, end))
    return await listArchive({ path })
  }
  const unpackFirst = async (most: number) => {
    const zip = await listArchive({ path })
    const [file] = zip.fault ? [] : zip.files
    if (!file) throw new Error('the ZIP has no file')
    const to = join(folder, 'out')
    const unpacked = await unpackEntry({ path, file, to, most })
    const left = await stat(to).catch(() => null)
    return { ...unpacked, left: left?.size ?? null }
  }
  const big = Buffer.alloc(20_000_000)

  test('of honest files is read', async () => {
    const zip = await listed([
      { name: 'a.csv', content: 'x' },
      { name: 'é/b.pdf', content: big },
      { name: 'empty' },
    ])
    if (zip.fault) throw new Error(zip.reason)
    expect(zip.files.map(({ name, size }) => [name, size])).toEqual([
      ['a.csv', 1],
      ['é/b.pdf', big.length],
      ['empty', 0],
    ])
    for (const file of zip.files) {
      const to = join(folder, 'out')
      const unpacked = await unpackEntry({ path, file, to, most: big.length })
      expect(unpacked).toEqual({ written: file.size, fault: null })
      expect(await readFile(to)).toHaveLength(file.size)
    }
    await rm(join(folder, 'out'))
    expect(await unpackFirst(0)).toEqual({ written: 0, fault: 'too_large', left: null })
  })

  test('that understates or overstates its files is unpacked no further than it says', async () => {
    await listed([{ name: 'a.csv', content: big, size: 1000 }])
    const { written, ...rest } = await unpackFirst(LIST_MAX_BYTES)
    expect(rest).toEqual({ fault: 'damaged', left: null })
    expect(written).toBeLessThan(100_000)
    await listed([{ name: 'a.csv', content: big, size: big.length + 1 }])
    expect(await unpackFirst(2 * big.length)).toMatchObject({ fault: 'damaged', left: null })
  })

  test('is refused for what its directory says, before anything is unpacked', async () => {
    const faultOf = async (files: readonly HostileFile[], end = {}) => {
      const zip = await listed(files, end)
      return zip.fault && `${zip.fault}: ${zip.reason}`
    }
    const file = { name: 'a', content: big }
    expect(await faultOf([file, { name: 'b', content: big, sameAs: 0 }])).toMatch(
      /^bad: .*over each/,
    )
    // The packed bytes of the first contain the beginning of the second.
    const { length } = deflateRawSync(big)
    expect(await faultOf([{ ...file, packedSize: length + 10 }, { name: 'b' }])).toMatch(
      /^bad: .*over each/,
    )
    expect(await faultOf([{ ...file, packedSize: 2 ** 31 }])).toMatch(/^bad: /)
    const many = Array.from({ length: 65_535 }, (_, at) => ({ name: `${at}` }))
    expect(await faultOf(many)).toMatch(/^too_large: /)
    // In its end it says how many; the directory is not believed either.
    const more = many.slice(0, PACKAGE_MAX_FILES + 1)
    expect(await faultOf(more)).toMatch(/^too_large: /)
    expect(await faultOf([{ name: 'n'.repeat(60_000) }])).toMatch(/^bad: .*name is too long/)
    expect(await faultOf([{ name: 'a', extra: Buffer.alloc(60_000) }])).toMatch(/^bad: /)
    for (const directoryAt of [2n ** 40n, 2n ** 62n, 2n ** 64n - 1n]) {
      expect(await faultOf([file], { directoryAt }), `${directoryAt}`).toMatch(
        /^bad: .*outside itself/,
      )
    }
    expect(await faultOf([{ name: '../a' }])).toMatch(/^bad: /)
  })

  test('in a ZIP is a file like any other', async () => {
    const inner = hostileZip([{ name: 'b', content: big }])
    const zip = await listed([{ name: 'inner.zip', content: inner }])
    expect(zip.fault ? [] : zip.files.map(({ name, size }) => [name, size])).toEqual([
      ['inner.zip', inner.length],
    ])
  })

  test('however it is changed, is read or refused, within what it may unpack to', async () => {
    const content = csvOf(GOOD_ROWS)
    const good = hostileZip(
      [
        { name: 'a.csv', content },
        { name: 'b', content: 'stored' },
      ],
      {},
    )
    const large = hostileZip([{ name: 'a.csv', content }], { directoryAt: true })
    const most = 100_000
    for (const bytes of [good, large]) {
      await writeFile(path, bytes)
      expect(await listArchive({ path })).toMatchObject({ fault: null })
      await fc.assert(
        fc.asyncProperty(mutated(bytes), async (changed) => {
          await writeFile(path, changed)
          const zip = await listArchive({ path })
          for (const file of zip.fault ? [] : zip.files) {
            const to = join(folder, 'out')
            const { written, fault } = await unpackEntry({ path, file, to, most })
            if (!fault) expect([written, (await stat(to)).size]).toEqual([file.size, file.size])
            expect(written).toBeLessThan(most + 64 * 1024)
          }
        }),
        { numRuns: 300 },
      )
    }
  })
})
