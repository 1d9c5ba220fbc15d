// @one-database: it is about pictures.
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { getOwnDocument } from '../../src/contract/office-documents.ts'
import { setSamplePages } from '../../src/contract/office-samples.ts'
import { getStamp } from '../../src/contract/office-stamp.ts'
import { HOUR_MS } from '../../src/rules/durations.ts'
import { documentTag } from '../../src/rules/page-tags.ts'
import { samplePicture } from '../../src/rules/reading.ts'
import { writeWhole } from '../../src/server/files/files.ts'
import { makeSamples } from '../../src/server/library/library.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { callByCommand } from '../support/operator.ts'
import { aPdf } from '../support/pdf.ts'
import { aPublished, make, pictures, sampleOf, statusOf } from '../support/samples.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  return app.stop
})

describe('samples over HTTP', () => {
  describe('their pages, chosen in the office', () => {
    type Teacher = Awaited<ReturnType<TestApp['anOfficeTeacher']>>
    let teacher: Teacher
    let id: number
    beforeAll(async () => {
      teacher = await app.anOfficeTeacher()
      const document = await aPublished(app, aPdf('Neuf', 9), 9, 'Neuf pages', teacher.teacherId)
      id = document.id
      await make(app)
    })

    const choose = (pages: number[] | null, { as = teacher, of = id } = {}) =>
      app.call(setSamplePages, { as, params: { id: of }, body: { pages } })
    const own = async () =>
      (await app.call(getOwnDocument, { as: teacher, params: { id } })).document
    const chosen = async () => (await own()).samplePages
    const seen = async () => (await sampleOf(app, id)).pages.map(({ page }) => page)

    test('are shown without one that cannot be drawn, of which the operator is told', async () => {
      const file = aPdf('Une page lourde', 9)
      const heavy = await aPublished(app, file, 9, 'Lourd', teacher.teacherId)
      await choose([1, 2, 3], { of: heavy.id })
      const sha256 = createHash('sha256').update(file).digest('hex')
      // As after a page that took too much of the machine.
      await app.deps.database.kysely
        .insertInto('fileFaults')
        .values({ sha256, task: 'pagePicture', part: 2, reason: 'memory' })
        .execute()
      await make(app)
      expect((await sampleOf(app, heavy.id)).pages.map(({ page }) => page)).toEqual([1, 3])
      const statuses = (await pictures(app, heavy.id)).map(({ response }) => response.status)
      expect(statuses).toEqual([200, 200, 200, 200])
      const admin = await app.anOfficeAdministrator()
      expect((await app.call(getStamp, { as: admin })).undrawn.newest).toMatchObject([
        { documentId: heavy.id, isTriedAgain: false },
      ])
    })

    test('are shown to everybody, in their order; if none are chosen: the first ones', async () => {
      const before = await sampleOf(app, id)
      const picture = samplePicture({ ...before, key: before.key ?? '' }, 1, 480)
      app.published.splice(0)
      expect(await choose([8, 2, 5])).toMatchObject({ id, samplePages: [2, 5, 8] })
      expect(app.published).toContain(documentTag(id))
      expect(await statusOf(app, picture)).toBe(404)
      await make(app)
      expect(await seen()).toEqual([2, 5, 8])
      for (const { response } of await pictures(app, id)) expect(response.status).toBe(200)
      expect(await statusOf(app, picture)).toBe(404)
      // Saving the same again changes nothing.
      app.published.splice(0)
      await choose([5, 8, 2])
      expect(app.published).toEqual([])
      expect(await choose(null)).toMatchObject({ samplePages: null })
      await make(app)
      expect(await seen()).toEqual([1, 2])
    })

    test.each([
      ['more than a third', [1, 2, 3, 4]],
      ['a page past the end', [10]],
      ['a page twice', [3, 3]],
    ])('are refused: %s', async (_, pages) => {
      await choose([4])
      await expect(choose(pages)).rejects.toMatchObject({
        status: 409,
        code: 'sample_not_possible',
      })
      expect(await chosen()).toEqual([4])
    })

    test.each([
      {},
      { pages: [] },
      { pages: [0] },
      { pages: [-1] },
      { pages: [1.5] },
      { pages: ['one'] },
      { pages: [2001] },
      { pages: '1-3' },
      { pages: Array.from({ length: 21 }, (_, at) => at + 1) },
      [],
      '{',
    ])('are refused as invalid: %j', async (body) => {
      await choose([4])
      const path = `/api/office/documents/${id}/sample`
      const { status } = await app.request('PUT', path, { as: teacher, body })
      expect(status).toBe(400)
      expect(await chosen()).toEqual([4])
    })

    test('can be set by the operator', async () => {
      const set = (pages: string) =>
        callByCommand(
          app,
          'setSamplePages',
          `id=${id}`,
          `pages=${pages}`,
          `--teacher=${teacher.teacherId}`,
        )
      await set('9')
      expect(await chosen()).toEqual([9])
      await expect(set('1,2,3,4')).rejects.toThrow()
      expect(await chosen()).toEqual([9])
      await set('null')
      expect(await chosen()).toBe(null)
    })

    test('can be changed by their teacher alone', async () => {
      await choose([4])
      const other = await app.anOfficeTeacher()
      const missing = { status: 404, code: 'document_not_found' }
      await expect(choose([1], { as: other })).rejects.toMatchObject(missing)
      await expect(choose([1], { of: 999_999 })).rejects.toMatchObject(missing)
      expect(await chosen()).toEqual([4])
    })
  })

  test('are drawn on demand before they were drawn ahead', async () => {
    const { id } = await aPublished(app, aPdf('Tout de suite', 3), 3)
    await makeSamples(app.deps, { mayDraw: false })
    const [first] = await pictures(app, id)
    expect(first?.response.status).toBe(200)
  })

  test('are missing where a PDF breaks: it stays for sale, and the operator is told', async () => {
    const { id } = await aPublished(app, Buffer.from('%PDF-1.4 and nothing more'), 4)
    const good = await aPublished(app, aPdf('Bon', 3), 3)
    await make(app)
    expect(await sampleOf(app, id)).toMatchObject({ key: null, pages: [] })
    expect(app.reports.join('\n')).toContain(`document ${id}`)
    expect((await sampleOf(app, good.id)).pages).toHaveLength(1)
    expect((await app.request('GET', `/api/documents/${id}`)).status).toBe(200)
  })

  test('stay, and are drawn later, when it is not the PDF that breaks', async () => {
    const { id } = await aPublished(app, aPdf('Disque plein', 3), 3)
    await makeSamples(app.deps, { mayDraw: false })
    const { key } = await sampleOf(app, id)
    // Blocks the directory of its pictures.
    const blocked = join(app.deps.config.dataDir, 'samples', `${id}-${key}`)
    await writeWhole(blocked, '')
    await make(app)
    expect((await sampleOf(app, id)).key).toBe(key)
    expect(app.reports.join('\n')).not.toContain(`document ${id} `)
    await rm(blocked)
    app.travel(HOUR_MS)
    await make(app)
    const [first] = await pictures(app, id)
    expect(first?.response.status).toBe(200)
    const drawn = await app.deps.database.kysely
      .selectFrom('samples')
      .select(['isDrawn', 'tries'])
      .where('documentId', '=', id)
      .executeTakeFirst()
    expect(drawn).toEqual({ isDrawn: true, tries: 0 })
  })
})
