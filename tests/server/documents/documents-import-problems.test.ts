import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { COLUMN_NAMES, type Column } from '../../../src/server/documents/import/columns.ts'
import { csvOf } from '../../../src/server/documents/import/export.ts'
import { readList } from '../../../src/server/documents/import/read-list.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { anArabicPdf } from '../../support/arabic-pdf.ts'
import { importIt, list, office, put, written } from '../../support/office-import.ts'
import { aPdf } from '../../support/pdf.ts'

let app: TestApp
let folder: string

beforeAll(async () => {
  app = await testApp()
  await fillSchoolLists(app.deps.database)
  return app.stop
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karras-import-'))
  await put(folder, 'a.pdf', aPdf('A', 2))
  return () => rm(folder, { recursive: true, force: true })
})

describe('office import', () => {
  test('lists all problems by row and column, and imports nothing', async () => {
    const parent = await app.aCustomer()
    await put(folder, 'empty.pdf', '')
    await put(folder, 'program.pdf', 'MZ\x90\x00 this is no PDF')
    await put(
      folder,
      'page.png',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    )
    await symlink('/etc/hostname', join(folder, 'link.pdf'))
    await list(folder, [
      { reference: 'W-1', title: '', price: 'ten', subject: 'alchemy' },
      { reference: 'W-1', price: '0.2', class: 'mathematics', category: '' },
      { reference: 'W-3', title: 'ع'.repeat(5000), discount_price: '15' },
      { reference: 'W-4', teacher_email: parent.email },
      { reference: 'W-5', teacher_email: 'new@mail.example', teacher_first_name: '' },
      { reference: 'W-6', teacher_email: 'nobody', state: 'sold', audience: 'cats' },
      { reference: 'W-7', file: '../secret.pdf' },
      { reference: 'W-8', file: '/etc/passwd' },
      { reference: 'W-9', file: 'link.pdf' },
      { reference: 'W-10', file: 'none.pdf', cover: 'page.png' },
      { reference: 'W-11', file: 'empty.pdf' },
      { reference: 'W-12', file: 'program.pdf' },
      { reference: 'W-13', sample: '1, x' },
      { reference: 'W-14', sample: '1-2' },
    ])
    const before = await written(app)
    const { exit, json } = await importIt(app, folder)
    expect(exit).toBe(1)
    const problems = json.problems.map(
      ({ row, column, code }: Record<string, unknown>) => `${row} ${column} ${code}`,
    )
    expect(problems.sort()).toEqual(
      [
        '2 title required',
        '2 price not_an_amount',
        '2 subject not_listed',
        '3 reference repeated',
        '3 price price_out_of_range',
        '3 class not_listed',
        '3 category required',
        '4 title too_long',
        '4 discount_price discount_out_of_range',
        '5 teacher_email not_a_teacher',
        '6 teacher_email new_teacher_without_name',
        '7 teacher_email not_an_email',
        '7 state not_listed',
        '7 audience not_listed',
        '8 file outside_folder',
        '9 file outside_folder',
        '10 file outside_folder',
        '11 file file_missing',
        '11 cover bad_file',
        '12 file bad_file',
        '13 file bad_file',
        '14 sample not_pages',
        '15 sample too_many_pages',
      ].sort(),
    )
    expect(
      json.problems.every(({ sentence }: { sentence: string }) => /\w.*\.$/.test(sentence)),
    ).toBe(true)
    expect(await written(app)).toEqual(before)
    const { lines } = await office(app, 'import', folder)
    expect(lines.at(-1)).toBe('Nothing was imported: 23 problems.')
  })

  test.each([
    ['no list', null, /There is no catalogue\.csv/],
    ['another encoding', Buffer.from('reference;title\nA;\xe9t\xe9', 'latin1'), /not UTF-8/],
    ['a half-open quote', 'reference;title\n"A;b', /row 2: .*never closes/],
    ['no rows', 'reference;title;price;subject;class;category;teacher_email;file\n', /no document/],
    ['no such column', 'reference;prix\nA;3', /no such column.*prix/],
  ])('explains what is wrong with %s', async (_, content, sentence) => {
    if (content !== null) await put(folder, 'catalogue.csv', content)
    const { exit, lines, errors } = await office(app, 'import', folder)
    expect(exit).toBe(1)
    expect([...lines, ...errors].join('\n')).toMatch(sentence)
  })

  test('names the lines that it has not read and the fonts that a PDF lacks', async () => {
    await put(folder, 'b\u00a0c.pdf', anArabicPdf(['ا', 'ب']))
    await list(folder, [{ reference: '#1', file: 'b c.pdf' }])
    const text = await readFile(join(folder, 'catalogue.csv'), 'utf8')
    await put(folder, 'catalogue.csv', `# above\r\n${text}# below\r\n`)
    const { exit, lines } = await office(app, 'import', folder)
    expect([exit, lines]).toEqual([
      0,
      [
        expect.stringMatching(/^list: Not read.* lines 1\.$/),
        expect.stringMatching(/^row 4: Not read.*: # below$/),
        expect.stringMatching(/^row 3, file: .*: Simplified Arabic\./),
        '1 new document, 0 changed, 0 unchanged.',
      ],
    ])
  })

  test('reads back every list that an export writes', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 30 })
    const row = fc.record(Object.fromEntries(COLUMN_NAMES.map((name) => [name, cell])))
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
        // An empty row is skipped.
        const named = rows.map((each, at) => ({ ...each, reference: `R${at}` }))
        const written = Buffer.from(csvOf(named as Record<Column, string>[]))
        const { rows: read } = await readList(Readable.from([written]), 'csv')
        for (const [at, { values }] of read.entries()) {
          for (const name of COLUMN_NAMES) {
            const given = (named[at] as Record<Column, string>)[name].trim()
            expect(values[name]).toBe(/^'[=+\-@＝＋－＠]/u.test(given) ? given.slice(1) : given)
          }
        }
        expect(read).toHaveLength(named.length)
      }),
    )
  })
})
