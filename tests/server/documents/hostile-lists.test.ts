import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  IMPORT_PROBLEMS,
  LIST_CELL_MAX_LENGTH,
  LIST_MAX_BYTES,
  LIST_MAX_COLUMNS,
} from '../../../src/rules/imports.ts'
import { checkRows, type Shop } from '../../../src/server/documents/import/check-rows.ts'
import { COLUMN_NAMES, COLUMNS, type Column } from '../../../src/server/documents/import/columns.ts'
import { csvOf } from '../../../src/server/documents/import/export.ts'
import { readList } from '../../../src/server/documents/import/read-list.ts'
import { mutated } from '../../support/changed-bytes.ts'
import { filled } from '../../support/hostile-lists.ts'
import { ROW } from '../../support/office-import.ts'

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
    // What was found is shown, but not all of it.
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
