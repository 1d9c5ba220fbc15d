import { readFile, rm, stat, writeFile } from 'node:fs/promises'
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
} from '../../../src/rules/imports.ts'
import { checkRows, type Shop } from '../../../src/server/documents/import/check-rows.ts'
import { COLUMN_NAMES, COLUMNS, type Column } from '../../../src/server/documents/import/columns.ts'
import { csvOf } from '../../../src/server/documents/import/export.ts'
import { readList } from '../../../src/server/documents/import/read-list.ts'
import { listArchive, unpackEntry } from '../../../src/server/uploads/archive.ts'
import { mutated } from '../../support/changed-bytes.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { filled } from '../../support/hostile-lists.ts'
import { type HostileFile, hostileZip } from '../../support/hostile-zips.ts'
import { csv } from '../../support/imports.ts'
import { ROW } from '../../support/office-import.ts'

const SHOP: Shop = {
  subjects: [aListed('mathematics')],
  classes: [{ ...aListed('primary-6'), level: 'primary-school' }],
  categories: [aListed('exercises')],
  kinds: [aListed('oral')],
  chapters: [],
  teachers: new Set(),
  otherAccounts: new Set(),
}

function aListed(code: string) {
  return { id: 1, names: [code], code, inLanguages: [code, code, code], isRetired: false }
}

const HEADER = COLUMN_NAMES.join(';')
const readText = (text: string | Uint8Array, format: 'csv' | 'json' = 'csv') =>
  readList(Readable.from([Buffer.from(text as string)]), format)

const codesOf = async (text: string, format: 'csv' | 'json' = 'csv') =>
  (await readText(text, format)).problems.map(({ code, detail }) => `${code} ${detail}`.trim())

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
    expect(await codesOf(filled(`${HEADER}\n`, `1${row}\n`))).toEqual(['too_many_rows 5000'])
    expect(await codesOf(filled('', 'a;'))).toEqual([`too_many_columns ${LIST_MAX_COLUMNS}`])
    expect(await codesOf(filled(`${HEADER}\n`, ';a'))).toEqual([
      `too_many_columns ${LIST_MAX_COLUMNS}`,
    ])
    expect(await codesOf(filled(`${HEADER}\n"`, '1;2\n'))).toEqual(['quote_not_closed'])
    expect(await codesOf(filled(`${HEADER}\nx`, 'y').replace(/y$/, '"'))).toEqual(['quote_in_cell'])
    // Only a part of the value is shown.
    const [found = ''] = await codesOf(`${filled('', 'y').slice(0, 50_000)};${HEADER}\n1`)
    expect(found).toMatch(/^unknown_column yyy/)
    expect(found.length).toBeLessThan(400)
    for (const nothing of ['\n', ' ', ';\n']) {
      expect(await codesOf(filled(`${HEADER}\n`, nothing)), nothing).toEqual(['no_rows'])
    }
    for (const nothing of ['#\n', ';"";\n']) {
      const codes = await codesOf(filled(`${HEADER}\n`, nothing))
      expect(codes, nothing).toEqual(['too_many_rows 5000'])
    }
    for (const nothing of ['#\n', '"#\n', '\n', 'sep=;\n', '\u200f']) {
      expect(await codesOf(filled('', nothing)), nothing).toContain('missing_column reference')
    }
    expect(await codesOf(filled('', 'a'))).toContain('no_rows')
    expect(await codesOf(`${HEADER}\n\0${row}`)).toEqual(['not_utf8'])
  })

  test('in JSON is refused before it is parsed', async () => {
    const json = (text: string) => codesOf(text, 'json')
    const tooManyKeys = [`too_many_columns ${LIST_MAX_COLUMNS}`]
    expect(await json(filled('', '['))).toEqual(['not_json 1'])
    expect(await json(filled('', '{"a":'))).toEqual(['not_json 1'])
    expect(await json(`[{"title":\n${'['.repeat(1000)}${']'.repeat(1000)}}]`)).toEqual([
      'not_json 2',
    ])
    expect(await json(filled('[{}', ',{}'))).toEqual(['too_many_rows 5000'])
    expect(await json(filled('[0', ',0'))).toEqual(['too_many_rows 5000'])
    expect(await json(filled('[{"a":0', ',"b":0'))).toEqual(['repeated_column b'])
    const manyKeys = Array.from({ length: 40 }, (_, at) => `"${at}":0`).join()
    expect(await json(`[{${manyKeys}}]`)).toEqual(tooManyKeys)
    expect(await json(`{"documents":[{}],${manyKeys}}`)).toEqual(tooManyKeys)
    expect(await json('[{"title":"\\ud800"}]')).toEqual(['not_utf8'])
    expect(await json('[{"title":"\\u0000"}]')).toEqual(['not_utf8'])
    // Brackets and commas in a text are none.
    const title = `${'[{,"'.repeat(50)}\\`
    const { rows, problems } = await readText(JSON.stringify([{ title }]), 'json')
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
      const { rows } = await readText(text, text.startsWith('[') ? 'json' : 'csv')
      expect(rows[0]?.values.title).toHaveLength(LIST_CELL_MAX_LENGTH)
      const { documents, problems } = checkRows(rows, SHOP)
      expect(documents).toEqual([])
      expect(problems).toEqual(
        COLUMN_NAMES.map((column) => {
          return { row: 2, column, code: 'too_long', detail: String(COLUMNS[column].most) }
        }),
      )
    }
    // A letter may take two units: what is cut off a cell never makes it short enough.
    expect(2 * Math.max(...COLUMN_NAMES.map((name) => COLUMNS[name].most))).toBeLessThan(
      LIST_CELL_MAX_LENGTH,
    )
  })
})

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
        const { rows, problems } = await readText(changed, format)
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
  beforeEach(() => {
    folder = temporaryDirectory()
    path = join(folder, 'a.zip')
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
    const content = csv([{ reference: 'A' }, { reference: 'B' }])
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
