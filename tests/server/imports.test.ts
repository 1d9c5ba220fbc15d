import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as documents from '../../src/contract/office-documents.ts'
import * as imports from '../../src/contract/office-imports.ts'
import { DAY_MS, HOUR_MS } from '../../src/rules/durations.ts'
import { IMPORT_MAX_DOCUMENTS, IMPORT_MAX_TRIES, IMPORTS_MAX } from '../../src/rules/imports.ts'
import { fillSchoolLists } from '../../src/server/catalogue/catalogue.ts'
import { OWN_COLUMNS } from '../../src/server/documents/import/columns.ts'
import { expireImports, resumeImports, workOnImport } from '../../src/server/imports/imports.ts'
import { cleanUpFiles } from '../../src/server/uploads/uploads.ts'
import { pack } from '../../src/stores/office/imports/pack.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'
import { aPdf } from '../support/pdf.ts'
import { aPicture } from '../support/picture.ts'
import { BAD_PDFS, sendFile, upload } from '../support/uploads.ts'
import { addressOf } from './http/samples.ts'

let app: TestApp
let teacher: Person & { teacherId: number }

beforeAll(async () => {
  app = await testApp()
  await fillSchoolLists(app.deps.database)
  return app.stop
})

type Files = Readonly<Record<string, Uint8Array | string>>
type Wish = Partial<Record<(typeof OWN_COLUMNS)[number] | 'teacher_email', string>>

const ROW: Wish = {
  title: 'تمارين في الكسور',
  description: 'عشرون تمرينا',
  price: '12.5',
  subject: 'الرياضيات',
  class: 'primary-6',
  category: 'Exercices',
  file: 'a.pdf',
}

/** A list in CSV; rows say only in what they differ from `ROW`. */
function csv(rows: readonly Wish[], extra: readonly string[] = []): string {
  const columns = [...OWN_COLUMNS, ...extra] as (keyof Wish)[]
  const lines = rows.map((row) => columns.map((name) => ({ ...ROW, ...row })[name] ?? '').join(';'))
  return [columns.join(';'), ...lines].join('\r\n')
}

async function zip(files: Files): Promise<Buffer> {
  const chosen = Object.entries(files).map(([name, content]) => ({
    name,
    file: new File([content as BlobPart], name.split('/').at(-1) ?? ''),
  }))
  return Buffer.from(await (await pack(chosen)).arrayBuffer())
}

const send = async (files: Files, as = teacher) =>
  await upload(app, as, await zip(files), { purpose: 'import', name: 'list.zip' })

const last = async (as = teacher) => (await app.call(imports.getImport, { as })).last

/** Sends files, has them looked at, and answers what is said of them. */
async function check(files: Files, { as = teacher, after = undefined as string | undefined } = {}) {
  const { id } = await send(files, as)
  const begun = await app.call(imports.beginImport, {
    as,
    body: { uploadId: id, ...(after && { after }) },
  })
  expect(begun).toMatchObject({ phase: 'checking', name: 'list.zip' })
  await app.runJobs()
  return await last(as)
}

async function start(id: string, as = teacher) {
  await app.call(imports.startImport, { as, params: { id } })
  await app.runJobs()
  return await last(as)
}

const own = async (as = teacher) =>
  (await app.call(documents.listOwnDocuments, { as, query: { size: 50, sort: 'title' } })).content

async function filesAside(): Promise<string[]> {
  return await readdir(join(app.deps.config.dataDir, 'uploads')).catch(() => [])
}

/** A PDF with a password. */
function locked(): Uint8Array {
  const found = Object.values(BAD_PDFS).find(({ code }) => code === 'pdf_encrypted')
  if (!found) throw new Error('no encrypted PDF')
  return found.bytes()
}

const problemsOf = (found: Awaited<ReturnType<typeof last>>) =>
  found?.problems.map(({ row, column, code, detail }) => [row, column, code, detail])

describe('an uploaded list', () => {
  beforeAll(async () => {
    teacher = await app.anOfficeTeacher({ firstName: 'سلمى', lastName: 'بن عمر' })
  })

  test('is checked first, then makes drafts or submissions, and a second run changes nothing', async () => {
    const files = {
      // As a phone gives them: without the folder that the list names.
      'catalogue.csv': csv([
        { reference: 'A', title: 'أ', file: 'files\\a.pdf', cover: 'c.png' },
        { reference: 'B', title: 'ب', state: 'submitted', price: '0' },
      ]),
      'a.pdf': aPdf('A', 2),
      'c.png': await aPicture('#0a7'),
      '__MACOSX/._a.pdf': 'aside',
    }
    const ready = await check(files)
    expect(ready).toMatchObject({ phase: 'ready', created: 2, unchanged: 0, problems: [] })
    expect(await own()).toEqual([])

    const id = ready?.id ?? ''
    // What was looked into is not opened again: its page count is taken as it was found.
    await sql`UPDATE imports SET checked_files = replace(checked_files::text, ': 2', ': 7')::jsonb
      WHERE id = ${id}`.execute(app.deps.database.kysely)
    const done = await start(id)
    expect(done).toMatchObject({ phase: 'done', created: 2, changed: 0, isBegunAnew: false })
    const [first, second] = await own()
    expect(first).toMatchObject({
      title: 'أ',
      state: 'draft',
      price: 12.5,
      pageCount: 7,
      coverPath: expect.stringMatching(/^\/media\/covers\//),
      missing: [],
    })
    expect(second).toMatchObject({ title: 'ب', state: 'submitted', price: 0 })
    // Once, however often it is asked for.
    expect(await start(id)).toEqual(done)
    expect(await filesAside()).toEqual([])

    const again = await check(files)
    expect(again).toMatchObject({ phase: 'ready', created: 0, unchanged: 2 })
    expect(await start(again?.id ?? '')).toMatchObject({ created: 0, changed: 0, unchanged: 2 })

    const { 'a.pdf': pdf, ...others } = files
    const changed = await check({
      ...others,
      'a.pdf': aPdf('A, corrected', 3),
      'catalogue.csv': csv([{ reference: 'A', title: 'أ', price: '20', state: 'submitted' }]),
    })
    expect(await start(changed?.id ?? '')).toMatchObject({ created: 0, changed: 1, unchanged: 0 })
    expect((await own())[0]).toMatchObject({ price: 20, pageCount: 3, state: 'submitted' })
    // It is being reviewed now.
    const refused = await check({
      'a.pdf': pdf,
      'x.json': JSON.stringify([{ ...ROW, reference: 'A', title: 'Z' }]),
    })
    expect(problemsOf(refused)).toEqual([[2, 'reference', 'under_review', 'أ']])

    // What is not needed any more is cleaned up.
    app.travel(2 * DAY_MS)
    await expireImports(app.deps)
    await cleanUpFiles(app.deps)
    const kept: string[] = []
    for await (const { key } of app.deps.files.list()) kept.push(key)
    expect(kept.filter((key) => key.endsWith('.zip'))).toEqual([])
    expect(kept.filter((key) => key.endsWith('.pdf'))).toHaveLength(2)
    teacher = await app.anOfficeTeacher()
  })

  test('has all its problems listed by row, and corrected files are sent alone', async () => {
    const refused = await check({
      'mine.csv': csv(
        [
          { reference: 'A', price: 'dear', subject: 'alchemy', teacher_email: 'x@y.example' },
          { reference: 'A', state: 'published', file: '../../etc/passwd' },
          { reference: 'C', file: 'locked.pdf' },
          { reference: 'D', file: 'none.pdf', cover: 'locked.pdf' },
        ],
        ['teacher_email'],
      ),
      'a.pdf': aPdf('A', 1),
      'locked.pdf': locked(),
    })
    expect(refused).toMatchObject({ phase: 'refused', problemCount: 8 })
    expect(problemsOf(refused)).toEqual(
      expect.arrayContaining([
        [2, 'teacher_email', 'other_teacher', 'x@y.example'],
        [2, 'price', 'not_an_amount', 'dear'],
        [2, 'subject', 'not_listed', 'alchemy'],
        [3, 'reference', 'repeated', 'A'],
        [3, 'state', 'not_listed', 'published'],
        [4, 'file', 'bad_file', 'pdf_encrypted'],
        [5, 'file', 'file_missing', 'none.pdf'],
        [5, 'cover', 'bad_file', 'not_a_picture'],
      ]),
    )
    await expect(
      app.call(imports.startImport, { as: teacher, params: { id: refused?.id ?? '' } }),
    ).rejects.toMatchObject({ code: 'import_state_changed' })

    const list = csv([{ reference: 'A' }, { reference: 'C', title: 'C', file: 'locked.pdf' }])
    const other = await app.anOfficeTeacher()
    const theirs = await send({ 'catalogue.csv': list }, other)
    const after = refused?.id ?? ''
    await expect(
      app.call(imports.beginImport, { as: other, body: { uploadId: theirs.id, after } }),
    ).rejects.toMatchObject({ code: 'import_not_found' })
    const mended = await check({ 'mine.csv': list, 'locked.pdf': aPdf('open', 1) }, { after })
    expect(mended).toMatchObject({ phase: 'ready', created: 2 })
    expect(await start(mended?.id ?? '')).toMatchObject({ phase: 'done', created: 2 })
    expect(await own()).toHaveLength(2)
  })

  test('chooses the pages of samples, and leaves them alone where it does not name any', async () => {
    const author = await app.anOfficeTeacher()
    const chosen = async (sample: string | undefined, others: Wish = {}) => {
      const row: Wish = { reference: 'S', ...(sample !== undefined && { sample }), ...others }
      const found = await check({ 'a.csv': csv([row]), 'a.pdf': aPdf('S', 9) }, { as: author })
      if (found?.phase !== 'ready') return problemsOf(found)
      await start(found.id, author)
      return (await own(author))[0]?.samplePages
    }
    expect(await chosen('٥، 2-3')).toEqual([2, 3, 5])
    expect(await chosen(undefined, { price: '20' })).toEqual([2, 3, 5])
    for (const [typed, code, detail] of [
      ['1-03-2026', 'not_pages', '1-03-2026'],
      ['1-9999,'.repeat(3), 'not_pages', '1-9999,'.repeat(3)],
      ['10', 'unknown_page', '9'],
      ['2 2', 'repeated_page', '2, 2'],
      ['1-4', 'too_many_pages', '3'],
    ] as const) {
      expect(await chosen(typed), typed).toEqual([[2, 'sample', code, detail]])
    }
    expect(await chosen('None')).toBe(null)
    await chosen('1', { state: 'submitted' })
    expect(await chosen('4')).toEqual([[2, 'reference', 'under_review', ROW.title]])
    expect(await chosen('1', { state: 'submitted' })).toEqual([1])
  })

  test('is not garbage, has one list, and at most as many documents as allowed', async () => {
    const pdf = { 'a.pdf': aPdf('A', 1) }
    const codes = async (files: Files) => (await check(files))?.problems.map(({ code }) => code)
    expect(await codes(pdf)).toEqual(['no_list'])
    expect(await codes({ 'a.csv': csv([]), 'b.csv': csv([]) })).toEqual(['several_lists'])
    expect(await codes({ 'a.csv': Uint8Array.of(0xff, 0xfe, 0x00) })).toEqual(['not_utf8'])
    expect(await codes({ 'a.csv': '"open' })).toEqual(['not_readable'])
    expect(await codes({ 'a.json': '{"a": ' })).toEqual(['not_readable'])
    expect(await codes({ 'a.csv': 'nothing;here\r\n1;2' })).toEqual(
      expect.arrayContaining(['unknown_column', 'missing_column']),
    )
    const many = Array.from({ length: IMPORT_MAX_DOCUMENTS + 1 }, (_, at) => ({
      reference: `R${at}`,
    }))
    const tooMany = await check({ ...pdf, 'a.csv': csv(many) })
    expect(problemsOf(tooMany)).toEqual([[null, null, 'too_many_rows', '1000']])
  })

  test('is a ZIP that can be unpacked, and names nothing outside of it', async () => {
    const finish = async (bytes: Uint8Array) =>
      await upload(app, teacher, bytes, { purpose: 'import' })
    await expect(finish(aPdf('A', 1))).rejects.toMatchObject({ code: 'not_a_zip' })
    const good = await zip({ 'a.csv': csv([{ reference: 'A' }]), 'a.pdf': aPdf('A', 1) })
    await expect(finish(good.subarray(0, -30))).rejects.toMatchObject({ code: 'not_a_zip' })
    const outside = await zip({ '../../a.csv': 'x' })
    await expect(finish(outside)).rejects.toMatchObject({ code: 'not_a_zip' })

    // A file that says it is small, and is not: what it unpacks to is counted.
    const bomb = lying(await zip({ 'a.csv': csv([{ reference: 'A' }]), 'a.pdf': 'x'.repeat(5000) }))
    const { id } = await finish(bomb)
    await app.call(imports.beginImport, { as: teacher, body: { uploadId: id } })
    await app.runJobs()
    expect(problemsOf(await last())).toEqual([[2, 'file', 'not_unpacked', 'a.pdf']])
  })
})

/** The ZIP with its last file, `a.pdf` of 5,000 letters, deflated from far more bytes than it says. */
function lying(bytes: Buffer): Buffer {
  const packed = deflateRawSync(Buffer.alloc(200_000_000))
  const name = bytes.indexOf('a.pdfxxx')
  const content = name + 'a.pdf'.length
  const head = Buffer.from(bytes.subarray(0, content))
  const tail = Buffer.from(bytes.subarray(content + 5000))
  // How it is packed and how small, in both places.
  const entry = tail.indexOf('a.pdf') - 46
  for (const [of, at] of [
    [head, name - 30 + 8],
    [tail, entry + 10],
  ] as const) {
    of.writeUInt16LE(8, at)
    of.writeUInt32LE(packed.length, at + 10)
  }
  const end = tail.lastIndexOf('PK\u0005\u0006')
  tail.writeUInt32LE(tail.readUInt32LE(end + 16) + packed.length - 5000, end + 16)
  return Buffer.concat([head, packed, tail])
}

describe('imports', () => {
  beforeAll(async () => {
    teacher = await app.anOfficeTeacher()
  })

  const list = { 'a.csv': csv([{ reference: 'A' }]), 'a.pdf': aPdf('A', 1) }

  test('are one at a time, limited in a day, and each teacher’s own', async () => {
    const other = await app.anOfficeTeacher()
    const { id } = await send(list)
    const body = { uploadId: id }
    await expect(app.call(imports.beginImport, { as: other, body })).rejects.toMatchObject({
      code: 'upload_not_found',
    })
    const second = await send({ ...list, 'b.pdf': aPdf('B', 1) })
    const outcomes = await Promise.allSettled(
      [id, second.id].map((uploadId) =>
        app.call(imports.beginImport, { as: teacher, body: { uploadId } }),
      ),
    )
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'import_open' }) },
    ])
    await app.runJobs()
    const mine = (await last())?.id ?? ''
    const unknown = { code: 'import_not_found' }
    const params = { id: mine }
    await expect(app.call(imports.startImport, { as: other, params })).rejects.toMatchObject(
      unknown,
    )
    await expect(app.call(imports.cancelImport, { as: other, params })).rejects.toMatchObject(
      unknown,
    )
    expect(await last(other)).toBeNull()

    // Two teachers may use the same references.
    expect(await start(mine)).toMatchObject({ created: 1 })
    const theirs = await check(list, { as: other })
    expect(await start(theirs?.id ?? '', other)).toMatchObject({ created: 1 })
    expect([await own(), await own(other)].map((rows) => rows.length)).toEqual([1, 1])

    const { userId, teacherId } = { userId: teacher.id, teacherId: teacher.teacherId }
    await app.deps.database.kysely
      .insertInto('imports')
      .values(
        Array.from({ length: IMPORTS_MAX }, () => ({
          userId,
          teacherId,
          name: 'x',
          storageKeys: [],
          phase: 'given_up' as const,
          step: null,
          begunAt: new Date(app.deps.now()),
        })),
      )
      .execute()
    const late = await send(list)
    await expect(
      app.call(imports.beginImport, { as: teacher, body: { uploadId: late.id } }),
    ).rejects.toMatchObject({ code: 'too_many_imports' })
  })

  test('that a stopped shop left half-way are begun anew, and say so; one that fails repeatedly ends', async () => {
    const me = await app.anOfficeTeacher()
    const ready = await check(list, { as: me })
    const id = ready?.id ?? ''
    const stopped = AbortSignal.abort(new Error('stopping'))
    await app.call(imports.startImport, { as: me, params: { id } })
    // No job of the queue takes it meanwhile: this process is the one that stops.
    await expect(workOnImport(app.deps, id, stopped)).rejects.toThrow('stopping')
    expect([await last(me), await own(me)]).toMatchObject([{ phase: 'importing' }, []])
    await app.runJobs()
    expect(await last(me)).toMatchObject({ phase: 'done', isBegunAnew: true, created: 1 })

    // After a restore there is no job.
    const lost = await check(list, { as: me })
    await app.deps.database.kysely
      .updateTable('imports')
      .set({ phase: 'checking' })
      .where('id', '=', lost?.id ?? '')
      .execute()
    await resumeImports(app.deps)
    await app.runJobs()
    expect(await last(me)).toMatchObject({ phase: 'checking' })
    app.travel(HOUR_MS)
    await resumeImports(app.deps)
    await app.runJobs()
    expect(await last(me)).toMatchObject({ phase: 'ready' })

    const { id: uploadId } = await send({ ...list, 'z.txt': 'z' }, me)
    const begun = await app.call(imports.beginImport, { as: me, body: { uploadId } })
    await app.deps.database.kysely
      .updateTable('imports')
      .set({ tries: IMPORT_MAX_TRIES })
      .where('id', '=', begun.id)
      .execute()
    await app.runJobs()
    expect(await last(me)).toMatchObject({ phase: 'failed' })
    expect(await filesAside()).toEqual([])
  })

  test('can be cancelled at any moment before the end, and leave nothing behind', async () => {
    const me = await app.anOfficeTeacher()
    const ready = await check(list, { as: me })
    const params = { id: ready?.id ?? '' }
    await app.call(imports.startImport, { as: me, params })
    await app.call(imports.cancelImport, { as: me, params })
    await app.runJobs()
    expect([await last(me), await own(me)]).toEqual([null, []])
    const done = await check(list, { as: me })
    await start(done?.id ?? '', me)
    await expect(
      app.call(imports.cancelImport, { as: me, params: { id: done?.id ?? '' } }),
    ).rejects.toMatchObject({ code: 'import_state_changed' })
  })

  test('are refused without the office’s log-in, and to customers', async () => {
    const customer = await app.aCustomer()
    const path = addressOf(imports.getImport, {})
    expect((await app.request('GET', path)).status).toBe(401)
    expect((await app.request('GET', path, { as: customer })).status).toBe(401)
    const { id } = await sendFile(app, teacher, await zip(list), { purpose: 'import' })
    await expect(
      app.call(imports.beginImport, { as: teacher, body: { uploadId: id } }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/upload_incomplete|too_many_imports/) })
  })

  test('have a template in every language, which is a list', async () => {
    for (const locale of ['ar', 'fr', 'en'] as const) {
      const path = addressOf(imports.getImportTemplate, { query: { locale } })
      const { status, body } = await app.request('GET', path, { as: teacher })
      expect(status).toBe(200)
      const me = await app.anOfficeTeacher()
      const found = await check(
        {
          'x.csv': String(body),
          'math-7-001.pdf': aPdf('A', 1),
          'math-7-001.png': await aPicture('#0a7'),
        },
        { as: me },
      )
      expect(found).toMatchObject({ phase: 'ready', created: 1 })
    }
    const { rows } = await sql`SELECT FROM imports WHERE phase = 'checking'`.execute(
      app.deps.database.kysely,
    )
    expect(rows).toEqual([])
  })
})
