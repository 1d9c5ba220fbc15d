import { readFile, rm } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { downloadDocument, getPurchased } from '../../src/contract/library.ts'
import { setDocumentFile } from '../../src/contract/office-documents.ts'
import { EARLIER_VERSION_DAYS } from '../../src/rules/downloads.ts'
import { DAY_MS } from '../../src/rules/durations.ts'
import { dinars } from '../../src/rules/money.ts'
import { accept } from '../../src/server/documents/documents.ts'
import { signToken } from '../../src/server/http/tokens.ts'
import { mailVersions } from '../../src/server/library/library.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { bought, buy, find, read } from '../support/bought-documents.ts'
import type { Person } from '../support/factories.ts'
import { aPdf } from '../support/pdf.ts'
import { pdfOf, upload } from '../support/uploads.ts'

/** Four pages in Arabic with diacritics, about Pythagoras; as the demo shop sells them. */
const ARABIC = new URL('../../src/server/demo/data/printed/10.pdf', import.meta.url)

let app: TestApp

beforeAll(async () => {
  app = await testApp()
  return app.stop
})

/** The same person, logged in on a day when the first token has expired. */
async function withFreshToken(person: Person): Promise<Person> {
  const user = { ...person, generation: 0 }
  return { ...person, token: await signToken(app.deps.secret, user, app.deps.now()) }
}

describe('a document in the reader', () => {
  test('has the text of each page for screen readers, for the version that is read', async () => {
    const { buyer, id } = await bought(app, { file: await readFile(ARABIC) })
    const { pages, sizes } = await read(app, buyer, id)
    const first = await fetch(`${app.url}${pages}1.txt`)
    expect(first.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(first.headers.get('cache-control')).toMatch(/^private, max-age=\d{4}/)
    expect(await first.text()).toContain('نظريّة بيتاغور')
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await app.request('GET', `${pages}1.txt`, { headers })).status).toBe(304)
    expect((await app.request('GET', `${pages}${sizes.length}.txt`, { headers })).status).toBe(200)
    for (const name of [`${sizes.length + 1}`, '0', '-1', '01', '99999', '1-900']) {
      const answer = await app.request('GET', `${pages}${name}.txt`)
      expect(answer, name).toMatchObject({ status: 404, body: { error: 'not_found' } })
    }
    // A page of pictures has none.
    const pictures = await bought(app, { file: withOutline() })
    const { pages: drawn } = await read(app, pictures.buyer, pictures.id)
    const nothing = await fetch(`${app.url}${drawn}1.txt`)
    expect([nothing.status, await nothing.text()]).toEqual([200, ''])
  })

  test('that is broken is refused with a message, and the next one opens', async () => {
    const broken = await bought(app, { file: Buffer.from('%PDF-1.4\nnot at all\n%%EOF') })
    const lost = await bought(app, { file: aPdf('lost', 1) })
    const { pages } = await read(app, lost.buyer, lost.id)
    const { kysely } = app.deps.database
    const { storageKey } = await kysely
      .selectFrom('documents')
      .innerJoin('files', 'files.id', 'documents.fileId')
      .select('storageKey')
      .where('documents.id', '=', lost.id)
      .executeTakeFirstOrThrow()
    await rm((await app.deps.files.localPath(storageKey)) ?? '')
    for (const attempt of [
      (as: Person, id: number) => read(app, as, id),
      (as: Person, id: number) => find(app, as, id, 'Page'),
    ]) {
      await expect(attempt(broken.buyer, broken.id)).rejects.toMatchObject({
        status: 422,
        code: 'document_unreadable',
      })
    }
    expect(await app.request('GET', `${pages}1-480.webp`)).toMatchObject({
      status: 422,
      body: { error: 'document_unreadable' },
    })
    const good = await bought(app)
    expect((await read(app, good.buyer, good.id)).sizes).toHaveLength(3)
    expect(app.reports.filter((line) => line.includes('cannot be read'))).toHaveLength(3)
  })

  test('has the outline of its PDF, bounded and without cycles', async () => {
    const { buyer, id } = await bought(app, { file: withOutline() })
    const { outline } = await read(app, buyer, id)
    expect(outline).toEqual([
      { title: 'الدرس الأول', page: 1, depth: 0 },
      { title: 'Exercice', page: 2, depth: 1 },
      { title: `${'x'.repeat(200)}`, page: 2, depth: 0 },
    ])
  })

  test('is searched like the shop', async () => {
    const { buyer, id } = await bought(app, { file: await readFile(ARABIC), title: 'Pythagore' })
    const reading = await read(app, buyer, id)
    expect(reading).toMatchObject({ direction: 'rtl', hasText: true })
    const { finds, ...rest } = await find(app, buyer, id, 'نظرية بيتاغور')
    expect(rest).toEqual({ hasText: true, hasMore: false })
    expect(finds[0]).toMatchObject({ page: 1, match: 'نظريّة بيتاغور' })
    const { finds: printed } = await find(app, buyer, id, 'ﻧﻈﺮﻳﺔ')
    expect(printed.length).toBeGreaterThanOrEqual(finds.length)
    expect(await find(app, buyer, id, 'غير موجود هنا')).toEqual({ ...rest, finds: [] })
    expect(await find(app, buyer, id, '؟؟')).toEqual({ ...rest, finds: [] })

    const pictures = await bought(app, { file: withOutline() })
    expect((await read(app, pictures.buyer, pictures.id)).hasText).toBe(false)
    expect(await find(app, pictures.buyer, pictures.id, 'x')).toMatchObject({ hasText: false })
  })
})

describe('a new version', () => {
  async function published(teacher: Person, id: number, file: Buffer, note: string) {
    const { id: uploadId } = await upload(app, teacher, file)
    const params = { id }
    await app.call(setDocumentFile, { as: teacher, params, body: { uploadId, note } })
    await accept(app.deps, { id, actor: 'command line' })
  }

  async function downloaded(as: Person, id: number, version?: number): Promise<Buffer> {
    const query = version === undefined ? '' : `?version=${version}`
    const response = await fetch(`${app.url}/api/documents/download/${id}/${as.id}${query}`, {
      headers: { authorization: `Bearer ${as.token}` },
    })
    const body = Buffer.from(await response.arrayBuffer())
    if (!response.ok) throw new Error(JSON.parse(String(body)).error)
    return body
  }

  test('is what owners get, who may download the earlier one for some days', async () => {
    const [first, second, third] = [aPdf('one', 3), aPdf('two', 5), aPdf('three', 4)]
    const { buyer, teacher, id } = await bought(app, { file: first })
    const reader = await app.aCustomer({ balance: dinars(50) })
    await buy(app, reader, id)
    const purchased = (as: Person) =>
      app.call(getPurchased, { as, params: { userId: as.id, documentId: id } })
    const { pages } = await read(app, reader, id)

    await published(teacher, id, second, 'Exercice 3 corrigé')
    await published(teacher, id, third, 'صفحة جديدة')
    const late = await app.aCustomer({ balance: dinars(50) })
    await buy(app, late, id)

    const news = await purchased(buyer)
    expect(news).toMatchObject({
      version: 3,
      newVersion: { number: 3, changes: 'صفحة جديدة\nExercice 3 corrigé' },
      earlierVersion: { number: 2 },
    })
    expect(Date.parse(news.earlierVersion?.until ?? '')).toBe(
      Date.parse(news.newVersion?.at ?? '') + EARLIER_VERSION_DAYS * DAY_MS,
    )
    // A later buyer is not notified of it, and gets no earlier one.
    const fresh = await purchased(late)
    expect(fresh).toMatchObject({ version: 3, pageCount: 4 })
    expect(fresh).not.toHaveProperty('newVersion')
    expect(fresh).not.toHaveProperty('earlierVersion')
    await expect(downloaded(late, id, 2)).rejects.toThrow('version_not_offered')

    // An open reader continues with the pages that it started with.
    expect((await app.request('GET', `${pages}3-480.webp`)).status).toBe(200)
    expect((await app.request('GET', `${pages}4-480.webp`)).status).toBe(404)

    // Downloading an earlier version does not mark the new one as seen; downloading or opening the
    // new one does.
    const begins = async (bytes: Promise<Buffer>, file: Buffer) =>
      expect((await bytes).subarray(0, file.length).equals(file)).toBe(true)
    await begins(downloaded(buyer, id, 1), first)
    await begins(downloaded(buyer, id, 2), second)
    expect(await purchased(buyer)).toHaveProperty('newVersion')
    await begins(downloaded(buyer, id), third)
    expect(await purchased(buyer)).not.toHaveProperty('newVersion')
    expect(await purchased(reader)).toHaveProperty('newVersion')
    expect(await read(app, reader, id)).toMatchObject({ version: 3 })
    expect(await purchased(reader)).not.toHaveProperty('newVersion')
    expect(await purchased(reader)).toHaveProperty('earlierVersion')

    // Mails go to those who owned it before and have not seen the newest version, once.
    expect(await mailVersions(app.deps)).toBe(2)
    expect(await mailVersions(app.deps)).toBe(0)
    const mailsWith = async (said: string) =>
      (await app.mails()).filter(({ parts }) => parts['text/plain']?.includes(said))
    expect(await mailsWith('صفحة جديدة')).toEqual([])
    await published(teacher, id, first, 'Retour à trois pages')
    expect(await mailVersions(app.deps)).toBe(3)
    const mails = await mailsWith('Retour à trois pages')
    expect(mails).toHaveLength(3)
    for (const { email } of [buyer, reader, late]) {
      expect(mails.filter(({ headers }) => headers.includes(email))).toHaveLength(1)
    }
    await begins(downloaded(late, id), first)

    for (const version of [5, 99_999]) {
      await expect(downloaded(buyer, id, version)).rejects.toThrow('version_not_offered')
    }
    const other = await app.aCustomer()
    await expect(
      app.call(downloadDocument, {
        as: other,
        params: { id, userId: other.id },
        query: { version: 2 },
      }),
    ).rejects.toMatchObject({ code: 'not_permitted' })

    app.travel(EARLIER_VERSION_DAYS * DAY_MS)
    const then = await withFreshToken(buyer)
    await begins(downloaded(then, id), first)
    for (const version of [1, 2, 3]) {
      await expect(downloaded(then, id, version)).rejects.toThrow('version_not_offered')
    }
    expect(await purchased(then)).not.toHaveProperty('earlierVersion')
  })
})

/** Two pages of pictures with an outline that has a chapter, a nested entry, and malicious ones. */
function withOutline(): Buffer {
  const title = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] >>'
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
    '<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >>',
    page,
    page,
    '<< /Type /Outlines /First 6 0 R /Last 9 0 R /Count 4 >>',
    `<< /Title ${title('الدرس الأول')} /Parent 5 0 R /Dest [3 0 R /Fit] /First 7 0 R /Last 7 0 R /Next 8 0 R >>`,
    // Its own sibling.
    `<< /Title ${title(' Exercice\n')} /Parent 6 0 R /Dest [4 0 R /Fit] /Next 7 0 R >>`,
    // Leads nowhere.
    `<< /Title ${title('nowhere')} /Parent 5 0 R /Next 9 0 R >>`,
    `<< /Title ${title('x'.repeat(5000))} /Parent 5 0 R /A << /S /GoTo /D [4 0 R /Fit] >> >>`,
  ])
}
