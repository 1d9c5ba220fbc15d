// @one-database: it is about pictures.
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { getOwnDocument } from '../../src/contract/office-documents.ts'
import { setSamplePages } from '../../src/contract/office-samples.ts'
import { getSample } from '../../src/contract/samples.ts'
import { HOUR_MS } from '../../src/rules/durations.ts'
import { documentTag } from '../../src/rules/page-tags.ts'
import {
  readPages,
  SAMPLE_PICTURE_MAX_BYTES,
  SAMPLE_WIDTHS,
  type SampleWidth,
  samplePagesOf,
  samplePicture,
  sampleProblem,
} from '../../src/rules/reading.ts'
import { writeWhole } from '../../src/server/files/files.ts'
import { makeSamples } from '../../src/server/library/library.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { runCommand } from '../support/operator.ts'
import { aPdf } from '../support/pdf.ts'

const ARABIC = await readFile('src/server/demo/data/printed/30.pdf')

/** A PDF of one page whose every pixel is another colour: nothing is harder to make small. */
function aNoisyPdf(): Buffer {
  const [width, height] = [420, 594]
  const pixels = randomBytes(width * height * 3).toString('hex')
  const drawing = 'q 595 0 0 842 0 0 cm /I Do Q'
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length ${pixels.length + 1} >>\nstream\n${pixels}>\nendstream`,
  ]
  const objects = bodies.map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${objects}trailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1')
}

describe('the pages of a sample', () => {
  test.each([
    [null, 0, []],
    [null, 1, [1]],
    [null, 5, [1]],
    [null, 6, [1, 2]],
    [null, 300, [1, 2]],
    [[4, 2], 6, [2, 4]],
    [[4, 2, 2, 9], 3, [2]],
    [[9], 6, [1, 2]],
    [
      Array.from({ length: 60 }, (_, at) => at + 1),
      90,
      Array.from({ length: 20 }, (_, at) => at + 1),
    ],
  ])('chosen %j of %i', (chosen, count, pages) => {
    expect(samplePagesOf(chosen, count)).toEqual(pages)
  })

  test('a choice is of pages that there are, each once, and few enough', () => {
    expect(sampleProblem([1, 2], 6)).toBe(null)
    expect(sampleProblem([7], 6)).toBe('unknown')
    expect(sampleProblem([0], 6)).toBe('unknown')
    expect(sampleProblem([1.5], 6)).toBe('unknown')
    expect(sampleProblem([1, 1], 6)).toBe('repeated')
    expect(sampleProblem([1, 2, 3], 6)).toBe('too many')
  })

  test('are read as people write them', () => {
    expect(readPages('1, 2،5-7')).toEqual([1, 2, 5, 6, 7])
    for (const typed of ['', 'a', '1.5', '3-1', '-1', '1--2']) expect(readPages(typed)).toBe(null)
  })
})

describe('samples over HTTP', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp()
    return app.stop
  })

  async function aPublished(file: Buffer, pages: number, title = 'Fractions', teacherId?: number) {
    return await app.aDocument({ title, file, pages, ...(teacherId && { teacherId }) })
  }

  /** Turn after turn: on a busy machine one is too short for all that is due. */
  async function make(): Promise<void> {
    do await makeSamples(app.deps, { mayDraw: true })
    while (await isUnfinished())
  }

  async function isUnfinished(): Promise<boolean> {
    const { rows } = await sql`SELECT FROM samples
      WHERE due_at <= greatest(now(), ${new Date(app.deps.now())})
        OR (NOT is_drawn AND due_at IS NULL AND pages IS NOT NULL)`.execute(
      app.deps.database.kysely,
    )
    return rows.length > 0
  }

  const sampleOf = (id: number) => app.call(getSample, { params: { id } })

  async function pictures(id: number) {
    const sample = await sampleOf(id)
    const addresses = sample.pages.flatMap(({ page }) =>
      SAMPLE_WIDTHS.map((width) =>
        samplePicture({ ...sample, key: sample.key ?? '' }, page, width),
      ),
    )
    return Promise.all(
      addresses.map(async (address) => {
        const response = await fetch(app.url + address)
        return { address, response, bytes: Buffer.from(await response.arrayBuffer()) }
      }),
    )
  }

  /** The status of a picture's address, or of one that is like it. */
  const statusOf = async (path: string) => (await fetch(app.url + path)).status

  test('are there once the document is published: text in its order, pictures for good', async () => {
    const { id } = await aPublished(ARABIC, 6, 'التغذية عند النبات الأخضر')
    expect(await sampleOf(id)).toMatchObject({ key: null, pages: [] })
    await make()
    const sample = await sampleOf(id)
    expect(sample).toMatchObject({ direction: 'rtl', fileSize: ARABIC.length })
    expect(sample.pages.map(({ page }) => page)).toEqual([1, 2])
    // Ligatures, vowels above letters, and letters that PDFium reads as lines of their own.
    expect(sample.pages[1]?.text.split('\n').slice(2)).toEqual([
      'التغذية عند النبات الأخضر',
      'اقرأ كلّ قاعدة مرّتين، ثمّ أغلق الكرّاس وأعدها بصوت مسموع وبأسلوبك.',
      'يمتصّ النبات الأخضر الماء والأملاح المعدنيّة من التربة بواسطة الأوبار الماصّة',
      'للجذور.',
      'يصعد النسغ الخام من الجذور إلى الأوراق عبر الأوعية الخشبيّة.',
      'التركيب الضوئيّ ظاهرة يصنع بها النبات الأخضر مادّته العضويّة في الضوء، ويحتاج',
      'فيها إلى اليخضور وثاني أكسيد الكربون والماء.',
      'يطرح النبات أثناء التركيب الضوئيّ الأكسجين، ويتنفّس في كلّ وقت ليلًا ونهارًا.',
      'النبات الأخضر كائن ذاتيّ التغذية، أمّا الحيوان فغيريّ التغذية.',
    ])
    const kept = await readdir(join(app.deps.config.dataDir, 'samples', `${id}-${sample.key}`))
    expect(kept.toSorted()).toEqual(['1-480.webp', '1-900.webp', '2-480.webp', '2-900.webp'])
    for (const { response, bytes, address } of await pictures(id)) {
      expect(response.headers.get('content-type')).toBe('image/webp')
      expect(response.headers.get('cache-control')).toContain('immutable')
      expect(bytes.length).toBeLessThanOrEqual(SAMPLE_PICTURE_MAX_BYTES)
      const { width } = await sharp(bytes).metadata()
      expect(address).toContain(`-${width}.webp`)
    }
  })

  test('carry a watermark, and are small whatever the page is', async () => {
    const { id } = await aPublished(aNoisyPdf(), 1)
    await make()
    for (const { bytes } of await pictures(id)) {
      expect(bytes.length).toBeGreaterThan(1000)
      expect(bytes.length).toBeLessThanOrEqual(SAMPLE_PICTURE_MAX_BYTES)
    }
    // The test's pages are blue all over: what is of another colour was written across.
    const blue = await aPublished(aPdf('Bleu', 3), 3)
    await make()
    const [picture] = await pictures(blue.id)
    const { channels } = await sharp(picture?.bytes)
      .extract({ left: 0, top: 200, width: 480, height: 300 })
      .stats()
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(1)
  })

  test('show their own pages alone, and nothing of what is not for sale', async () => {
    const { id } = await aPublished(aPdf('Six', 6), 6)
    await make()
    const sample = { documentId: id, key: (await sampleOf(id)).key ?? '' }
    const there = samplePicture(sample, 1, 480)
    expect(await statusOf(there)).toBe(200)
    for (const wrong of [
      samplePicture(sample, 3, 480),
      samplePicture(sample, 0, 480),
      samplePicture(sample, 99, 480),
      samplePicture(sample, 9999, 900),
      samplePicture(sample, 1, 1400 as SampleWidth),
      samplePicture(sample, 1, 481 as SampleWidth),
      samplePicture({ ...sample, key: '0'.repeat(16) }, 1, 480),
      samplePicture({ ...sample, documentId: 999_999 }, 1, 480),
      `/media/samples/${id}-${sample.key}/../1-480.webp`,
      `/media/samples/${id}-${sample.key}/..%2f..%2fsecret`,
      `/media/samples/..%2f..%2fsecret/1-480.webp`,
      `/media/samples/%00/1-480.webp`,
      there.replace('.webp', '.avif'),
      there.replace('1-480', '01-480'),
    ]) {
      expect({ wrong, status: await statusOf(wrong) }).toEqual({ wrong, status: 404 })
    }
    const kept = await readdir(join(app.deps.config.dataDir, 'samples', `${id}-${sample.key}`))
    expect(kept).toHaveLength(4)
    for (const bad of [0, -1, 999_999]) {
      expect((await app.request('GET', `/api/documents/${bad}/sample`)).status).toBeOneOf([
        400, 404,
      ])
    }

    const { kysely } = app.deps.database
    await kysely
      .updateTable('documents')
      .set({ state: 'unpublished' })
      .where('id', '=', id)
      .execute()
    expect(await statusOf(there)).toBe(404)
    await expect(sampleOf(id)).rejects.toMatchObject({ code: 'document_not_found' })
  })

  test('follow the teacher’s choice, at another address', async () => {
    const { id } = await aPublished(aPdf('Neuf', 9), 9)
    await make()
    const [before] = await pictures(id)
    const { kysely } = app.deps.database
    await kysely
      .updateTable('documents')
      .set({ samplePages: [4, 7] })
      .where('id', '=', id)
      .execute()
    // What is due is not drawn by those who look.
    expect(await statusOf(before?.address ?? '')).toBe(404)
    app.published.splice(0)
    await make()
    expect(app.published).toContain(documentTag(id))
    const sample = await sampleOf(id)
    expect(sample.pages.map(({ page, text }) => [page, text])).toEqual([
      [4, 'Page 4'],
      [7, 'Page 7'],
    ])
    expect(await statusOf(before?.address ?? '')).toBe(404)
    const kept = await readdir(join(app.deps.config.dataDir, 'samples'))
    expect(kept.filter((name) => name.startsWith(`${id}-`))).toEqual([`${id}-${sample.key}`])
  })

  describe('their pages, chosen in the office', () => {
    type Teacher = Awaited<ReturnType<TestApp['anOfficeTeacher']>>
    let teacher: Teacher
    let id: number
    beforeAll(async () => {
      teacher = await app.anOfficeTeacher()
      const document = await aPublished(aPdf('Neuf', 9), 9, 'Neuf pages', teacher.teacherId)
      id = document.id
      await make()
    })

    const choose = (pages: number[] | null, { as = teacher, of = id } = {}) =>
      app.call(setSamplePages, { as, params: { id: of }, body: { pages } })
    const own = async () =>
      (await app.call(getOwnDocument, { as: teacher, params: { id } })).document
    const chosen = async () => (await own()).samplePages
    const seen = async () => (await sampleOf(id)).pages.map(({ page }) => page)

    test('are what everybody sees, in their order; none chosen: the first ones', async () => {
      const before = await sampleOf(id)
      const picture = samplePicture({ ...before, key: before.key ?? '' }, 1, 480)
      app.published.splice(0)
      expect(await choose([8, 2, 5])).toMatchObject({ id, samplePages: [2, 5, 8] })
      expect(app.published).toContain(documentTag(id))
      expect(await statusOf(picture)).toBe(404)
      await make()
      expect(await seen()).toEqual([2, 5, 8])
      for (const { response } of await pictures(id)) expect(response.status).toBe(200)
      expect(await statusOf(picture)).toBe(404)
      // The same again changes nothing.
      app.published.splice(0)
      await choose([5, 8, 2])
      expect(app.published).toEqual([])
      expect(await choose(null)).toMatchObject({ samplePages: null })
      await make()
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
    ])('are refused as garbage: %j', async (body) => {
      await choose([4])
      const path = `/api/office/documents/${id}/sample`
      const { status } = await app.request('PUT', path, { as: teacher, body })
      expect(status).toBe(400)
      expect(await chosen()).toEqual([4])
    })

    test('are the operator’s as well, who is told how many there may be', async () => {
      const set = (...fields: string[]) => runCommand(app, 'document', String(id), 'set', ...fields)
      await choose(null)
      const { title } = await own()
      expect((await runCommand(app, 'document', String(id))).out).toContain('(the first ones)')
      expect(await set('sample=9')).toMatchObject({ exit: 0 })
      expect(await chosen()).toEqual([9])
      // Nothing else is saved either.
      const { exit, out } = await set('title=Autrement', 'sample=1-9')
      expect(exit).toBe(2)
      expect(out).toContain('of the 9 pages of this document 3 may be named')
      expect((await own()).title).toBe(title)
      expect(await set('sample=none')).toMatchObject({ exit: 0 })
      expect(await chosen()).toBe(null)
    })

    test('are their teacher’s alone', async () => {
      await choose([4])
      const other = await app.anOfficeTeacher()
      const missing = { status: 404, code: 'document_not_found' }
      await expect(choose([1], { as: other })).rejects.toMatchObject(missing)
      await expect(choose([1], { of: 999_999 })).rejects.toMatchObject(missing)
      expect(await chosen()).toEqual([4])
    })
  })

  test('are drawn for who looks before they were drawn ahead', async () => {
    const { id } = await aPublished(aPdf('Tout de suite', 3), 3)
    await makeSamples(app.deps, { mayDraw: false })
    const [first] = await pictures(id)
    expect(first?.response.status).toBe(200)
  })

  test('are missing where a PDF breaks: it stays for sale, and the operator learns of it', async () => {
    const { id } = await aPublished(Buffer.from('%PDF-1.4 and nothing more'), 4)
    const good = await aPublished(aPdf('Bon', 3), 3)
    await make()
    expect(await sampleOf(id)).toMatchObject({ key: null, pages: [] })
    expect(app.reports.join('\n')).toContain(`document ${id}`)
    expect((await sampleOf(good.id)).pages).toHaveLength(1)
    expect((await app.request('GET', `/api/documents/${id}`)).status).toBe(200)
  })

  test('stay, and are drawn later, where it is not the PDF that breaks', async () => {
    const { id } = await aPublished(aPdf('Disque plein', 3), 3)
    await makeSamples(app.deps, { mayDraw: false })
    const { key } = await sampleOf(id)
    // Where the directory of its pictures should be.
    const blocked = join(app.deps.config.dataDir, 'samples', `${id}-${key}`)
    await writeWhole(blocked, '')
    await make()
    expect((await sampleOf(id)).key).toBe(key)
    expect(app.reports.join('\n')).not.toContain(`document ${id} `)
    await rm(blocked)
    app.travel(HOUR_MS)
    await make()
    const [first] = await pictures(id)
    expect(first?.response.status).toBe(200)
    const drawn = await app.deps.database.kysely
      .selectFrom('samples')
      .select(['isDrawn', 'tries'])
      .where('documentId', '=', id)
      .executeTakeFirst()
    expect(drawn).toEqual({ isDrawn: true, tries: 0 })
  })
})
