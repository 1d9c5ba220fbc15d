import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { zipLink } from '../../src/contract/archive.ts'
import { downloadDocument } from '../../src/contract/library.ts'
import { getStamp, retryFiles, setStamp } from '../../src/contract/office-stamp.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { dinars } from '../../src/rules/money.ts'
import { ARCHIVE_LINK_LIFETIME_MS } from '../../src/server/library/archive/archive-link.ts'
import { makeSamples } from '../../src/server/library/library.ts'
import { openArchive } from '../../src/server/uploads/archive.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { cutDownload } from '../support/cut-download.ts'
import type { Person } from '../support/factories.ts'
import { aLargePdf } from '../support/large-pdf.ts'
import { runCommand } from '../support/operator.ts'
import { PATIENCE } from '../support/patience.ts'
import { aPdf } from '../support/pdf.ts'
import { pdfTexts } from '../support/pdf-text.ts'
import { addressOf } from './http/samples.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  return app.stop
})

interface Bought {
  readonly buyer: Person
  readonly documents: readonly { id: number }[]
}

/** A buyer of documents with these files. */
async function aBuyerOf(
  ...wishes: { file: Uint8Array; title?: string; price?: number }[]
): Promise<Bought> {
  const buyer = await app.aCustomer({ balance: dinars(500) })
  const documents = []
  for (const { file, title = 'Document', price = 5 } of wishes) {
    documents.push(await app.aDocument({ file, title, price: dinars(price) }))
  }
  const body = { userId: buyer.id, documentIds: documents.map(({ id }) => id) }
  await app.call(payFromWallet, { as: buyer, key: 'buy', body })
  return { buyer, documents }
}

async function download(buyer: Person, id: number, headers: Record<string, string> = {}) {
  const path = addressOf(downloadDocument, { params: { id, userId: buyer.id } })
  const authorization = `Bearer ${buyer.token}`
  const answer = await fetch(app.url + path, { headers: { authorization, ...headers } })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** A whole copy with its footer, without which the first one goes on a machine that is too busy to make it in time. */
async function stampedCopy(buyer: Person, id: number, stored: Uint8Array) {
  return await vi.waitFor(async () => {
    const copy = await download(buyer, id)
    expect(copy.bytes.length).toBeGreaterThan(stored.length)
    return copy
  }, PATIENCE)
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The path of the link to a ZIP of what somebody bought. */
async function linkFor(as: Person, documentIds?: number[]): Promise<string> {
  return (await app.call(zipLink, { as, body: { locale: 'fr', documentIds } })).path
}

/** The files of the ZIP at a path, by name. */
async function unzip(path: string): Promise<Map<string, Buffer>> {
  const answer = await fetch(app.url + path)
  expect(answer.status).toBe(200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  const file = join(app.deps.config.dataDir, 'got.zip')
  await writeFile(file, bytes)
  const zip = await openArchive(file)
  const files = new Map<string, Buffer>()
  for (const { name, open } of zip.files) files.set(name, await buffer(await open()))
  zip.close()
  return files
}

describe('a bought PDF', () => {
  test('names its order and the masked address on each page, after the stored bytes', async () => {
    const pdf = aPdf('كرّاس', 3)
    const { buyer, documents } = await aBuyerOf({ file: pdf })
    const id = documents[0]?.id ?? 0
    const { orderId } = await app.deps.database.kysely
      .selectFrom('purchases')
      .select('orderId')
      .where('userId', '=', buyer.id)
      .executeTakeFirstOrThrow()
    const { answer, bytes } = await stampedCopy(buyer, id, pdf)
    expect(bytes.subarray(0, pdf.length)).toEqual(pdf)
    const [, first, domain] = /^(.).*@(.*)$/.exec(buyer.email) ?? []
    for (const [at, text] of (await pdfTexts(bytes)).entries()) {
      expect(text).toContain(`Page ${at + 1}`)
      expect(text).toContain(`Karras · order ${orderId} · ${first}•••@${domain}`)
      expect(text).not.toContain(buyer.email)
    }
    // What was made is made again the same, here or in another process.
    await rm(join(app.deps.config.dataDir, 'stamps'), { recursive: true })
    const again = await stampedCopy(buyer, id, pdf)
    expect(again.answer.headers.get('etag')).toBe(answer.headers.get('etag'))
    expect(sha256(again.bytes)).toBe(sha256(bytes))
  })

  test('resumes at any byte, also within the footer, and starts anew after it changed', async () => {
    const pdf = aPdf('Cut', 40)
    const { buyer, documents } = await aBuyerOf({ file: pdf })
    const id = documents[0]?.id ?? 0
    const whole = await stampedCopy(buyer, id, pdf)
    const etag = whole.answer.headers.get('etag') ?? ''
    const cuts = [0, 1, pdf.length - 1, pdf.length, pdf.length + 1, whole.bytes.length - 1]
    for (const at of cuts) {
      const rest = await download(buyer, id, { range: `bytes=${at}-`, 'if-range': etag })
      expect([rest.answer.status, sha256(rest.bytes)]).toEqual([
        206,
        sha256(whole.bytes.subarray(at)),
      ])
      const start = await download(buyer, id, { range: `bytes=0-${at}` })
      expect(sha256(start.bytes)).toBe(sha256(whole.bytes.subarray(0, at + 1)))
    }
    const largePdf = aLargePdf(3_000_000, 5)
    const lossy = await aBuyerOf({ file: largePdf })
    const large = lossy.documents[0]?.id ?? 0
    const { bytes } = await stampedCopy(lossy.buyer, large, largePdf)
    const places = Array.from(
      { length: 20 },
      () => 1 + Math.floor(Math.random() * (bytes.length - 1)),
    )
    const cut = await cutDownload({
      url: app.url + addressOf(downloadDocument, { params: { id: large, userId: lossy.buyer.id } }),
      token: lossy.buyer.token,
      cuts: places.sort((one, other) => one - other),
    })
    expect(cut, `cut at ${places}`).toMatchObject({ sha256: sha256(bytes), bytes: bytes.length })

    await runCommand(app, 'stamp', 'off')
    const plain = await download(buyer, id, { range: 'bytes=100-', 'if-range': etag })
    await runCommand(app, 'stamp', 'on')
    expect([plain.answer.status, plain.bytes.equals(pdf)]).toEqual([200, true])
    expect(plain.answer.headers.get('etag')).not.toBe(etag)
    const back = await download(buyer, id, { 'if-none-match': etag })
    expect(back.answer.status).toBe(304)
  })

  test('goes out as it is where it was free, or cannot be stamped, which is noted once', async () => {
    const free = aPdf('Free', 2)
    const damaged = aPdf('Damaged', 2)
    damaged.write('startxref\n9', damaged.lastIndexOf('startxref'), 'latin1')
    const { buyer, documents } = await aBuyerOf(
      { file: free, price: 0 },
      { file: damaged, title: 'Abîmé' },
    )
    const [first, second] = documents
    expect((await download(buyer, first?.id ?? 0)).bytes.equals(free)).toBe(true)
    for (let time = 0; time < 2; time++) {
      expect((await download(buyer, second?.id ?? 0)).bytes.equals(damaged)).toBe(true)
    }
    const noted = app.reports.filter((line) => line.includes(sha256(damaged)))
    expect(noted).toHaveLength(1)
    expect((await runCommand(app, 'stamp')).out).toMatch(/damaged: .*Abîmé/)
    expect((await runCommand(app, 'stamp', '--retry')).out).not.toContain('Abîmé')
    expect((await runCommand(app, 'stamp', 'perhaps')).exit).toBe(2)
  })
})

describe('in the office', () => {
  test('an administrator switches the stamp, once where two do, and it is in the log', async () => {
    const admin = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })
    const other = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })
    const pdf = aPdf('Office', 1)
    const { buyer, documents } = await aBuyerOf({ file: pdf })
    const id = documents[0]?.id ?? 0
    const { seen } = await app.call(getStamp, { as: admin })
    const off = await app.call(setStamp, { as: admin, body: { isOn: false, seen } })
    expect(off).toMatchObject({ isOn: false, changed: { by: 'Leïla Mansour' } })
    expect((await download(buyer, id)).bytes.equals(pdf)).toBe(true)
    const late = app.call(setStamp, { as: other, body: { isOn: true, seen } })
    await expect(late).rejects.toMatchObject({
      code: 'done_before',
      body: { done: { by: 'Leïla Mansour' } },
    })
    const on = await app.call(setStamp, { as: other, body: { isOn: true, seen: off.seen } })
    expect(on).toMatchObject({ isOn: true, changed: { by: 'Karim Jaziri' } })
    await stampedCopy(buyer, id, pdf)
    const log = await app.deps.database.kysely
      .selectFrom('staffLog')
      .select(['actor', 'action', 'subject', 'reason'])
      .where('actor', 'in', [`user ${admin.id}`, `user ${other.id}`])
      .where('action', '=', 'change setting')
      .orderBy('id')
      .execute()
    const line = { action: 'change setting', subject: 'shop' }
    expect(log).toEqual([
      { ...line, actor: `user ${admin.id}`, reason: 'stamp = 0' },
      { ...line, actor: `user ${other.id}`, reason: 'stamp = 1' },
    ])
    for (const body of [
      { isOn: 'no', seen: null },
      { isOn: true },
      { isOn: true, seen: 'x' },
      [],
    ]) {
      const { status } = await app.request('POST', '/api/office/admin/stamp', { as: admin, body })
      expect(status, JSON.stringify(body)).toBe(400)
    }
  })

  test('an administrator sees what could not be stamped or drawn, and has it tried again', async () => {
    const admin = await app.anOfficeAdministrator()
    const teacher = expect.stringMatching(/^Sami Trabelsi \d+$/)
    const damaged = aPdf('Sans index', 2)
    damaged.write('startxref\n9', damaged.lastIndexOf('startxref'), 'latin1')
    const { buyer, documents } = await aBuyerOf({ file: damaged, title: 'Sans index' })
    const documentId = documents[0]?.id ?? 0
    const untilNoted = async () => {
      await download(buyer, documentId)
      return vi.waitFor(async () => {
        const found = await app.call(getStamp, { as: admin })
        expect(found.unstamped.total).toBe(1)
        return found
      }, PATIENCE)
    }
    const noted = await untilNoted()
    expect(noted.unstamped).toMatchObject({
      total: 1,
      newest: [{ documentId, title: 'Sans index', teacher, reason: 'damaged' }],
    })
    const retry = (what: 'unstamped' | 'undrawn') =>
      app.call(retryFiles, { as: admin, body: { what } })
    expect((await retry('unstamped')).unstamped).toEqual({ total: 0, newest: [] })
    await untilNoted()

    const broken = Buffer.from('%PDF-1.4\nnothing that can be drawn')
    const unread = await app.aDocument({ file: broken, title: 'Illisible' })
    const undrawn = async () => (await app.call(getStamp, { as: admin })).undrawn.newest
    const row = { documentId: unread.id, title: 'Illisible', teacher }
    await makeSamples(app.deps, { mayDraw: false })
    expect(await undrawn()).toMatchObject([{ ...row, isTriedAgain: false }])
    // The command line says why, and tries again as well.
    expect((await runCommand(app, 'stamp')).out).toMatch(/ no +.*\w.* +Illisible/)
    expect((await runCommand(app, 'stamp', '--retry')).out).toMatch(/ yes +.*\w.* +Illisible/)
    await makeSamples(app.deps, { mayDraw: false })
    expect((await retry('undrawn')).undrawn.newest).toMatchObject([{ ...row, isTriedAgain: true }])
    await makeSamples(app.deps, { mayDraw: false })
    expect(await undrawn()).toMatchObject([{ ...row, isTriedAgain: false }])
    const { status } = await app.request('POST', '/api/office/admin/stamp/retry', {
      as: admin,
      body: { what: 'everything' },
    })
    expect(status).toBe(400)
  })
})

describe('a ZIP of what was bought', () => {
  test('holds each file as its download, under a name of its own', async () => {
    const pdfs = [
      { file: aPdf('one', 1), title: 'الكسور (1)' },
      { file: aPdf('two', 2), title: 'Été' },
      { file: aPdf('three', 3), title: 'été' },
      { file: aPdf('four', 1), title: 'CON' },
      { file: aPdf('five', 1), title: '../../etc' },
    ]
    const { buyer, documents } = await aBuyerOf(...pdfs)
    const copies = await Promise.all(
      pdfs.map(({ file }, at) => stampedCopy(buyer, documents[at]?.id ?? 0, file)),
    )
    const files = await unzip(await linkFor(buyer))
    expect([...files.keys()].sort()).toEqual(
      ['_CON.pdf', 'etc.pdf', 'été.pdf', 'Été (2).pdf', 'الكسور 1.pdf'].sort(),
    )
    expect([...files.values()].map(sha256).sort()).toEqual(
      copies.map(({ bytes }) => sha256(bytes)).sort(),
    )
    const chosen = await unzip(await linkFor(buyer, [documents[1]?.id ?? 0]))
    expect([...chosen.keys()]).toEqual(['Été.pdf'])
  })

  test('reads the footer of a file when its turn comes, and of no other', async () => {
    const first = Buffer.concat([aPdf('first', 1), Buffer.alloc(24e6)])
    const second = aPdf('second', 1)
    // The latest purchase comes first.
    const { buyer, documents } = await aBuyerOf({ file: second }, { file: first, price: 0 })
    await stampedCopy(buyer, documents[0]?.id ?? 0, second)
    const answer = await fetch(app.url + (await linkFor(buyer)))
    const kept = join(app.deps.config.dataDir, 'stamps', sha256(second), '1.tail')
    const tail = await readFile(kept)
    const mark = '%changed'
    tail.write(mark, tail.length - mark.length)
    await writeFile(kept, tail)
    const zip = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(zip.length))
    expect(zip.includes(mark)).toBe(true)
  })

  test('leaves out a lost file and names it', async () => {
    const { buyer, documents } = await aBuyerOf(
      { file: aPdf('kept', 1), title: 'Gardé' },
      { file: aPdf('lost', 1), title: 'Perdu' },
    )
    const lost = await app.deps.database.kysely
      .selectFrom('documents')
      .innerJoin('files', 'files.id', 'documents.fileId')
      .select('storageKey')
      .where('documents.id', '=', documents[1]?.id ?? 0)
      .executeTakeFirstOrThrow()
    await app.deps.files.remove(lost.storageKey)
    const files = await unzip(await linkFor(buyer))
    expect([...files.keys()]).toEqual(['Gardé.pdf', 'Fichiers manquants.txt'])
    expect(String(files.get('Fichiers manquants.txt'))).toContain('Perdu')
  })

  test('is its account’s alone, for ten minutes; else a page says so', async () => {
    const { buyer, documents } = await aBuyerOf({ file: aPdf('mine', 1), title: 'Secret' })
    const other = await aBuyerOf({ file: aPdf('theirs', 1) })
    const ids = documents.map(({ id }) => id)
    for (const documentIds of [ids, [999_999], [...ids, 999_999]]) {
      const refused = app.call(zipLink, { as: other.buyer, body: { locale: 'fr', documentIds } })
      await expect(refused).rejects.toMatchObject({ code: 'document_not_found' })
    }
    const nobody = await app.aCustomer()
    await expect(linkFor(nobody)).rejects.toMatchObject({ code: 'document_not_found' })

    const link = await linkFor(buyer)
    const forged = [
      link.replace(`-${buyer.id}-all-`, `-${other.buyer.id}-all-`),
      link.replace('-all-', `-${other.documents[0]?.id}-`),
      link.replace(/-all-(\d+)/, (_, expiry) => `-all-${Number(expiry) + 1}`),
      link.slice(0, -1),
      `${link}A`,
      '/api/archive/fr-',
      '/api/archive/..%2f..%2fetc',
      `/api/archive/${'9'.repeat(5000)}`,
    ]
    for (const path of forged) {
      const answer = await fetch(app.url + path)
      const text = await answer.text()
      expect([answer.status, text.includes('Secret')], path).toEqual([403, false])
      expect(answer.headers.get('content-type')).toContain('text/html')
    }
    app.travel(ARCHIVE_LINK_LIFETIME_MS - MINUTE_MS)
    expect((await unzip(link)).size).toBe(1)
    app.travel(2 * MINUTE_MS)
    const expired = await fetch(app.url + link)
    expect([expired.status, await expired.text()]).toEqual([
      403,
      expect.stringContaining('Ce lien a expiré'),
    ])
  })

  test('is sent twice at a time an account, and ends with the browser that left', async () => {
    const { buyer } = await aBuyerOf({ file: Buffer.concat([aPdf('long', 1), Buffer.alloc(8e6)]) })
    const link = app.url + (await linkFor(buyer))
    const begin = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get(link, { agent: false }, resolve).on('error', reject)
      })
    const [first, second] = [await begin(), await begin()]
    const third = await begin()
    expect([first.statusCode, second.statusCode, third.statusCode]).toEqual([200, 200, 429])
    third.destroy()
    first.destroy()
    await vi.waitFor(async () => {
      const next = await begin()
      next.destroy()
      expect(next.statusCode).toBe(200)
    }, PATIENCE)
    second.destroy()
  })
})
