import { readdir, readlink, rm, writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { listPurchased } from '../../../src/contract/library.ts'
import { readByteRange } from '../../../src/server/library/sending/send-file.ts'
import { aBuyer, bytesOf, diskPath, path, pdf } from '../../support/bought-documents.ts'
import type { Person } from '../../support/factories.ts'
import { aLargePdf } from '../../support/large-pdf.ts'
import { PATIENCE } from '../../support/patience.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

function download(buyer: Person, url: string, headers: Record<string, string> = {}) {
  return fetch(app.url + url, { headers: { authorization: `Bearer ${buyer.token}`, ...headers } })
}

/** The open files of this process, including the server in it. */
async function openFiles(): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd')
  const links = numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => ''))
  return Promise.all(links)
}

describe('download', () => {
  test('begins with the file, byte for byte, under its title', async () => {
    const { buyer, document } = await aBuyer(app, { title: 'تمارين: الكسور/1 "محلولة"' })
    const response = await download(buyer, `${path(document, buyer)}?t=123`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('cache-control')).toContain('no-cache')
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    const disposition = response.headers.get('content-disposition') ?? ''
    expect(disposition).toContain('attachment')
    expect(disposition).toContain(encodeURIComponent('تمارين الكسور-1 محلولة.pdf'))
    expect((await bytesOf(response)).subarray(0, pdf.length)).toEqual(pdf)
  })

  test('resumes: ranges, If-Range, HEAD, 304 and 416', async () => {
    const { buyer, document } = await aBuyer(app)
    const url = path(document, buyer)
    // The first copies lack their footer if a busy machine has not made it in time.
    const { etag, stamped } = await vi.waitFor(async () => {
      const whole = await download(buyer, url)
      const bytes = await bytesOf(whole)
      expect(bytes.length).toBeGreaterThan(pdf.length)
      return { etag: whole.headers.get('etag') ?? '', stamped: bytes }
    }, PATIENCE)
    expect(etag).toMatch(/^"[0-9a-f]+"$/)

    const start = await download(buyer, url, { range: 'bytes=0-99' })
    const rest = await download(buyer, url, { range: 'bytes=100-', 'if-range': etag })
    expect([start.status, rest.status]).toEqual([206, 206])
    expect(rest.headers.get('content-range')).toBe(
      `bytes 100-${stamped.length - 1}/${stamped.length}`,
    )
    expect(Buffer.concat([await bytesOf(start), await bytesOf(rest)])).toEqual(stamped)

    const stale = await download(buyer, url, { range: 'bytes=100-', 'if-range': '"other"' })
    expect(stale.status).toBe(200)
    expect(await bytesOf(stale)).toEqual(stamped)
    const beyond = await download(buyer, url, { range: `bytes=${stamped.length}-` })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${stamped.length}`)
    await beyond.arrayBuffer()
    expect((await download(buyer, url, { 'if-none-match': etag })).status).toBe(304)
    const headers = { authorization: `Bearer ${buyer.token}` }
    const head = await fetch(app.url + url, { method: 'HEAD', headers })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${stamped.length}`])
  })

  test('by concurrent slow clients arrives intact, and the file of a disconnected one is closed', async () => {
    // More than the buffers of a connection hold, so that each response waits for its client.
    const file = aLargePdf(12 << 20, 1)
    const { buyer, document } = await aBuyer(app, { file })
    const onDisk = await diskPath(app, document.id)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => download(buyer, path(document, buyer))),
    )
    expect(await openFiles()).toContain(onDisk)
    const [left, ...read] = answers
    await left?.body?.cancel()
    for (const bytes of await Promise.all(read.map(bytesOf))) {
      expect(bytes.subarray(0, file.length).equals(file)).toBe(true)
    }
    await expect.poll(openFiles, PATIENCE).not.toContain(onDisk)
  })

  test('is refused to people who have not bought the document, administrators included', async () => {
    const { buyer } = await aBuyer(app)
    const other = await app.aCustomer()
    const admin = await app.anAdministrator()
    const sold = await aBuyer(app)
    const hidden = await app.aDocument({ isPublished: false })
    const cases: [Person, string, number, string][] = [
      [other, path(sold.document, other), 403, 'not_permitted'],
      [admin, path(sold.document, admin), 403, 'not_permitted'],
      [buyer, path({ id: 999_999 }, buyer), 404, 'document_not_found'],
      [buyer, path(hidden, buyer), 404, 'document_not_found'],
    ]
    for (const [as, url, status, error] of cases) {
      for (const preview of ['', '?preview=true']) {
        const answer = await app.request('GET', url + preview, { as })
        expect(answer, url).toMatchObject({ status, body: { error } })
      }
    }
  })

  test('reports a lost or truncated file, and the purchase stays listed', async () => {
    const { buyer, document } = await aBuyer(app)
    const file = await diskPath(app, document.id)
    const missing = { status: 500, body: { error: 'file_missing' } }
    await writeFile(file, pdf.subarray(0, 60))
    expect(await app.request('GET', path(document, buyer), { as: buyer })).toMatchObject(missing)
    await rm(file)
    expect(await app.request('GET', path(document, buyer), { as: buyer })).toMatchObject(missing)
    expect(await app.call(listPurchased, { as: buyer })).toHaveLength(1)
  })

  test('stays possible after the document was unpublished', async () => {
    const { buyer, document } = await aBuyer(app)
    await app.change('documents', document.id, { state: 'unpublished' })
    const downloaded = await bytesOf(await download(buyer, path(document, buyer)))
    expect(downloaded.subarray(0, pdf.length)).toEqual(pdf)
  })
})

describe('byte ranges', () => {
  test.each([
    [undefined, null],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=5-99', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-12', 'unsatisfiable'],
    ['bytes=5-2', null],
    ['bytes=-', null],
    ['bytes=0-1,4-5', null],
    ['lines=0-1', null],
    ['bytes=a-b', null],
    ['bytes=1e3-', null],
  ])('%s of 10 bytes', (header, expected) => {
    expect(readByteRange(header, 10)).toEqual(expected)
  })

  test('for any range, no byte outside the file is read', () => {
    const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,4}-\d{0,4}$/))
    fc.assert(
      fc.property(header, fc.integer({ min: 1, max: 5000 }), (rangeHeader, size) => {
        const range = readByteRange(rangeHeader, size)
        if (range === null || range === 'unsatisfiable') return
        expect(range.start).toBeGreaterThanOrEqual(0)
        expect(range.start).toBeLessThanOrEqual(range.end)
        expect(range.end).toBeLessThan(size)
      }),
    )
  })
})
