import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { listPurchased } from '../../src/contract/library.ts'
import { keepPlace } from '../../src/contract/reading.ts'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { PAGE_WIDTHS } from '../../src/rules/reading.ts'
import { mergeAccounts } from '../../src/server/people/people.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { bought, find, read } from '../support/bought-documents.ts'
import type { Person } from '../support/factories.ts'
import { aPdf } from '../support/pdf.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
  return app.stop
})

const place = (as: Person | null, id: number, body: { page: number; at?: string }) =>
  app.call(keepPlace, { as, params: { id }, body })

async function countPages(documentId: number, pageCount: number): Promise<void> {
  const { kysely } = app.deps.database
  const { fileId } = await kysely
    .selectFrom('documents')
    .select('fileId')
    .where('id', '=', documentId)
    .executeTakeFirstOrThrow()
  await kysely.updateTable('files').set({ pageCount }).where('id', '=', fileId).execute()
}

describe('a document in the reader', () => {
  test('is its owner’s alone', async () => {
    const { buyer, teacher, id } = await bought(app)
    const other = await app.aCustomer()
    const tries = [
      (as: Person | null, document: number) => read(app, as, document),
      (as: Person | null) => find(app, as, id, 'Page'),
    ] as const
    for (const attempt of [...tries, (as: Person | null) => place(as, id, { page: 1 })]) {
      await expect(attempt(null, id)).rejects.toMatchObject({ code: 'authentication_required' })
      for (const somebody of [other, teacher, await app.anAdministrator()]) {
        await expect(attempt(somebody, id)).rejects.toMatchObject({ code: 'not_permitted' })
      }
    }
    await expect(read(app, buyer, 999_999)).rejects.toMatchObject({ code: 'document_not_found' })
    for (const q of ['', '%20', 'x'.repeat(101)]) {
      const answer = await app.request('GET', `/api/library/documents/${id}/find?q=${q}`, {
        as: buyer,
      })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_input' } })
    }
    const pages = [0, -1, 1.5, '2', null, 100_000]
    for (const page of pages) {
      const answer = await app.request('PUT', `/api/library/documents/${id}/place`, {
        as: buyer,
        body: { page },
      })
      // Any digits are a number, as everywhere.
      expect(answer.status).toBe(page === '2' ? 200 : 400)
    }
  })

  test('has its pages as images in each width, cached by the browser', async () => {
    const { buyer, id } = await bought(app)
    const reading = await read(app, buyer, id)
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
    const { pages, sizes } = await read(app, long.buyer, long.id)
    const theirs = await read(app, short.buyer, short.id)
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
    const { pages, expiresAt } = await read(app, buyer, id)
    const left = Date.parse(expiresAt) - app.deps.now()
    expect(left).toBeGreaterThan(5 * MINUTE_MS - 1)
    expect(left).toBeLessThanOrEqual(10 * MINUTE_MS)
    const [token = ''] = pages.split('/').slice(-2)
    const theirs = await bought(app)
    const forged = [
      token.replace(/^\d+/, String(theirs.id)),
      token.replace(/-\d+-/, `-${theirs.buyer.id}-`),
      token.replace('-r1-', '-r2-'),
      token.replace('-r1-', '-v1-'),
      token.replace('-r1-', '-'),
      `${token}x`,
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
    const renewed = await read(app, buyer, id)
    expect((await app.request('GET', `${pages}1.txt`)).status).toBe(403)
    expect((await app.request('GET', `${renewed.pages}1-900.webp`)).status).toBe(200)
    expect((await app.request('GET', `${renewed.pages}1.txt`)).status).toBe(200)
    // A refund closes it at once.
    const { kysely } = app.deps.database
    await kysely.deleteFrom('purchases').where('userId', '=', buyer.id).execute()
    expect((await app.request('GET', `${renewed.pages}1-900.webp`)).status).toBe(403)
    expect((await app.request('GET', `${renewed.pages}1.txt`)).status).toBe(403)
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
    const { place: kept } = await read(app, buyer, id)
    expect(kept?.page).toBe(3)
    const [listed] = await app.call(listPurchased, { as: buyer })
    expect(listed).toMatchObject({ version: 1, place: kept })
    expect(listed).not.toHaveProperty('newVersion')
    expect(listed).not.toHaveProperty('earlierVersion')

    const family = await app.aCustomer()
    const merge = { fromId: buyer.id, intoId: family.id, actor: 'command line', reason: 'twins' }
    await mergeAccounts(app.deps, merge)
    expect((await read(app, family, id)).place).toEqual(kept)
  })
})
