import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as imports from '../../../src/contract/office-imports.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import { IMPORT_MAX_TRIES, IMPORTS_MAX } from '../../../src/rules/imports.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { giveUpImport, resumeImports, workOnImport } from '../../../src/server/imports/imports.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import {
  check,
  csv,
  filesAside,
  last,
  own,
  problemsOf,
  send,
  start,
  zip,
} from '../../support/imports.ts'
import { aPdf } from '../../support/pdf.ts'
import { aPicture } from '../../support/picture.ts'
import { sendFile } from '../../support/uploads.ts'
import { addressOf } from '../http/samples.ts'

let app: TestApp
let teacher: Person & { teacherId: number }

beforeAll(async () => {
  app = await testApp()
  await fillSchoolLists(app.deps.database)
  return app.stop
})

describe('imports', () => {
  beforeAll(async () => {
    teacher = await app.anOfficeTeacher()
  })

  const list = { 'a.csv': csv([{ reference: 'A' }]), 'a.pdf': aPdf('A', 1) }

  test('run one at a time, are limited per day, and belong to one teacher', async () => {
    const other = await app.anOfficeTeacher()
    const { id } = await send(app, teacher, list)
    const body = { uploadId: id }
    await expect(app.call(imports.beginImport, { as: other, body })).rejects.toMatchObject({
      code: 'upload_not_found',
    })
    const second = await send(app, teacher, { ...list, 'b.pdf': aPdf('B', 1) })
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
    const mine = (await last(app, teacher))?.id ?? ''
    const unknown = { code: 'import_not_found' }
    const params = { id: mine }
    await expect(app.call(imports.startImport, { as: other, params })).rejects.toMatchObject(
      unknown,
    )
    await expect(app.call(imports.cancelImport, { as: other, params })).rejects.toMatchObject(
      unknown,
    )
    expect(await last(app, other)).toBeNull()

    // Two teachers may use the same references.
    expect(await start(app, teacher, mine)).toMatchObject({ created: 1 })
    const theirs = await check(app, teacher, list, { as: other })
    expect(await start(app, teacher, theirs?.id ?? '', other)).toMatchObject({ created: 1 })
    expect([await own(app, teacher), await own(app, other)].map((rows) => rows.length)).toEqual([
      1, 1,
    ])

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
    const late = await send(app, teacher, list)
    await expect(
      app.call(imports.beginImport, { as: teacher, body: { uploadId: late.id } }),
    ).rejects.toMatchObject({ code: 'too_many_imports' })
  })

  test('that a stopped shop left half-way are restarted, and say so; one that fails repeatedly ends', async () => {
    const me = await app.anOfficeTeacher()
    const ready = await check(app, teacher, list, { as: me })
    const id = ready?.id ?? ''
    const stopped = AbortSignal.abort(new Error('stopping'))
    await app.call(imports.startImport, { as: me, params: { id } })
    // No queued job runs it meanwhile: this process is the one that stops.
    await expect(workOnImport(app.deps, id, stopped)).rejects.toThrow('stopping')
    expect([await last(app, me), await own(app, me)]).toMatchObject([{ phase: 'importing' }, []])
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'done', isBegunAnew: true, created: 1 })

    // After a restore there is no job.
    const lost = await check(app, teacher, list, { as: me })
    await app.deps.database.kysely
      .updateTable('imports')
      .set({ phase: 'checking' })
      .where('id', '=', lost?.id ?? '')
      .execute()
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
    await app.deps.database.kysely
      .updateTable('imports')
      .set({ failures: IMPORT_MAX_TRIES - 1, storageKeys: ['gone.zip'] })
      .where('id', '=', begun.id)
      .execute()
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'failed', problems: [] })
    expect(await filesAside(app)).toEqual([])
  })

  test('finish however often the shop is stopped, and fail where they ended it twice', async () => {
    const me = await app.anOfficeTeacher()
    const { id: uploadId } = await send(app, me, list)
    const { id } = await app.call(imports.beginImport, { as: me, body: { uploadId } })
    for (let stop = 0; stop < IMPORT_MAX_TRIES; stop++) {
      const stopped = AbortSignal.abort(new Error('stopping'))
      await expect(workOnImport(app.deps, id, stopped)).rejects.toThrow('stopping')
    }
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'ready', isBegunAnew: true })

    await app.call(imports.startImport, { as: me, params: { id } })
    await giveUpImport(app.deps, id)
    await app.runJobs()
    expect(await last(app, me)).toMatchObject({ phase: 'failed', step: null, problemCount: 1 })
    expect(problemsOf(await last(app, me))).toEqual([[null, null, 'stopped_shop', '']])
    expect([await own(app, me), await filesAside(app)]).toEqual([[], []])
  })

  test('can be cancelled at any moment before the end, and leave nothing behind', async () => {
    const me = await app.anOfficeTeacher()
    const ready = await check(app, teacher, list, { as: me })
    const params = { id: ready?.id ?? '' }
    await app.call(imports.startImport, { as: me, params })
    await app.call(imports.cancelImport, { as: me, params })
    await app.runJobs()
    expect([await last(app, me), await own(app, me)]).toEqual([null, []])
    const done = await check(app, teacher, list, { as: me })
    await start(app, teacher, done?.id ?? '', me)
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

  test('have a template in every language, which is a valid list', async () => {
    for (const locale of LOCALES) {
      const path = addressOf(imports.getImportTemplate, { query: { locale } })
      const { status, body } = await app.request('GET', path, { as: teacher })
      expect(status).toBe(200)
      const me = await app.anOfficeTeacher()
      const found = await check(
        app,
        teacher,
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
