import { readFile, rm } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { getPurchased, listPurchased } from '../../../src/contract/library.ts'
import { setDocumentFile } from '../../../src/contract/office-documents.ts'
import { keepPlace } from '../../../src/contract/reading.ts'
import { EARLIER_VERSION_DAYS } from '../../../src/rules/downloads.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { PAGE_WIDTHS } from '../../../src/rules/reading.ts'
import { accept } from '../../../src/server/documents/documents.ts'
import { signToken } from '../../../src/server/http/identity.ts'
import { mailVersions } from '../../../src/server/library/library.ts'
import { BY_COMMAND } from '../../../src/server/money/money.ts'
import { mergeAccounts } from '../../../src/server/people/people.ts'
import { bought, buy, diskPath, find, openBought } from '../../support/bought-documents.ts'
import type { Person } from '../../support/factories.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'
import { pdfOf, upload } from '../../support/uploads.ts'

const app = await sharedApp()

const place = (as: Person, id: number, body: { page: number; at?: string }) =>
  app.call(keepPlace, { as, params: { id }, body })

async function countPages(documentId: number, pageCount: number): Promise<void> {
  const { fileId } = await app.row('documents', documentId)
  await app.change('files', fileId ?? 0, { pageCount })
}

/** Four pages in Arabic with diacritics, about Pythagoras; as the demo shop sells them. */
const ARABIC = new URL('../../../src/server/demo/data/printed/10.pdf', import.meta.url)

/** The same person, logged in on a day when the first token has expired. */
async function withFreshToken(person: Person): Promise<Person> {
  const user = { ...person, generation: 0 }
  return { ...person, token: await signToken(app.deps.secret, user, app.deps.now()) }
}

describe('a document in the reader', () => {
  test('says what its teacher said of it as a paper; lessons are none', async () => {
    const { buyer, id } = await bought(app)
    const facts = { minutes: 90, correctionPage: 2, exercisePoints: '12 + 8' }
    for (const code of ['lessons', 'exams', null]) {
      const categoryId = await app.aCategory(`صنف ${code}`)
      await app.change('categories', categoryId, { code })
      await app.change('documents', id, { categoryId, ...facts })
      const { paper } = await openBought(app, buyer, id)
      if (code === 'lessons') expect(paper).toBeUndefined()
      else expect(paper).toMatchObject({ ...facts, exercisePoints: [48, 32] })
      await app.change('categories', categoryId, { code: null })
    }
    await app.change('documents', id, { minutes: null, exercisePoints: 'six' })
    const { paper } = await openBought(app, buyer, id)
    expect(paper).toMatchObject({ minutes: null, exercisePoints: null })
    expect(paper?.matiereName).not.toBe('')
  })

  test('is its owner’s alone', async () => {
    const { buyer, teacher, id } = await bought(app)
    const other = await app.aCustomer()
    for (const as of [other, teacher, await app.anAdministrator()]) {
      await expectCode(openBought(app, as, id), 'not_permitted')
      await expectCode(find(app, as, id, 'Page'), 'not_permitted')
      await expectCode(place(as, id, { page: 1 }), 'not_permitted')
    }
    await expectCode(openBought(app, buyer, 999_999), 'document_not_found')
    const path = `/api/library/documents/${id}`
    for (const q of ['', '%20', 'x'.repeat(101)]) {
      const answer = await app.request('GET', `${path}/find?q=${q}`, { as: buyer })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_input' } })
    }
    for (const page of [0, -1, 1.5, '2', null, 100_000]) {
      const answer = await app.request('PUT', `${path}/place`, { as: buyer, body: { page } })
      // Any digits are a number, as everywhere.
      expect(answer.status).toBe(page === '2' ? 200 : 400)
    }
  })

  test('has its pages as images in each width, cached by the browser', async () => {
    const { buyer, id } = await bought(app)
    const reading = await openBought(app, buyer, id)
    expect(reading).toMatchObject({ documentId: id, version: 1, place: null, direction: 'ltr' })
    expect(reading.sizes).toHaveLength(3)
    const [shape] = reading.sizes
    for (const width of PAGE_WIDTHS) {
      const response = await fetch(`${app.url}${reading.pages}2-${width}.webp`)
      expect(response.headers.get('cache-control')).toMatch(/^private, max-age=\d{4}/)
      const picture = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
      expect(picture).toMatchObject({ format: 'webp', width })
      const height = (width * (shape?.height ?? 0)) / (shape?.width ?? 1)
      expect(Math.abs((picture.height ?? 0) - height)).toBeLessThan(2)
      const etag = response.headers.get('etag') ?? ''
      const known = await app.request('GET', `${reading.pages}2-${width}.webp`, {
        headers: { 'if-none-match': etag },
      })
      expect(known.status).toBe(304)
    }
    const wrong = ['4-900', '0-900', '2-901', '2-9000', '99999-900', '..%2f2-900', '2-900.webp/..']
    for (const name of wrong) {
      const answer = await app.request('GET', `${reading.pages}${name}.webp`)
      expect(answer, name).toMatchObject({ status: 404, body: { error: 'not_found' } })
      expect(answer.headers.get('cache-control')).not.toContain('max-age')
    }
  })

  test('an account that requests all pages waits, and nobody else does', async () => {
    const long = await bought(app, { file: aPdf('thick', 240) })
    const short = await bought(app)
    const { pages, sizes } = await openBought(app, long.buyer, long.id)
    const theirs = await openBought(app, short.buyer, short.id)
    const flood = sizes.map((_, at) => app.request('GET', `${pages}${at + 1}-900.webp`))
    const refused = await Promise.any(
      flood.map(async (request) => {
        const answer = await request
        if (answer.status === 200) throw new Error('a page that was drawn')
        return answer
      }),
    )
    expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_requests' } })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await app.request('GET', `${theirs.pages}1-900.webp`)).status).toBe(200)
    const statuses = new Set((await Promise.all(flood)).map(({ status }) => status))
    // A busy machine tells pages that have waited for long to come back.
    statuses.delete(503)
    expect(statuses).toEqual(new Set([200, 429]))
  })

  test('has links that expire, renew, and open nothing else', async () => {
    const { buyer, id } = await bought(app)
    const { pages, expiresAt } = await openBought(app, buyer, id)
    const left = Date.parse(expiresAt) - app.deps.now()
    expect(left).toBeGreaterThan(5 * MINUTE_MS - 1)
    expect(left).toBeLessThanOrEqual(10 * MINUTE_MS)
    const [token = ''] = pages.split('/').slice(-2)
    const theirs = await bought(app)
    const forged = [
      token.replace(/^\d+/, String(theirs.id)),
      token.replace(/-\d+-/, `-${theirs.buyer.id}-`),
      token.replace(/-(\d{9,})-/, (_, expiry) => `-${Number(expiry) + 1}-`),
      token.slice(0, -43),
      token.slice(0, -1),
      token.replace('-r1-', '-r2-'),
      token.replace('-r1-', '-v1-'),
      token.replace('-r1-', '-'),
      `${token}x`,
      'x',
      '..',
      '%2e%2e%2f..',
    ]
    for (const bad of forged) {
      for (const name of ['', '/1-900.webp', '/1.webp', '/1.txt', '/..%2f..%2fetc%2fpasswd']) {
        const answer = await app.request('GET', `/api/preview/${bad}${name}`)
        expect([403, 404], `${bad}${name}`).toContain(answer.status)
      }
    }
    app.travel(10 * MINUTE_MS)
    const expired = await app.request('GET', `${pages}1-900.webp`)
    expect(expired).toMatchObject({ status: 403, body: { error: 'link_expired' } })
    const renewed = await openBought(app, buyer, id)
    const statusOf = async (name: string) => (await app.request('GET', renewed.pages + name)).status
    expect((await app.request('GET', `${pages}1.txt`)).status).toBe(403)
    expect([await statusOf('1-900.webp'), await statusOf('1.txt')]).toEqual([200, 200])
    // A refund closes it at once.
    await app.kysely.deleteFrom('purchases').where('userId', '=', buyer.id).execute()
    expect([await statusOf('1-900.webp'), await statusOf('1.txt')]).toEqual([403, 403])
  })

  test('remembers the latest place, from any device', async () => {
    const { buyer, id } = await bought(app)
    await countPages(id, 3)
    const at = (minutes: number) => new Date(app.deps.now() + minutes * MINUTE_MS).toISOString()
    expect((await place(buyer, id, { page: 2 })).page).toBe(2)
    // Read earlier, offline: the later place stays.
    expect((await place(buyer, id, { page: 1, at: at(-60) })).page).toBe(2)
    // A timestamp in the future, or a missing one, counts as now.
    for (const ahead of [at(9999), '2026-99-99T99:99:99Z']) {
      const kept = await place(buyer, id, { page: 3, at: ahead })
      expect(kept.page).toBe(3)
      expect(Date.parse(kept.at)).toBeLessThanOrEqual(app.deps.now())
    }
    expect((await place(buyer, id, { page: 900 })).page).toBe(3)
    const { place: kept } = await openBought(app, buyer, id)
    expect(kept?.page).toBe(3)
    const [listed] = await app.call(listPurchased, { as: buyer })
    expect(listed).toMatchObject({ version: 1, place: kept })
    expect(listed).not.toHaveProperty('newVersion')
    expect(listed).not.toHaveProperty('earlierVersion')

    const family = await app.aCustomer()
    const merge = { fromId: buyer.id, intoId: family.id, reason: 'twins' }
    await mergeAccounts(app.deps, merge, BY_COMMAND)
    expect((await openBought(app, family, id)).place).toEqual(kept)
  })

  test('has the text of each page for screen readers, for the version that is read', async () => {
    const { buyer, id } = await bought(app, { file: await readFile(ARABIC) })
    const { pages, sizes } = await openBought(app, buyer, id)
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
    const { pages: drawn } = await openBought(app, pictures.buyer, pictures.id)
    const nothing = await fetch(`${app.url}${drawn}1.txt`)
    expect([nothing.status, await nothing.text()]).toEqual([200, ''])
  })

  test('that is broken is refused with a message, and the next one opens', async () => {
    const broken = await bought(app, { file: Buffer.from('%PDF-1.4\nnot at all\n%%EOF') })
    const lost = await bought(app, { file: aPdf('lost', 1) })
    const { pages } = await openBought(app, lost.buyer, lost.id)
    await rm(await diskPath(app, lost.id))
    for (const attempt of [
      (as: Person, id: number) => openBought(app, as, id),
      (as: Person, id: number) => find(app, as, id, 'Page'),
    ]) {
      await expectCode(attempt(broken.buyer, broken.id), 'document_unreadable')
    }
    expect(await app.request('GET', `${pages}1-480.webp`)).toMatchObject({
      status: 422,
      body: { error: 'document_unreadable' },
    })
    const good = await bought(app)
    expect((await openBought(app, good.buyer, good.id)).sizes).toHaveLength(3)
    expect(app.reports.filter((line) => line.includes('cannot be read'))).toHaveLength(3)
  })

  test('has the outline of its PDF, bounded and without cycles', async () => {
    const { buyer, id } = await bought(app, { file: withOutline() })
    const { outline } = await openBought(app, buyer, id)
    expect(outline).toEqual([
      { title: 'الدرس الأول', page: 1, depth: 0 },
      { title: 'Exercice', page: 2, depth: 1 },
      { title: `${'x'.repeat(200)}`, page: 2, depth: 0 },
    ])
  })

  test('is searched like the shop', async () => {
    const { buyer, id } = await bought(app, { file: await readFile(ARABIC), title: 'Pythagore' })
    const reading = await openBought(app, buyer, id)
    expect(reading).toMatchObject({ direction: 'rtl', hasText: true })
    const { finds, ...rest } = await find(app, buyer, id, 'نظرية بيتاغور')
    expect(rest).toEqual({ hasText: true, hasMore: false })
    expect(finds[0]).toMatchObject({ page: 1, match: 'نظريّة بيتاغور' })
    const { finds: printed } = await find(app, buyer, id, 'ﻧﻈﺮﻳﺔ')
    expect(printed.length).toBeGreaterThanOrEqual(finds.length)
    expect(await find(app, buyer, id, 'غير موجود هنا')).toEqual({ ...rest, finds: [] })
    expect(await find(app, buyer, id, '؟؟')).toEqual({ ...rest, finds: [] })

    const pictures = await bought(app, { file: withOutline() })
    expect((await openBought(app, pictures.buyer, pictures.id)).hasText).toBe(false)
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
    const { pages } = await openBought(app, reader, id)

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
    expect(await openBought(app, reader, id)).toMatchObject({ version: 3 })
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
    await expect(downloaded(other, id, 2)).rejects.toThrow('not_permitted')

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
