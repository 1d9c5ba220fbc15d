import { readdir, readlink, rm, writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { listPurchased } from '../../../src/contract/library.ts'
import { readByteRange } from '../../../src/server/library/send-file.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { aBuyer, bytesOf, diskPath, path, pdf } from '../../support/bought-documents.ts'
import type { Person } from '../../support/factories.ts'
import { aLargePdf } from '../../support/large-pdf.ts'
import { PATIENCE } from '../../support/patience.ts'

function download(app: TestApp, buyer: Person, url: string, headers: Record<string, string> = {}) {
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
    const app = await testApp()
    const { buyer, document } = await aBuyer(app, { title: 'تمارين: الكسور/1 "محلولة"' })
    const response = await download(app, buyer, `${path(document, buyer)}?t=123`)
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
    const app = await testApp()
    const { buyer, document } = await aBuyer(app)
    const url = path(document, buyer)
    // The first copies lack their footer if a busy machine has not made it in time.
    const { etag, stamped } = await vi.waitFor(async () => {
      const whole = await download(app, buyer, url)
      const bytes = await bytesOf(whole)
      expect(bytes.length).toBeGreaterThan(pdf.length)
      return { etag: whole.headers.get('etag') ?? '', stamped: bytes }
    }, PATIENCE)
    expect(etag).toMatch(/^"[0-9a-f]+"$/)

    const start = await download(app, buyer, url, { range: 'bytes=0-99' })
    const rest = await download(app, buyer, url, { range: 'bytes=100-', 'if-range': etag })
    expect([start.status, rest.status]).toEqual([206, 206])
    expect(rest.headers.get('content-range')).toBe(
      `bytes 100-${stamped.length - 1}/${stamped.length}`,
    )
    expect(Buffer.concat([await bytesOf(start), await bytesOf(rest)])).toEqual(stamped)

    const stale = await download(app, buyer, url, { range: 'bytes=100-', 'if-range': '"other"' })
    expect(stale.status).toBe(200)
    expect(await bytesOf(stale)).toEqual(stamped)
    const beyond = await download(app, buyer, url, { range: `bytes=${stamped.length}-` })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${stamped.length}`)
    await beyond.arrayBuffer()
    expect((await download(app, buyer, url, { 'if-none-match': etag })).status).toBe(304)
    const head = await fetch(app.url + url, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${buyer.token}` },
    })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(stamped.length))
  })

  test('by concurrent slow clients arrives intact, and the file of a disconnected one is closed', async () => {
    const app = await testApp()
    // More than the buffers of a connection hold, so that each response waits for its client.
    const file = aLargePdf(12 << 20, 1)
    const { buyer, document } = await aBuyer(app, { file })
    const onDisk = await diskPath(app, document.id)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => download(app, buyer, path(document, buyer))),
    )
    expect(await openFiles()).toContain(onDisk)
    const [left, ...read] = answers
    await left?.body?.cancel()
    for (const bytes of await Promise.all(read.map(bytesOf))) {
      expect(bytes.subarray(0, file.length).equals(file)).toBe(true)
    }
    await expect.poll(openFiles, PATIENCE).not.toContain(onDisk)
  })

  test('is refused for documents of others and unbought ones', async () => {
    const app = await testApp()
    const { buyer, document } = await aBuyer(app)
    const other = await app.aCustomer()
    const admin = await app.anAdministrator()
    const hidden = await app.aDocument({ isPublished: false })
    const cases: [Person | null, string, number, string][] = [
      [null, path(document, buyer), 401, 'authentication_required'],
      [other, path(document, buyer), 403, 'not_permitted'],
      [admin, path(document, buyer), 403, 'not_permitted'],
      [other, path(document, other), 403, 'not_permitted'],
      [admin, path(document, admin), 403, 'not_permitted'],
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

  test('cannot reach a file by its path', async () => {
    const app = await testApp()
    const { buyer, document } = await aBuyer(app)
    const segments = [
      '..%2f..%2fsecret',
      '%252e%252e%252f',
      '1%00',
      'files',
      '1/../../x',
      '..\\..\\x',
      '1;ls',
      '٣',
    ]
    const urls = segments.flatMap((segment) => [
      `/api/documents/download/${segment}/${buyer.id}`,
      `/api/documents/download/${document.id}/${segment}`,
      `/api/preview/${segment}`,
      `/api/preview/${segment}/1.webp`,
    ])
    for (const url of urls) {
      const { status } = await app.request('GET', url, { as: buyer })
      expect(status >= 400 && status < 500, `${url} ${status}`).toBe(true)
    }
  })

  test('reports a lost or truncated file, and the purchase stays listed', async () => {
    const app = await testApp()
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
    const app = await testApp()
    const { buyer, document } = await aBuyer(app)
    const { kysely } = app.deps.database
    await kysely.updateTable('documents').set({ state: 'unpublished' }).execute()
    const downloaded = await bytesOf(await download(app, buyer, path(document, buyer)))
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
