import { mkdir, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { getPurchased, listPurchased } from '../../src/contract/library.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { readByteRange } from '../../src/server/library/byte-range.ts'
import { pageCount } from '../../src/server/library/pages/pictures.ts'
import {
  createRenderer,
  RendererBusy,
  UnreadablePdf,
} from '../../src/server/library/pages/renderer.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'
import { aLargePdf } from '../support/large-pdf.ts'
import { PATIENCE } from '../support/patience.ts'
import { aPdf } from '../support/pdf.ts'

const pdf = aPdf('كرّاس', 3)

/** A buyer with one document whose file is `file`, a PDF of three pages unless said otherwise. */
async function aBuyer(app: TestApp, { title = 'Document', file = pdf as Uint8Array } = {}) {
  const buyer = await app.aCustomer({ balance: dinars(50) })
  const document = await app.aDocument({ price: dinars(7.5), title, file })
  const body = { userId: buyer.id, documentIds: [document.id] }
  await app.call(payFromWallet, { as: buyer, key: 'k', body })
  return { buyer, document }
}

const path = (document: { id: number }, buyer: { id: number }) =>
  `/api/documents/download/${document.id}/${buyer.id}`

function download(app: TestApp, buyer: Person, url: string, headers: Record<string, string> = {}) {
  return fetch(app.url + url, { headers: { authorization: `Bearer ${buyer.token}`, ...headers } })
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

/** What this process, and the server in it, has open. */
async function openFiles(): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd')
  const links = numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => ''))
  return Promise.all(links)
}

/** The file of a document on the disk of the server. */
async function diskPath(app: TestApp, documentId: number): Promise<string> {
  const { storageKey } = await app.deps.database.kysely
    .selectFrom('documents')
    .innerJoin('files', 'files.id', 'documents.fileId')
    .select('storageKey')
    .where('documents.id', '=', documentId)
    .executeTakeFirstOrThrow()
  return (await app.deps.files.localPath(storageKey)) ?? ''
}

describe('purchased documents', () => {
  test('are listed with their names and what was paid', async () => {
    const app = await testApp()
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

  test('are their buyer’s alone', async () => {
    const app = await testApp()
    const { buyer, document } = await aBuyer(app)
    const other = await app.aCustomer()
    const params = { userId: buyer.id, documentId: document.id }
    expect(await app.call(listPurchased, { as: other })).toEqual([])
    await expect(app.call(listPurchased, {})).rejects.toMatchObject({ status: 401 })
    await expect(app.call(getPurchased, { params })).rejects.toMatchObject({ status: 401 })
    await expect(app.call(getPurchased, { as: other, params })).rejects.toMatchObject({
      status: 403,
    })
    await expect(
      app.call(getPurchased, { as: other, params: { ...params, userId: other.id } }),
    ).rejects.toMatchObject({ status: 404, code: 'document_not_found' })
  })
})

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
    expect(disposition).toContain(encodeURIComponent('تمارين الكسور1 محلولة.pdf'))
    expect((await bytesOf(response)).subarray(0, pdf.length)).toEqual(pdf)
  })

  test('resumes: ranges, If-Range, HEAD, 304 and 416', async () => {
    const app = await testApp()
    const { buyer, document } = await aBuyer(app)
    const url = path(document, buyer)
    // The first copies go without their footer where a busy machine has not made it in time.
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

  test('by slow clients at once arrives unharmed, and the file of who leaves is closed', async () => {
    const app = await testApp()
    // More than the buffers of a connection take, so that each answer waits for its client.
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

  test('of what is not yours or not bought is refused', async () => {
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

  test('reaches no file by its address', async () => {
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

  test('of a file that is lost or cut short says so, and what was bought stays listed', async () => {
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

  test('stays possible after the document left the shop', async () => {
    const app = await testApp()
    const { buyer, document } = await aBuyer(app)
    const { kysely } = app.deps.database
    await kysely.updateTable('documents').set({ state: 'unpublished' }).execute()
    const downloaded = await bytesOf(await download(app, buyer, path(document, buyer)))
    expect(downloaded.subarray(0, pdf.length)).toEqual(pdf)
  })
})

describe('preview', () => {
  async function previewPath(app: TestApp, buyer: Person, document: { id: number }) {
    const url = `${path(document, buyer)}?preview=true&t=1`
    const answer = await app.request('GET', url, { as: buyer })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    return `/api${answer.body}`
  }

  test('shows every page as a picture, without a token of the account and without script', async () => {
    const app = await testApp()
    const { buyer, document } = await aBuyer(app, { title: '<script>alert(1)</script>' })
    const link = await previewPath(app, buyer, document)
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
      expect(await picture.metadata()).toMatchObject({
        format: 'webp',
        width: Number(width),
        height: Number(height),
      })
      if (src.endsWith('/1.webp')) {
        // The cover's blue, and not its red and blue exchanged.
        const { dominant } = await picture.stats()
        expect(dominant.b).toBeGreaterThan(dominant.r)
      }
    }
    expect((await app.request('GET', `${link}/4.webp`)).status).toBe(404)
    expect((await app.request('GET', `${link}/0.webp`)).status).toBe(404)
    expect((await app.request('GET', `${link}/1.png`)).status).toBe(404)
  })

  test('is drawn once and kept', async () => {
    const app = await testApp()
    const { buyer, document } = await aBuyer(app)
    const link = await previewPath(app, buyer, document)
    await Promise.all(Array.from({ length: 5 }, () => app.request('GET', `${link}/2.webp`)))
    const root = join(app.deps.config.dataDir, 'previews')
    const [folder = ''] = await readdir(root)
    expect((await readdir(join(root, folder))).sort()).toEqual(['2-900.webp', 'sizes.json'])
    // With the PDF gone, only what is kept can answer.
    await rm(await diskPath(app, document.id))
    expect((await app.request('GET', `${link}/2.webp`)).status).toBe(200)
  })

  test('opens for 10 minutes, and no other document or user', async () => {
    const app = await testApp()
    const { buyer, document } = await aBuyer(app)
    const link = await previewPath(app, buyer, document)
    const token = link.split('/').at(-1) ?? ''
    const [documentId, userId, expiry, signature = ''] = token.split(/-(?=.)/, 4)
    const rest = token.slice(`${documentId}-${userId}-${expiry}-`.length)
    const forged = [
      `${Number(documentId) + 1}-${userId}-${expiry}-${rest}`,
      `${documentId}-${Number(userId) + 1}-${expiry}-${rest}`,
      `${documentId}-${userId}-${Number(expiry) + 1}-${rest}`,
      `${documentId}-${userId}-${expiry}-${'A'.repeat(43)}`,
      `${documentId}-${userId}-${expiry}-${rest.slice(1)}`,
      `${documentId}-${userId}-${expiry}-`,
      signature,
      'x',
    ]
    for (const bad of forged) {
      const answer = await app.request('GET', `/api/preview/${bad}`)
      expect(answer.status, bad).toBe(403)
      expect((await app.request('GET', `/api/preview/${bad}/1.webp`)).status).toBe(403)
    }
    expect((await app.request('GET', link)).status).toBe(200)
    app.travel(9.9 * 60_000)
    expect((await app.request('GET', link)).status).toBe(200)
    app.travel(0.2 * 60_000)
    expect((await app.request('GET', link)).status).toBe(403)
    expect((await app.request('GET', `${link}/1.webp`)).status).toBe(403)
  })

  test('of a damaged PDF says so, and the next one is drawn', async () => {
    const app = await testApp()
    const bad = await aBuyer(app, { file: Buffer.from('%PDF-1.4\nnot at all\n%%EOF') })
    const good = await aBuyer(app)
    const badLink = await previewPath(app, bad.buyer, bad.document)
    const answer = await app.request('GET', badLink)
    expect(answer.status).toBe(500)
    expect(String(answer.body)).toContain('Failed to load document preview.')
    expect(await app.request('GET', `${badLink}/1.webp`)).toMatchObject({
      status: 500,
      body: { error: 'file_missing' },
    })
    const goodLink = await previewPath(app, good.buyer, good.document)
    expect((await app.request('GET', goodLink)).status).toBe(200)
    // Damaged files are told to the operator.
    expect(app.log.splice(0).filter(({ msg }) => msg === 'preview')).toHaveLength(2)
  })
})

describe('the renderer', () => {
  async function storedPdf(bytes: Uint8Array = pdf): Promise<string> {
    const { tmpdir } = await import('node:os')
    const file = join(tmpdir(), `karras-renderer-${process.pid}`, `${Math.random()}.pdf`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes)
    onTestFinished(() => rm(file, { force: true }))
    return file
  }

  function aRenderer(limits?: Parameters<typeof createRenderer>[0]) {
    const renderer = createRenderer(limits)
    onTestFinished(() => renderer.close())
    return renderer
  }

  test('counts pages, and survives what is no PDF', async () => {
    const renderer = aRenderer()
    expect(await pageCount(renderer, await storedPdf())).toBe(3)
    for (const bytes of [new Uint8Array(), Buffer.from('GIF89a'), pdf.subarray(0, 60)]) {
      await expect(pageCount(renderer, await storedPdf(bytes))).rejects.toThrow(UnreadablePdf)
    }
    await expect(pageCount(renderer, '/nowhere.pdf')).rejects.toThrow(UnreadablePdf)
    expect(await pageCount(renderer, await storedPdf())).toBe(3)
  })

  test('gives up what takes too long, and goes on', async () => {
    const impatient = aRenderer({ waiting: 5, patience: 1, idle: 1000 })
    const path = await storedPdf()
    await expect(
      impatient.run({ kind: 'picture', path, page: 1, width: 900, format: 'webp' }),
    ).rejects.toThrow(UnreadablePdf)
    await expect(
      impatient.run({ kind: 'picture', path, page: 1, width: 900, format: 'webp' }),
    ).rejects.toThrow(UnreadablePdf)
  })

  test('refuses more than may wait, and those that still wait at the end', async () => {
    const renderer = aRenderer({ waiting: 2, patience: 20_000, idle: 1000 })
    const path = await storedPdf()
    const jobs = Array.from({ length: 4 }, () => renderer.run({ kind: 'sizes', path, most: 9 }))
    const settled = Promise.allSettled(jobs)
    await expect(jobs[3]).rejects.toThrow(RendererBusy)
    await renderer.close()
    for (const job of await settled) expect(job.status).toBe('rejected')
  })

  test('draws for one account after the other, whoever asked first', async () => {
    const renderer = aRenderer()
    const path = await storedPdf()
    const done: string[] = []
    const draw = async (account: number | null, name: string) => {
      await renderer.run({ kind: 'sizes', path, most: 9 }, account)
      done.push(name)
    }
    const jobs = ['a1', 'a2', 'a3'].map((name) => draw(1, name))
    jobs.push(draw(2, 'b1'), draw(2, 'b2'), draw(null, 'n1'), draw(null, 'n2'), draw(3, 'c1'))
    await Promise.all(jobs)
    expect(done).toEqual(['a1', 'b1', 'n1', 'c1', 'a2', 'b2', 'n2', 'a3'])
  })

  test('gives everybody a place, however many the others want', async () => {
    const path = await storedPdf()
    const newcomers = fc.array(fc.integer({ min: 6, max: 9 }), { minLength: 1, maxLength: 12 })
    const flood = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 21, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(flood, newcomers, async (first, later) => {
        const renderer = createRenderer({ waiting: 20, patience: 20_000, idle: 1000 })
        const refused: number[] = []
        const ask = (account: number) =>
          renderer.run({ kind: 'sizes', path, most: 9 }, account).catch((error: unknown) => {
            if (error instanceof RendererBusy) refused.push(account)
          })
        const jobs = [...first, ...later].map(ask)
        await new Promise(setImmediate)
        // Nothing was drawn meanwhile: who asked is refused, or waits.
        const isServed = [...new Set(later)].every((account) => {
          const count = (list: number[]) => list.filter((each) => each === account).length
          return count(refused) < count(later)
        })
        expect(refused).toHaveLength(first.length + later.length - 21)
        await renderer.close()
        await Promise.all(jobs)
        return isServed
      }),
      { numRuns: 30 },
    )
  })

  test('ends an idle thread and starts another', async () => {
    const renderer = aRenderer({ waiting: 5, patience: 20_000, idle: 0 })
    const path = await storedPdf()
    for (let turn = 0; turn < 3; turn++) {
      expect(await pageCount(renderer, path)).toBe(3)
      await new Promise((resolve) => setImmediate(resolve))
    }
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

  test('whatever is requested, no byte outside the file is read', () => {
    const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,4}-\d{0,4}$/))
    fc.assert(
      fc.property(header, fc.integer({ min: 1, max: 5000 }), (asked, size) => {
        const range = readByteRange(asked, size)
        if (range === null || range === 'unsatisfiable') return
        expect(range.start).toBeGreaterThanOrEqual(0)
        expect(range.start).toBeLessThanOrEqual(range.end)
        expect(range.end).toBeLessThan(size)
      }),
    )
  })
})
