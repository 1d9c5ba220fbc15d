import { readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { getDocument, searchDocuments } from '../../../src/contract/catalogue.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { COLUMN_NAMES, type Column } from '../../../src/server/documents/import/columns.ts'
import { csvOf } from '../../../src/server/documents/import/export.ts'
import { readList } from '../../../src/server/documents/import/read-list.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { anArabicPdf } from '../../support/arabic-pdf.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { importIt, list, office, put, ROW, written } from '../../support/office-import.ts'
import { aPdf } from '../../support/pdf.ts'
import { aPicture } from '../../support/picture.ts'
import { expectRefused } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
let folder: string
beforeEach(async () => {
  folder = temporaryDirectory()
  await put(folder, 'a.pdf', aPdf('A', 2))
})

describe('office import', () => {
  test('creates published documents, from CSV or JSON, and a second run changes nothing', async () => {
    await put(folder, 'covers/b.png', await aPicture('#0a7'))
    await put(folder, 'files/b.pdf', aPdf('B', 3))
    await list(folder, [
      { reference: 'A-1', discount_price: '9,9' },
      {
        reference: 'A-2',
        title: '=Résumé; "le verbe"',
        price: '0',
        subject: 'Français',
        category: 'ملخصات',
        audience: 'teachers',
        file: 'files\\b.pdf',
        cover: 'covers/b.png',
        sample: '2',
      },
      { reference: 'A-3', state: 'draft', title: 'مسودة' },
    ])
    const first = await importIt(app, folder)
    expect(first).toMatchObject({ exit: 0, json: { created: 3, changed: 0, unchanged: 0 } })

    const { content } = await app.call(searchDocuments, { query: { size: 50 } })
    const [free, priced] = content.sort((one, other) => one.price - other.price)
    expect(content).toHaveLength(2)
    expect(priced).toMatchObject({
      title: ROW.title,
      price: 12.5,
      priceDiscount: 9.9,
      matiere: { code: 'mathematics' },
      classe: { code: 'primary-6' },
      pageCount: 2,
      teacher: { name: 'سلمى بن عمر' },
    })
    expect(free).toMatchObject({
      title: '=Résumé; "le verbe"',
      matiere: { code: 'french' },
      categorie: { code: 'summaries' },
      type: 'Pour Enseignant',
      pageCount: 3,
      coverPath: expect.stringMatching(/^\/media\/covers\//),
    })
    const found = await app.call(searchDocuments, { query: { title: 'الكسور' } })
    expect(found.content.map(({ id }) => id)).toEqual([priced?.id])

    const before = await written(app)
    expect(before).toMatchObject({ teachers: 1, versions: 3 })
    const again = await importIt(app, folder)
    expect(again).toMatchObject({ exit: 0, json: { created: 0, changed: 0, unchanged: 3 } })
    expect(await written(app)).toEqual(before)

    await rm(join(folder, 'catalogue.csv'))
    await put(
      folder,
      'catalogue.json',
      JSON.stringify([{ ...ROW, reference: 'A-1', price: 20, discount_price: '' }]),
    )
    await put(folder, 'a.pdf', aPdf('A, second edition', 4))
    app.published.length = 0
    expect(await importIt(app, folder)).toMatchObject({
      json: { created: 0, changed: 1, unchanged: 0 },
    })
    const changed = await app.call(getDocument, { params: { id: priced?.id ?? 0 } })
    expect(changed).toMatchObject({ price: 20, priceDiscount: null, pageCount: 4 })
  })

  test('unpublishes a document and publishes it again, and never makes it a draft', async () => {
    await list(folder, [{ reference: 'S-1', title: 'حالات' }])
    await importIt(app, folder)
    const { content } = await app.call(searchDocuments, { query: { title: 'حالات' } })
    const id = content[0]?.id ?? 0
    await list(folder, [{ reference: 'S-1', title: 'حالات', state: 'unpublished' }])
    expect(await importIt(app, folder)).toMatchObject({ json: { changed: 1 } })
    await expectRefused(app.call(getDocument, { params: { id } }), 404)
    await list(folder, [{ reference: 'S-1', title: 'حالات', state: 'draft' }])
    expect((await importIt(app, folder)).json.problems).toEqual([
      expect.objectContaining({ row: 2, column: 'state', code: 'state_impossible' }),
    ])
    await list(folder, [{ reference: 'S-1', title: 'حالات', state: 'published' }])
    expect(await importIt(app, folder)).toMatchObject({ json: { changed: 1 } })
    expect(await app.call(getDocument, { params: { id } })).toMatchObject({ title: 'حالات' })
  })

  test('replaces a draft’s file, and counts as new when it is first published', async () => {
    const row = { reference: 'D-1', title: 'مسودة أخرى', state: 'draft', file: 'd.pdf' }
    await put(folder, 'd.pdf', aPdf('D', 2))
    await list(folder, [row])
    await importIt(app, folder)
    const of = () =>
      app.kysely
        .selectFrom('documents')
        .innerJoin('documentVersions as v', 'v.documentId', 'documents.id')
        .select(['documents.id', 'uploadedAt', 'v.number', 'v.state', 'v.fileId'])
        .where('reference', '=', 'D-1')
        .orderBy('v.number')
        .execute()
    const { id = 0 } = (await of())[0] ?? {}
    const begun = new Date('2020-01-01')
    await app.change('documents', id, { uploadedAt: begun })
    const before = await written(app)

    await put(folder, 'd.pdf', aPdf('D, second edition', 3))
    expect(await importIt(app, folder)).toMatchObject({ json: { changed: 1 } })
    expect(await of()).toMatchObject([
      { number: 1, state: 'replaced', fileId: null },
      { number: 2, state: 'draft', uploadedAt: begun },
    ])
    expect(await written(app)).toMatchObject({ files: before.files, versions: before.versions + 1 })

    await list(folder, [{ ...row, state: 'published' }])
    expect(await importIt(app, folder)).toMatchObject({ json: { changed: 1 } })
    const [, published] = await of()
    expect(published).toMatchObject({ number: 2, state: 'accepted' })
    expect(published?.uploadedAt.getTime()).toBeGreaterThan(begun.getTime())
  })

  test('its template is a valid list', async () => {
    const { lines } = await office(app, 'import', '--template')
    expect(await office(app, 'import', folder, '--template')).toMatchObject({ exit: 0 })
    const list = await readFile(join(folder, 'catalogue.csv'))
    expect(list.toString()).toBe(`\uFEFF${lines.join('\r\n')}`)
    expect(await office(app, 'import', folder, '--template')).toMatchObject({ exit: 1 })
    const { rows } = await readList(join(folder, 'catalogue.csv'), 'csv')
    const { file = '', cover = '' } = rows[0]?.values ?? {}
    await put(folder, file, aPdf('Template', 4))
    await put(folder, cover, await aPicture('#a70'))
    expect(await importIt(app, folder)).toMatchObject({ exit: 0, json: { created: 1 } })
  })
})

describe('office export', () => {
  test('writes what import reads: nothing changes here, and another shop gets the same', async () => {
    const path = join(folder, 'all')
    const { exit, lines } = await office(app, 'export', path)
    expect({ exit, lines }).toMatchObject({ exit: 0 })
    expect((await readdir(folder)).sort()).toEqual(['a.pdf', 'all'])
    const here = await office(app, 'import', path, '--json')
    expect(JSON.parse(here.lines[0] ?? '')).toMatchObject({ created: 0, changed: 0 })

    const other = await testApp()
    await fillSchoolLists(other.deps.database)
    const there = await office(other, 'import', path, '--json')
    expect(there.exit).toBe(0)
    const facts = async (on: TestApp) => {
      const { content } = await on.call(searchDocuments, { query: { size: 100 } })
      return content
        .map(({ title, price, priceDiscount, matiere, classe, type, pageCount, coverPath }) => {
          const codes = [matiere.code, classe.code]
          return [title, price, priceDiscount, ...codes, type, pageCount, coverPath !== null].join()
        })
        .sort()
    }
    expect(await facts(other)).toEqual(await facts(app))
    const second = await office(other, 'export', path)
    expect(second).toMatchObject({ exit: 1, lines: [] })
  })
})

describe('office import of faulty lists', () => {
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
    const expected = {
      2: ['title required', 'price not_an_amount', 'subject not_listed'],
      3: [
        'reference repeated',
        'price price_out_of_range',
        'class not_listed',
        'category required',
      ],
      4: ['title too_long', 'discount_price discount_out_of_range'],
      5: ['teacher_email not_a_teacher'],
      6: ['teacher_email new_teacher_without_name'],
      7: ['teacher_email not_an_email', 'state not_listed', 'audience not_listed'],
      8: ['file outside_folder'],
      9: ['file outside_folder'],
      10: ['file outside_folder'],
      11: ['file file_missing', 'cover bad_file'],
      12: ['file bad_file'],
      13: ['file bad_file'],
      14: ['sample not_pages'],
      15: ['sample too_many_pages'],
    }
    const all = Object.entries(expected).flatMap(([row, each]) =>
      each.map((one) => `${row} ${one}`),
    )
    expect(problems.sort()).toEqual(all.sort())
    for (const { sentence } of json.problems) expect(sentence).toMatch(/\w.*\.$/)
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
