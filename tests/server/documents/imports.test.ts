import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as imports from '../../../src/contract/office-imports.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import {
  IMPORT_MAX_DOCUMENTS,
  IMPORT_MAX_TRIES,
  IMPORTS_MAX,
  PACKAGE_MAX_FILES,
} from '../../../src/rules/imports.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import {
  expireImports,
  giveUpImport,
  resumeImports,
  workOnImport,
} from '../../../src/server/imports/imports.ts'
import { cleanUpFiles } from '../../../src/server/uploads/uploads.ts'
import { testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import { hostileZip } from '../../support/hostile-zips.ts'
import {
  check,
  csv,
  type Files,
  filesAside,
  last,
  own,
  problemsOf,
  ROW,
  type RowValues,
  send,
  start,
  zip,
} from '../../support/imports.ts'
import { aPdf } from '../../support/pdf.ts'
import { aPicture } from '../../support/picture.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'
import { BAD_PDFS, sendFile, upload } from '../../support/uploads.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)

const begin = (as: Person, uploadId: string, after?: string) =>
  app.call(imports.beginImport, { as, body: { uploadId, ...(after && { after }) } })

describe('an uploaded list', () => {
  test('is checked first, then creates drafts or submissions, and a second run changes nothing', async () => {
    const teacher = await app.anOfficeTeacher()
    const files = {
      // As phones send them: without the folder that the list names.
      'catalogue.csv': csv([
        { reference: 'A', title: 'أ', file: 'files\\a.pdf', cover: 'c.png' },
        { reference: 'B', title: 'ب', state: 'submitted', price: '0' },
      ]),
      'a.pdf': aPdf('A', 2),
      'c.png': await aPicture('#0a7'),
      '__MACOSX/._a.pdf': 'aside',
    }
    const ready = await check(app, teacher, files)
    expect(ready).toMatchObject({ phase: 'ready', created: 2, unchanged: 0, problems: [] })
    expect(await own(app, teacher)).toEqual([])

    const id = ready?.id ?? ''
    // A checked file is not opened again: its page count is reused.
    await sql`UPDATE imports SET checked_files = replace(checked_files::text, ': 2', ': 7')::jsonb
      WHERE id = ${id}`.execute(app.kysely)
    const done = await start(app, teacher, id)
    expect(done).toMatchObject({ phase: 'done', created: 2, changed: 0, isBegunAnew: false })
    const [first, second] = await own(app, teacher)
    expect(first).toMatchObject({
      title: 'أ',
      state: 'draft',
      price: 12.5,
      pageCount: 7,
      coverPath: expect.stringMatching(/^\/media\/covers\//),
      missing: [],
    })
    expect(second).toMatchObject({ title: 'ب', state: 'submitted', price: 0 })
    // Once, however often it is requested.
    expect(await start(app, teacher, id)).toEqual(done)
    expect(await filesAside(app)).toEqual([])

    const again = await check(app, teacher, files)
    expect(again).toMatchObject({ phase: 'ready', created: 0, unchanged: 2 })
    expect(await start(app, teacher, again?.id ?? '')).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 2,
    })

    const { 'a.pdf': pdf, ...others } = files
    const changed = await check(app, teacher, {
      ...others,
      'a.pdf': aPdf('A, corrected', 3),
      'catalogue.csv': csv([{ reference: 'A', title: 'أ', price: '20', state: 'submitted' }]),
    })
    expect(await start(app, teacher, changed?.id ?? '')).toMatchObject({
      created: 0,
      changed: 1,
      unchanged: 0,
    })
    expect((await own(app, teacher))[0]).toMatchObject({
      price: 20,
      pageCount: 3,
      state: 'submitted',
    })
    // It is under review now.
    const refused = await check(app, teacher, {
      'a.pdf': pdf,
      'x.json': JSON.stringify([{ ...ROW, reference: 'A', title: 'Z' }]),
    })
    expect(problemsOf(refused)).toEqual([[2, 'reference', 'under_review', 'أ']])

    // Files that are no longer needed are cleaned up.
    app.travel(2 * DAY_MS)
    await expireImports(app.deps)
    await cleanUpFiles(app.deps)
    const kept: string[] = []
    for await (const { key } of app.deps.files.list()) kept.push(key)
    expect(kept.filter((key) => key.endsWith('.zip'))).toEqual([])
    expect(kept.filter((key) => key.endsWith('.pdf'))).toHaveLength(2)
  })

  test('sets the sample pages, and leaves them alone where it names none', async () => {
    const author = await app.anOfficeTeacher()
    const chosen = async (sample: string | undefined, others: RowValues = {}) => {
      const row: RowValues = { reference: 'S', ...(sample !== undefined && { sample }), ...others }
      const found = await check(app, author, { 'a.csv': csv([row]), 'a.pdf': aPdf('S', 9) })
      if (found?.phase !== 'ready') return problemsOf(found)
      await start(app, author, found.id)
      return (await own(app, author))[0]?.samplePages
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
})

describe('imports', () => {
  const list = { 'a.csv': csv([{ reference: 'A' }]), 'a.pdf': aPdf('A', 1) }

  test('run one at a time, are limited per day, and belong to one teacher', async () => {
    const me = await app.anOfficeTeacher()
    const other = await app.anOfficeTeacher()
    const { id } = await send(app, me, list)
    await expectCode(begin(other, id), 'upload_not_found')
    const unchecked = await sendFile(app, other, await zip(list), { purpose: 'import' })
    await expectCode(begin(other, unchecked.id), 'upload_incomplete')
    const second = await send(app, me, { ...list, 'b.pdf': aPdf('B', 1) })
    const outcomes = await Promise.allSettled([begin(me, id), begin(me, second.id)])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'import_open' }) },
    ])
    await app.runJobs()
    const mine = (await last(app, me))?.id ?? ''
    const params = { id: mine }
    await expectCode(app.call(imports.startImport, { as: other, params }), 'import_not_found')
    await expectCode(app.call(imports.cancelImport, { as: other, params }), 'import_not_found')
    expect(await last(app, other)).toBeNull()

    // Two teachers may use the same references.
    expect(await start(app, me, mine)).toMatchObject({ created: 1 })
    const theirs = await check(app, other, list)
    expect(await start(app, other, theirs?.id ?? '')).toMatchObject({ created: 1 })
    for (const as of [me, other]) expect(await own(app, as)).toHaveLength(1)

    const before = {
      userId: me.id,
      teacherId: me.teacherId,
      name: 'x',
      storageKeys: [],
      phase: 'given_up' as const,
      step: null,
      begunAt: new Date(app.deps.now()),
    }
    await app.kysely.insertInto('imports').values(Array(IMPORTS_MAX).fill(before)).execute()
    const late = await send(app, me, list)
    await expectCode(begin(me, late.id), 'too_many_imports')
  })

  const stopped = AbortSignal.abort(new Error('stopping'))
  /** An import of a shop that works on no job until the test has it do so. */
  async function begunAlone() {
    const app = await testApp()
    await fillSchoolLists(app.deps.database)
    const me = await app.anOfficeTeacher()
    const { id: uploadId } = await send(app, me, list)
    const { id } = await app.call(imports.beginImport, { as: me, body: { uploadId } })
    return { app, me, id }
  }

  test('that a stopped shop left half-way are restarted, and say so; one that fails repeatedly ends', async () => {
    const { app, me, id } = await begunAlone()
    await workOnImport(app.deps, id, new AbortController().signal)
    await app.call(imports.startImport, { as: me, params: { id } })
    await expect(workOnImport(app.deps, id, stopped)).rejects.toThrow('stopping')
    expect([await last(app, me), await own(app, me)]).toMatchObject([{ phase: 'importing' }, []])
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'done', isBegunAnew: true, created: 1 })

    // After a restore there is no job.
    const lost = await check(app, me, list)
    await app.change('imports', lost?.id ?? '', { phase: 'checking' })
    await resumeImports(app.deps)
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'checking' })
    app.travel(HOUR_MS)
    await resumeImports(app.deps)
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'ready' })

    // A try that fails, here because its ZIP is gone, is not tried for ever.
    const { id: uploadId } = await send(app, me, { ...list, 'z.txt': 'z' })
    const begun = await app.call(imports.beginImport, { as: me, body: { uploadId } })
    await app.change('imports', begun.id, {
      failures: IMPORT_MAX_TRIES - 1,
      storageKeys: ['gone.zip'],
    })
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'failed', problems: [] })
    expect(await filesAside(app)).toEqual([])
  })

  test('finish however often the shop is stopped, and fail where they ended it twice', async () => {
    const { app, me, id } = await begunAlone()
    for (let stop = 0; stop < IMPORT_MAX_TRIES; stop++) {
      await expect(workOnImport(app.deps, id, stopped)).rejects.toThrow('stopping')
    }
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'ready', isBegunAnew: true })

    // As a start does, without a job that could be done meanwhile.
    await app.change('imports', id, { phase: 'importing' })
    await giveUpImport(app.deps, id)
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'failed', step: null, problemCount: 1 })
    expect(problemsOf(await last(app, me))).toEqual([[null, null, 'stopped_shop', '']])
    expect([await own(app, me), await filesAside(app)]).toEqual([[], []])
  })

  test('can be cancelled at any moment before the end, and leave nothing behind', async () => {
    const me = await app.anOfficeTeacher()
    const ready = await check(app, me, list)
    const params = { id: ready?.id ?? '' }
    await app.call(imports.startImport, { as: me, params })
    await app.call(imports.cancelImport, { as: me, params })
    await app.runJobs()
    expect([await last(app, me), await own(app, me)]).toEqual([null, []])
    const done = await check(app, me, list)
    await start(app, me, done?.id ?? '')
    await expectCode(
      app.call(imports.cancelImport, { as: me, params: { id: done?.id ?? '' } }),
      'import_state_changed',
    )
  })

  test('have a template in every language, which is a valid list', async () => {
    for (const locale of LOCALES) {
      const me = await app.anOfficeTeacher()
      const template = await app.call(imports.getImportTemplate, { as: me, query: { locale } })
      const found = await check(app, me, {
        'x.csv': String(template),
        'math-7-001.pdf': aPdf('A', 4),
        'math-7-001.png': await aPicture('#0a7'),
      })
      expect(found).toMatchObject({ phase: 'ready', created: 1 })
    }
  })
})

/** A PDF with a password. */
function locked(): Uint8Array {
  const found = Object.values(BAD_PDFS).find(({ code }) => code === 'pdf_encrypted')
  if (!found) throw new Error('no encrypted PDF')
  return found.bytes()
}

describe('the problems of an uploaded list', () => {
  let teacher: Awaited<ReturnType<typeof app.anOfficeTeacher>>
  beforeAll(async () => {
    teacher = await app.anOfficeTeacher()
  })

  test('lists all its problems by row, and accepts the corrected files alone', async () => {
    const refused = await check(app, teacher, {
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
    await expectCode(
      app.call(imports.startImport, { as: teacher, params: { id: refused?.id ?? '' } }),
      'import_state_changed',
    )

    const list = csv([{ reference: 'A' }, { reference: 'C', title: 'C', file: 'locked.pdf' }])
    const other = await app.anOfficeTeacher()
    const theirs = await send(app, other, { 'catalogue.csv': list })
    const after = refused?.id ?? ''
    await expectCode(begin(other, theirs.id, after), 'import_not_found')
    const corrected = { 'mine.csv': list, 'locked.pdf': aPdf('open', 1) }
    const mended = await check(app, teacher, corrected, after)
    expect(mended).toMatchObject({ phase: 'ready', created: 2 })
    expect(await start(app, teacher, mended?.id ?? '')).toMatchObject({ phase: 'done', created: 2 })
    expect(await own(app, teacher)).toHaveLength(2)
  })

  test('must contain one list, of at most as many documents as allowed', async () => {
    const pdf = { 'a.pdf': aPdf('A', 1) }
    const problems = async (files: Files) => problemsOf(await check(app, teacher, files))
    expect(await problems(pdf)).toMatchObject([[null, null, 'no_list', '']])
    const two = await problems({ 'a.csv': csv([]), 'b.csv': csv([]) })
    expect(two?.map(([, , code]) => code)).toEqual(['several_lists'])
    const many = Array.from({ length: IMPORT_MAX_DOCUMENTS + 1 }, (_, at) => ({
      reference: `R${at}`,
    }))
    expect(await problems({ ...pdf, 'a.csv': csv(many) })).toEqual([
      [null, null, 'too_many_rows', '1000'],
    ])
  })

  test('must be a ZIP that can be unpacked', async () => {
    const finish = (bytes: Uint8Array) => upload(app, teacher, bytes, { purpose: 'import' })
    await expectCode(finish(aPdf('A', 1)), 'not_a_zip')
    // The library's own reader ends the process over a place so far outside.
    const far = hostileZip([{ name: 'a.csv' }], { directoryAt: 2n ** 62n })
    await expectCode(finish(far), 'not_a_zip')
    const many = hostileZip(
      Array.from({ length: PACKAGE_MAX_FILES + 1 }, (_, at) => ({ name: `${at}` })),
    )
    await expectCode(finish(many), 'zip_too_large')

    // A file that understates its size: the unpacked bytes are counted.
    const bomb = hostileZip([
      { name: 'a.csv', content: csv([{ reference: 'A' }]) },
      { name: 'a.pdf', content: Buffer.alloc(200_000_000), size: 5000 },
    ])
    const { id } = await finish(bomb)
    await begin(teacher, id)
    await app.runJobs()
    expect(problemsOf(await last(app, teacher))).toEqual([[2, 'file', 'not_unpacked', 'a.pdf']])
  })
})

test('a small ZIP with an enormous list is refused, whatever size it says', async () => {
  const me = await app.anOfficeTeacher()
  const head = csv([{ reference: 'A' }])
  const rows = Buffer.alloc(6_000_000 * 4, '1;2\n')
  const content = Buffer.concat([Buffer.from(`${head}\r\n`), rows])
  const refusal = async (size: number | undefined) => {
    const bytes = hostileZip([{ name: 'a.csv', content, ...(size !== undefined && { size }) }])
    expect(bytes.length).toBeLessThan(150_000)
    const { id } = await upload(app, me, bytes, { purpose: 'import' })
    await begin(me, id)
    await app.runJobs()
    const found = await last(app, me)
    expect(found).toMatchObject({ phase: 'refused', isBegunAnew: false })
    return problemsOf(found)
  }
  expect(await refusal(undefined)).toEqual([[null, null, 'list_too_large', '4']])
  expect(await refusal(head.length)).toEqual([[null, null, 'not_unpacked', 'a.csv']])
  expect(await filesAside(app)).toEqual([])

  // As many rows as a list of its size may have, and texts that are far too long.
  const short = `${head}\r\n${`R;${'ئ'.repeat(60_000)}${';'.repeat(11)}\r\n`.repeat(20)}`
  const found = await check(app, me, { 'a.csv': short, 'a.pdf': aPdf('A', 1) })
  expect(problemsOf(found)).toContainEqual([3, 'title', 'too_long', '255'])
})
