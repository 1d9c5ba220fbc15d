import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { beginImport, getImportTemplate } from '../../../src/contract/office-imports.ts'
import { LANGUAGES } from '../../../src/rules/languages.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { COLUMN_NAMES, OWN_COLUMNS } from '../../../src/server/documents/import/columns.ts'
import { csvOf } from '../../../src/server/documents/import/export.ts'
import { readList } from '../../../src/server/documents/import/read-list.ts'
import { type HostileFile, hostileZip } from '../../support/hostile-zips.ts'
import { check, csv, last, problemsOf, start } from '../../support/imports.ts'
import { aPdf } from '../../support/pdf.ts'
import { sharedApp } from '../../support/test.ts'
import { upload } from '../../support/uploads.ts'

const CASES = new URL('../../cases/', import.meta.url)

const readText = (content: string | Uint8Array, format: 'csv' | 'json' = 'csv') =>
  readList(Readable.from([Buffer.from(content as string)]), format, { required: [] })

/** What a list says: the references after their rows, and the problems and notes. */
async function saidOf(content: string | Uint8Array, format: 'csv' | 'json' = 'csv') {
  const { rows, problems, notes } = await readText(content, format)
  return [
    ...rows.map(({ number, values }) => `${number}: ${values.reference}`),
    ...[...problems, ...notes].map(({ row, code, detail }) => `${row ?? '-'} ${code} ${detail}`),
  ]
}

describe('the rows of a list', () => {
  test.each([
    ['12-template-through-google-sheets.csv', ['23: C13', '- lines_above 1–21']],
    ['14-trailing-empty-columns.csv', ['2: C15']],
  ])('of %s are read', async (name, said) => {
    expect(await saidOf(await readFile(new URL(`csv/${name}`, CASES)))).toEqual(said)
  })

  const above = '# a, "b"\r\n"# c, d";;\r\n;;\r\nreference;title\r\n1;a'
  const between = 'reference;title\n# later;\n1;a\n"# and, this";""\n2;b'
  const marked = '\ufeff\u200fReference\u00a0;\u202btitle\u202c;Discount price\n1;a;2'

  test.each([
    ['a number sign', 'reference;title\n#1;a\n#2;b\n3;c', ['2: #1', '3: #2', '4: 3']],
    ['a number sign and a space', 'reference;title\n# 1;a', ['2: # 1']],
    ['remarks between', between, ['3: 1', '5: 2', '2 remark # later', '4 remark # and, this']],
    ['a separator line', 'sep=;\nreference;title,more\n1;a', ['- unknown_column title,more']],
    ['a quoted separator line', '"sep=,"\r\nreference,title\r\n1,a', ['2: 1']],
    ['remarks above', above, ['5: 1', '- lines_above 1–2']],
    ['a remark of two lines', '"# a\n b"\nreference;title\n1;a', ['3: 1', '- lines_above 1']],
    ['marks in the names of columns', marked, ['2: 1']],
    ['fewer cells', 'reference;title;price\n1;a', ['2: 1']],
    ['empty columns and rows at the end', 'reference;title;;\n1;a;;\n;;;\n;;;\n', ['2: 1']],
    ['a cell under no name', 'reference;title;\n1;a;b', ['2 unnamed_column b']],
    ['a cell too many', 'reference,price\n1,12,5', ['2 unnamed_column 5']],
    ['a column twice', 'reference;title;\u200fTitle\n1;a;b', ['- repeated_column title']],
    ['line ends of two kinds', '# a\r\nreference\n1\n2', ['3: 1', '4: 2', '- lines_above 1']],
    ['an open quote', 'reference;title\n1;a\n2;"b\n3;c', ['3 quote_not_closed ']],
    ['a quote within', '# a\nreference\n1"b', ['3 quote_in_cell ', '- lines_above 1']],
  ])('with %s are read, or it is said why not', async (_, text, said) => {
    expect(await saidOf(text)).toEqual(said)
  })

  const keyTwice = '[{"reference":"1"},{"title":"a","ti\\u0074le":"b"}]'
  const listTwice = '{"documents":[],"documents":[{"title":"a"}]}'

  test.each([
    ['a key twice', keyTwice, '3 repeated_column title'],
    ['a key twice but for marks', '[{"title":"a","Title\u200f":"b"}]', '2 repeated_column title'],
    ['two lists', listTwice, '2 repeated_column documents'],
    ['a mistake', '[\n{"title":"a"},\n{"title":}]', '- not_json 3'],
    ['no end', '[\n{"title":"a"}', '- not_json 2'],
    ['something else', '{"a":1}', '- not_json 1'],
    ['a value that is no text', '[{"title":"a"},{"title":null}]', '3 not_text title'],
  ])('in JSON with %s are refused', async (_, text, said) => {
    expect(await saidOf(text, 'json')).toEqual([said])
  })

  test('are read to the last letter', async () => {
    const { rows } = await readText('reference;title;file\n1;a;b,\n;;\n')
    expect(rows.map(({ values }) => values.file)).toEqual(['b,'])
  })

  test('and the remarks are all that there is', async () => {
    const cell = fc.stringMatching(/^#? ?[a-zأ-ي0-9 ]{0,6}$/)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell)), async (cells) => {
        const lines = cells.map((row) => row.join(';'))
        const { rows, notes } = await readText(['reference;title;file', ...lines].join('\n'))
        const there = cells.filter((row) => row.some((each) => each.trim() !== '')).length
        expect(rows.length + notes.length).toBe(there)
      }),
    )
  })
})

describe('a list in another encoding', () => {
  const text = csvOf(
    [Object.fromEntries(COLUMN_NAMES.map((name) => [name, '']))].map((row) => ({
      ...row,
      reference: 'É-1',
      title: 'تمارين في الكسور والأعداد العشرية',
      description: 'Révision d’été : «à lire»',
    })) as never,
  ).replace('\ufeff', '')

  test.each([
    ['UTF-16 with its mark', () => Buffer.from(`\ufeff${text}`, 'utf16le'), 'UTF-16'],
    ['UTF-16 of the other order', () => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'UTF-16'],
    ['UTF-16 without a mark', () => Buffer.from(text, 'utf16le'), 'UTF-16'],
    ['UTF-16 of the other order without', () => Buffer.from(text, 'utf16le').swap16(), 'UTF-16'],
    ['Windows-1256', () => iconv.encode(text.replace('É', 'e'), 'windows1256'), 'Windows-1256'],
  ])('is read as %s', async (_, bytes, encoding) => {
    const { rows, notes, problems } = await readText(bytes())
    expect(problems).toEqual([])
    expect(rows[0]?.values).toMatchObject({
      title: 'تمارين في الكسور والأعداد العشرية',
      description: 'Révision d’été : «à lire»',
    })
    expect(notes.map(({ code, detail }) => [code, detail])).toEqual([['read_as', encoding]])
  })

  test.each([
    ['French', 'windows1252'],
    ['French on a Mac', 'macroman'],
    ['DOS in Arabic', 'cp720'],
    ['ISO-8859-6', 'iso88596'],
    ['DOS in French', 'cp850'],
  ])('is refused where it is %s', async (_, encoding) => {
    const { problems } = await readText(iconv.encode(text, encoding))
    expect(problems.map(({ code }) => code)).toEqual(['not_utf8'])
  })

  test('is refused with its own sentence where it is a spreadsheet', async () => {
    for (const bytes of [
      hostileZip([{ name: 'xl/workbook.xml' }]),
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    ]) {
      expect((await readText(bytes)).problems.map(({ code }) => code)).toEqual(['spreadsheet'])
    }
  })
})

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
const me = await app.anOfficeTeacher()

describe('an uploaded ZIP', () => {
  async function checkZip(bytes: Uint8Array) {
    const { id } = await upload(app, me, bytes, { purpose: 'import' })
    await app.call(beginImport, { as: me, body: { uploadId: id } })
    await app.runJobs()
    return await last(app, me)
  }

  /** A file whose name is in an encoding that the ZIP does not say. */
  const unsaid = (name: string, encoding: string, content: Uint8Array | string): HostileFile => ({
    name: iconv.encode(name, encoding),
    content,
    flags: 0,
  })

  test('of the cases is accepted with all its documents', async () => {
    for (const [name, created] of [
      ['hash-reference.zip', 3],
      ['explorer-arabic-cp720.zip', 1],
    ] as const) {
      const found = await checkZip(await readFile(new URL(`zip/${name}`, CASES)))
      expect(problemsOf(found), name).toEqual([])
      expect(found, name).toMatchObject({ phase: 'ready', created, notes: [] })
    }
  })

  test.each([
    ['cp720', 'تمارين/الدرس الأوّل.pdf'],
    ['cp720', 'Révision été.pdf'],
    ['windows1256', 'تمارين/الدرس الأول - é.pdf'],
    ['cp850', 'Exercices/Leçon n°1 - à è ê ë î ï ô û ç É.pdf'],
    ['cp437', 'Leçon été.pdf'],
    ['utf8', 'تمارين/الدّرس الأوّل، élève.pdf'],
    ['utf8', 'Élève été.pdf'.normalize('NFD')],
  ])('with names in %s finds its files: %s', async (encoding, name) => {
    const found = await checkZip(
      hostileZip([
        {
          name: 'catalogue.csv',
          content: csv([{ reference: 'A', file: name.normalize('NFC') }]),
          flags: 0,
        },
        unsaid(`__MACOSX/._${name}`, encoding, 'x'),
        unsaid('.DS_Store', encoding, 'x'),
        unsaid(name, encoding, aPdf(name, 1)),
      ]),
    )
    expect(problemsOf(found)).toEqual([])
    expect(found).toMatchObject({ phase: 'ready', created: 1 })
  })

  test('finds files whatever marks, spaces, hyphens and folders are around their names', async () => {
    const rows = ['\u200fa b.pdf', '6A\\devoir.pdf', '6B/devoir.pdf', 'x‑y.pdf']
    const found = await check(app, me, {
      'Mes documents/catalogue.csv': csv(rows.map((file, at) => ({ reference: `${at}`, file }))),
      'Mes documents/a\u00a0b.pdf': aPdf('A', 1),
      'Mes documents/6A/devoir.pdf': aPdf('6A', 1),
      'Mes documents/6B/devoir.pdf': aPdf('6B', 1),
      'Mes documents/x-y\u202c.pdf': aPdf('X', 1),
    })
    expect(problemsOf(found)).toEqual([])
    expect(found).toMatchObject({ phase: 'ready', created: 4 })
  })

  test('is refused where a name fits several files, or where a spreadsheet is the list', async () => {
    const several = await check(app, me, {
      'catalogue.csv': csv([{ reference: 'A', file: 'devoir.pdf' }]),
      '6A/devoir.pdf': aPdf('6A', 1),
      '6B/devoir.pdf': aPdf('6B', 1),
    })
    expect(problemsOf(several)).toEqual([[2, 'file', 'ambiguous_file', 'devoir.pdf']])
    const sheet = await check(app, me, { 'liste.xlsx': 'PK', 'a.pdf': aPdf('A', 1) })
    expect(problemsOf(sheet)).toEqual([[null, null, 'spreadsheet', 'liste.xlsx']])
  })

  test('brings a PDF with bytes before it without them, and a second time changes nothing', async () => {
    const bytes = await readFile(new URL('pdf/leading-bom.pdf', CASES))
    const files = { 'catalogue.csv': csv([{ reference: 'BOM' }]), 'a.pdf': bytes }
    const { id = '' } = (await check(app, me, files)) ?? {}
    expect(await start(app, me, id)).toMatchObject({ phase: 'done', created: 1 })
    const withoutThem = await app.deps.database.pool.query('SELECT FROM files WHERE size = $1', [
      bytes.length - 3,
    ])
    expect(withoutThem.rowCount).toBe(1)
    const again = (await check(app, me, files))?.id ?? ''
    expect(await start(app, me, again)).toMatchObject({ changed: 0, unchanged: 1 })
  })

  test('says which fonts its PDFs lack and which lines were not read, and is accepted', async () => {
    const found = await check(app, me, {
      'catalogue.csv': `# remarque\n${csv([{ reference: 'A', file: 'a.pdf' }])}\n# fin`,
      'a.pdf': await readFile(new URL('pdf/lig-presentation.pdf', CASES)),
    })
    expect(found).toMatchObject({
      phase: 'ready',
      notes: [
        { row: null, column: null, code: 'lines_above', detail: '1' },
        { row: 4, column: null, code: 'remark', detail: '# fin' },
        { row: 3, column: 'file', code: 'missing_fonts', detail: 'Arial' },
      ],
    })
  })

  test('says which of its PDFs are signed, so that they get no stamp', async () => {
    const found = await check(app, me, {
      'catalogue.csv': csv([{ reference: 'S', file: 'a.pdf' }]),
      'a.pdf': await readFile(new URL('pdf/certified-no-changes.pdf', CASES)),
    })
    expect(found).toMatchObject({
      phase: 'ready',
      notes: [{ row: 2, column: 'file', code: 'signed_file', detail: 'a.pdf' }],
    })
  })

  test('with the template in any language, as spreadsheets save it, is read', async () => {
    for (const locale of LANGUAGES) {
      const template = String(await app.call(getImportTemplate, { as: me, query: { locale } }))
      const width = OWN_COLUMNS.length
      // LibreOffice keeps each remark in a cell; Excel cuts it at the delimiter.
      const kept = (line: string) =>
        `"${line.trim().replaceAll('"', '""')}"${';'.repeat(width - 1)}`
      const cut = (line: string) =>
        line.trim() + ';'.repeat(Math.max(0, width - line.split(';').length))
      for (const remark of [kept, cut]) {
        const { rows, problems, notes } = await readText(template.replaceAll(/^#.*$/gm, remark))
        expect(problems, locale).toEqual([])
        expect(rows, locale).toHaveLength(1)
        expect(notes.map(({ code }) => code)).toEqual(['lines_above'])
      }
    }
  })
})
