import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { expireImports } from '../../../src/server/imports/imports.ts'
import { cleanUpFiles } from '../../../src/server/uploads/uploads.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import {
  check,
  csv,
  filesAside,
  own,
  problemsOf,
  ROW,
  type RowValues,
  start,
} from '../../support/imports.ts'
import { aPdf } from '../../support/pdf.ts'
import { aPicture } from '../../support/picture.ts'

let app: TestApp
let teacher: Person & { teacherId: number }

beforeAll(async () => {
  app = await testApp()
  await fillSchoolLists(app.deps.database)
  return app.stop
})

describe('an uploaded list', () => {
  beforeAll(async () => {
    teacher = await app.anOfficeTeacher({ firstName: 'سلمى', lastName: 'بن عمر' })
  })

  test('is checked first, then creates drafts or submissions, and a second run changes nothing', async () => {
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
      WHERE id = ${id}`.execute(app.deps.database.kysely)
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
    teacher = await app.anOfficeTeacher()
  })

  test('sets the sample pages, and leaves them alone where it names none', async () => {
    const author = await app.anOfficeTeacher()
    const chosen = async (sample: string | undefined, others: RowValues = {}) => {
      const row: RowValues = { reference: 'S', ...(sample !== undefined && { sample }), ...others }
      const found = await check(
        app,
        teacher,
        { 'a.csv': csv([row]), 'a.pdf': aPdf('S', 9) },
        { as: author },
      )
      if (found?.phase !== 'ready') return problemsOf(found)
      await start(app, teacher, found.id, author)
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
