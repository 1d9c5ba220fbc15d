import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { getPurchased, listPurchased } from '../../../src/contract/library.ts'
import { aBuyer, bytesOf, diskPath, path } from '../../support/bought-documents.ts'
import type { Person } from '../../support/factories.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

describe('purchased documents', () => {
  test('are listed with their names and prices paid', async () => {
    const { buyer, document } = await aBuyer(app, { title: 'الكسور' })
    const purchased = await app.call(listPurchased, { as: buyer })
    expect(purchased).toMatchObject([
      {
        documentId: document.id,
        documentTitle: 'الكسور',
        amount: 7.5,
        fileType: 'pdf',
        salesCount: 1,
      },
    ])
    const params = { userId: buyer.id, documentId: document.id }
    expect(await app.call(getPurchased, { as: buyer, params })).toEqual(purchased[0])
  })

  test('are visible to their buyer only', async () => {
    const { document } = await aBuyer(app)
    const other = await app.aCustomer()
    expect(await app.call(listPurchased, { as: other })).toEqual([])
    const params = { userId: other.id, documentId: document.id }
    await expectCode(app.call(getPurchased, { as: other, params }), 'document_not_found')
  })
})

describe('preview', () => {
  async function previewPath(buyer: Person, document: { id: number }) {
    const url = `${path(document, buyer)}?preview=true&t=1`
    const answer = await app.request('GET', url, { as: buyer })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    return `/api${answer.body}`
  }

  test('shows every page as a picture, without an account token and without script', async () => {
    const { buyer, document } = await aBuyer(app, { title: '<script>alert(1)</script>' })
    const link = await previewPath(buyer, document)
    const page = await app.request('GET', link)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = String(page.body)
    expect(html).not.toContain('<script')
    const pictures = [...html.matchAll(/<img src="([^"]+)" width="(\d+)" height="(\d+)"/g)]
    expect(pictures).toHaveLength(3)
    for (const [, src = '', width, height] of pictures) {
      const response = await fetch(new URL(src, app.url + link))
      expect(response.headers.get('content-type')).toBe('image/webp')
      const picture = sharp(await bytesOf(response))
      const size = { width: Number(width), height: Number(height) }
      expect(await picture.metadata()).toMatchObject({ format: 'webp', ...size })
      if (src.endsWith('/1.webp')) {
        // The cover's blue, with its red and blue channels not swapped.
        const { dominant } = await picture.stats()
        expect(dominant.b).toBeGreaterThan(dominant.r)
      }
    }
    for (const name of ['4.webp', '0.webp', '1.png']) {
      expect((await app.request('GET', `${link}/${name}`)).status).toBe(404)
    }
  })

  test('is drawn once and stored', async () => {
    const { buyer, document } = await aBuyer(app, { file: aPdf('drawn once', 3) })
    const link = await previewPath(buyer, document)
    await Promise.all(Array.from({ length: 5 }, () => app.request('GET', `${link}/2.webp`)))
    const { fileId } = await app.row('documents', document.id)
    const { sha256 } = await app.row('files', fileId ?? 0)
    const folder = join(app.deps.config.dataDir, 'previews', sha256)
    expect((await readdir(folder)).sort()).toEqual(['v2-2-900.webp', 'v2-sizes.json'])
    // With the PDF gone, only stored pages can be served.
    await rm(await diskPath(app, document.id))
    expect((await app.request('GET', `${link}/2.webp`)).status).toBe(200)
  })

  test('opens for 10 minutes', async () => {
    const { buyer, document } = await aBuyer(app)
    const link = await previewPath(buyer, document)
    app.travel(9 * 60_000)
    expect((await app.request('GET', link)).status).toBe(200)
    app.travel(60_000)
    for (const path of [link, `${link}/1.webp`]) {
      expect((await app.request('GET', path)).status).toBe(403)
    }
  })

  test('of a damaged PDF says so, and the next one is drawn', async () => {
    const bad = await aBuyer(app, { file: Buffer.from('%PDF-1.4\nnot at all\n%%EOF') })
    const good = await aBuyer(app)
    const badLink = await previewPath(bad.buyer, bad.document)
    const answer = await app.request('GET', badLink)
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.stringContaining('Failed to load document preview.'),
    ])
    expect(await app.request('GET', `${badLink}/1.webp`)).toMatchObject({
      status: 422,
      body: { error: 'document_unreadable' },
    })
    const goodLink = await previewPath(good.buyer, good.document)
    expect((await app.request('GET', goodLink)).status).toBe(200)
    // The operator is told about damaged files.
    expect(app.reports.filter((line) => line.includes('cannot be read'))).toHaveLength(2)
  })
})
