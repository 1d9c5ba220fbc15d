// @one-database: it is about pictures.
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { getOwnDocument } from '../../../src/contract/office-documents.ts'
import { setSamplePages } from '../../../src/contract/office-samples.ts'
import { getStamp } from '../../../src/contract/office-stamp.ts'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import { documentTag } from '../../../src/rules/page-tags.ts'
import {
  readPages,
  SAMPLE_WIDTHS,
  type SampleWidth,
  samplePagesOf,
  samplePicture,
  sampleProblem,
} from '../../../src/rules/reading.ts'
import { writeWhole } from '../../../src/server/files/files.ts'
import { makeSamples } from '../../../src/server/library/library.ts'
import type { TestApp } from '../../support/app.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode } from '../../support/refusals.ts'
import { aPublished, make, pictures, sampleOf, statusOf } from '../../support/samples.ts'
import { sharedApp } from '../../support/test.ts'

const ARABIC = await readFile('src/server/demo/data/printed/30.pdf')

/** A PDF of one page with random pixels, which cannot be compressed. */
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

  test('a choice consists of existing pages, each once, and few enough', () => {
    expect(sampleProblem([1, 2], 6)).toBe(null)
    expect(sampleProblem([7], 6)).toBe('unknown')
    expect(sampleProblem([0], 6)).toBe('unknown')
    expect(sampleProblem([1.5], 6)).toBe('unknown')
    expect(sampleProblem([1, 1], 6)).toBe('repeated')
    expect(sampleProblem([1, 2, 3], 6)).toBe('too many')
  })

  test('are parsed as people write them', () => {
    expect(readPages('1, 2،5-7')).toEqual([1, 2, 5, 6, 7])
    for (const typed of ['', 'a', '1.5', '3-1', '-1', '1--2']) expect(readPages(typed)).toBe(null)
  })
})

const app = await sharedApp()

describe('samples over HTTP', () => {
  test('exist once the document is published: text in its direction, pictures immutable', async () => {
    const { id } = await aPublished(app, ARABIC, 6, 'التغذية عند النبات الأخضر')
    expect(await sampleOf(app, id)).toMatchObject({ key: null, pages: [] })
    await make(app)
    const sample = await sampleOf(app, id)
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
    // Each is named by its watermark too, which says the shop's name.
    const shown = kept.map((name) => name.replace(/-[\da-f]{8}(?=\.webp$)/, ''))
    expect(shown.toSorted()).toEqual(
      [1, 2].flatMap((page) => [240, 480, 900].map((width) => `${page}-${width}.webp`)),
    )
    for (const { response, bytes, address, most } of await pictures(app, id)) {
      expect(response.headers.get('content-type')).toBe('image/webp')
      expect(response.headers.get('cache-control')).toContain('immutable')
      expect(bytes.length).toBeLessThanOrEqual(most)
      const { width } = await sharp(bytes).metadata()
      expect(address).toContain(`-${width}.webp`)
    }
  })

  test('have a watermark, and are small for any page', async () => {
    const { id } = await aPublished(app, aNoisyPdf(), 1)
    await make(app)
    for (const { bytes, most } of await pictures(app, id)) {
      expect(bytes.length).toBeGreaterThan(500)
      expect(bytes.length).toBeLessThanOrEqual(most)
    }
    // The test's pages are blue all over: other colours are the watermark.
    const blue = await aPublished(app, aPdf('Bleu', 3), 3)
    await make(app)
    const [, picture] = await pictures(app, blue.id)
    const { channels } = await sharp(picture?.bytes)
      .extract({ left: 0, top: 200, width: 480, height: 300 })
      .stats()
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(1)
  })

  test('show only their own pages, and nothing of unpublished documents', async () => {
    const { id } = await aPublished(app, aPdf('Six', 6), 6)
    await make(app)
    const sample = { documentId: id, key: (await sampleOf(app, id)).key ?? '' }
    const there = samplePicture(sample, 1, 480)
    expect(await statusOf(app, there)).toBe(200)
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
      expect({ wrong, status: await statusOf(app, wrong) }).toEqual({ wrong, status: 404 })
    }
    const kept = await readdir(join(app.deps.config.dataDir, 'samples', `${id}-${sample.key}`))
    expect(kept).toHaveLength(6)
    await app.change('documents', id, { state: 'unpublished' })
    expect(await statusOf(app, there)).toBe(404)
    await expectCode(sampleOf(app, id), 'document_not_found')
  })

  test('have no page of the correction, also one chosen before', async () => {
    const { id } = await aPublished(app, aPdf('Corrigé', 9), 9)
    await app.change('documents', id, { samplePages: [2, 7] })
    await make(app)
    const address = (await pictures(app, id)).at(-1)?.address ?? ''
    expect(await statusOf(app, address)).toBe(200)
    await app.change('documents', id, { correctionPage: 7 })
    expect(await statusOf(app, address)).toBe(404)
    await make(app)
    expect((await sampleOf(app, id)).pages.map(({ page }) => page)).toEqual([2])
    await app.change('documents', id, { correctionPage: 2 })
    await make(app)
    expect((await sampleOf(app, id)).pages.map(({ page }) => page)).toEqual([1])
  })

  test('follow the teacher’s choice, at another URL', async () => {
    const { id } = await aPublished(app, aPdf('Neuf', 9), 9)
    await make(app)
    const [before] = await pictures(app, id)
    await app.change('documents', id, { samplePages: [4, 7] })
    // Visitors do not cause pending samples to be drawn.
    expect(await statusOf(app, before?.address ?? '')).toBe(404)
    app.published.splice(0)
    await make(app)
    expect(app.published).toContain(documentTag(id))
    const sample = await sampleOf(app, id)
    expect(sample.pages.map(({ page, text }) => [page, text])).toEqual([
      [4, 'Page 4'],
      [7, 'Page 7'],
    ])
    expect(await statusOf(app, before?.address ?? '')).toBe(404)
    const kept = await readdir(join(app.deps.config.dataDir, 'samples'))
    expect(kept.filter((name) => name.startsWith(`${id}-`))).toEqual([`${id}-${sample.key}`])
  })

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
      const fault = { sha256, task: 'pagePicture', part: 2, reason: 'memory' } as const
      await app.kysely.insertInto('fileFaults').values(fault).execute()
      await make(app)
      expect((await sampleOf(app, heavy.id)).pages.map(({ page }) => page)).toEqual([1, 3])
      const statuses = (await pictures(app, heavy.id)).map(({ response }) => response.status)
      expect(statuses).toEqual(Array(2 * SAMPLE_WIDTHS.length).fill(200))
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
      await expectCode(choose(pages), 'sample_not_possible')
      expect(await chosen()).toEqual([4])
    })

    test('are refused as invalid', async () => {
      await choose([4])
      const many = Array.from({ length: 21 }, (_, at) => at + 1)
      for (const pages of [[], [0], [-1], [1.5], ['one'], [2001], '1-3', many]) {
        const path = `/api/office/documents/${id}/sample`
        const { status } = await app.request('PUT', path, { as: teacher, body: { pages } })
        expect([pages, status]).toEqual([pages, 400])
      }
      expect(await chosen()).toEqual([4])
    })

    test('can be changed by their teacher alone', async () => {
      await choose([4])
      const other = await app.anOfficeTeacher()
      await expectCode(choose([1], { as: other }), 'document_not_found')
      await expectCode(choose([1], { of: 999_999 }), 'document_not_found')
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
    const drawn = await app.kysely
      .selectFrom('samples')
      .select(['isDrawn', 'tries'])
      .where('documentId', '=', id)
      .executeTakeFirst()
    expect(drawn).toEqual({ isDrawn: true, tries: 0 })
  })
})
