import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { describe, expect, test, vi } from 'vitest'
import { downloadDocument } from '../../../src/contract/library.ts'
import { getStamp, retryFiles, setStamp } from '../../../src/contract/office-stamp.ts'
import { setPageCode } from '../../../src/contract/teacher-profile.ts'
import { makeSamples } from '../../../src/server/library/library.ts'
import { aBuyerOf, bought, download, sha256, stampedCopy } from '../../support/bought-documents.ts'
import { cutDownload } from '../../support/cut-download.ts'
import { aLargePdf } from '../../support/large-pdf.ts'
import { callByCommand } from '../../support/operator.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import { catalogued, SIGNED } from '../../support/pdf-draft.ts'
import { LOGGED_SUBJECT } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'
import { upload } from '../../support/uploads.ts'
import { addressOf } from '../http/samples.ts'

/** The text of each page as PDFium extracts it. */
async function pdfTexts(bytes: Uint8Array): Promise<string[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(bytes)
  const texts = [...document.pages()].map((page) => page.getText())
  document.destroy()
  library.destroy()
  return texts
}

const app = await sharedApp()

describe('a bought PDF', () => {
  test('names its order and the masked address on each page, after the stored bytes', async () => {
    const pdf = aPdf('كرّاس', 3)
    const { buyer, id } = await aBuyerOf(app, { file: pdf })
    const { orderId } = await app.kysely
      .selectFrom('purchases')
      .select('orderId')
      .where('userId', '=', buyer.id)
      .executeTakeFirstOrThrow()
    const { answer, bytes } = await stampedCopy(app, buyer, id, pdf)
    expect(bytes.subarray(0, pdf.length)).toEqual(pdf)
    const [, first, domain] = /^(.).*@(.*)$/.exec(buyer.email) ?? []
    for (const [at, text] of (await pdfTexts(bytes)).entries()) {
      expect(text).toContain(`Page ${at + 1}`)
      expect(text).toContain(`Karras · order ${orderId} · ${first}•••@${domain}`)
      expect(text).not.toContain(buyer.email)
    }
    // It is generated identically again, here or in another process.
    await rm(join(app.deps.config.dataDir, 'stamps'), { recursive: true })
    const again = await stampedCopy(app, buyer, id, pdf)
    expect(again.answer.headers.get('etag')).toBe(answer.headers.get('etag'))
    expect(sha256(again.bytes)).toBe(sha256(bytes))
  })

  test('resumes at any byte, also within the footer, and restarts after it changed', async () => {
    const pdf = aPdf('Cut', 40)
    const { buyer, id } = await aBuyerOf(app, { file: pdf })
    const whole = await stampedCopy(app, buyer, id, pdf)
    const etag = whole.answer.headers.get('etag') ?? ''
    const cuts = [0, 1, pdf.length - 1, pdf.length, pdf.length + 1, whole.bytes.length - 1]
    for (const at of cuts) {
      const rest = await download(app, buyer, id, { range: `bytes=${at}-`, 'if-range': etag })
      expect([rest.answer.status, sha256(rest.bytes)]).toEqual([
        206,
        sha256(whole.bytes.subarray(at)),
      ])
      const start = await download(app, buyer, id, { range: `bytes=0-${at}` })
      expect(sha256(start.bytes)).toBe(sha256(whole.bytes.subarray(0, at + 1)))
    }
    const largePdf = aLargePdf(3_000_000, 5)
    const lossy = await aBuyerOf(app, { file: largePdf })
    const { bytes } = await stampedCopy(app, lossy.buyer, lossy.id, largePdf)
    const places = Array.from(
      { length: 20 },
      () => 1 + Math.floor(Math.random() * (bytes.length - 1)),
    )
    const cut = await cutDownload({
      url:
        app.url + addressOf(downloadDocument, { params: { id: lossy.id, userId: lossy.buyer.id } }),
      token: lossy.buyer.token,
      cuts: places.sort((one, other) => one - other),
    })
    expect(cut, `cut at ${places}`).toMatchObject({ sha256: sha256(bytes), bytes: bytes.length })

    const off = await callByCommand(app, 'setStamp', 'isOn=off', 'seen=null')
    const plain = await download(app, buyer, id, { range: 'bytes=100-', 'if-range': etag })
    await callByCommand(app, 'setStamp', 'isOn=on', `seen=${off.seen}`)
    expect([plain.answer.status, plain.bytes.equals(pdf)]).toEqual([200, true])
    expect(plain.answer.headers.get('etag')).not.toBe(etag)
    const back = await download(app, buyer, id, { 'if-none-match': etag })
    expect(back.answer.status).toBe(304)
  })

  test('leads to its page by a code, unless its teacher leaves that out, from the next download on', async () => {
    const pdf = aPdf('Code', 2)
    const { buyer, teacher, id } = await bought(app, { file: pdf })
    const whole = await stampedCopy(app, buyer, id, pdf)
    const etag = whole.answer.headers.get('etag') ?? ''
    const switchCode = (isOn: boolean) => app.call(setPageCode, { as: teacher, body: { isOn } })
    expect((await switchCode(false)).hasPageCode).toBe(false)
    const bare = await download(app, buyer, id, { range: 'bytes=100-', 'if-range': etag })
    expect([bare.answer.status, bare.bytes.length]).toEqual([200, whole.bytes.length])
    expect(bare.answer.headers.get('etag')).not.toBe(etag)
    expect(bare.bytes.includes('/AHx')).toBe(false)
    await switchCode(true)
    expect((await stampedCopy(app, buyer, id, pdf)).bytes.equals(whole.bytes)).toBe(true)
    expect(whole.bytes.includes('/AHx')).toBe(true)
  })

  test('is sent unchanged if it was free, or cannot be stamped, which is logged once', async () => {
    const free = aPdf('Free', 2)
    const damaged = aPdf('Damaged', 2)
    damaged.write('startxref\n9', damaged.lastIndexOf('startxref'), 'latin1')
    const { buyer, ids } = await aBuyerOf(
      app,
      { file: free, price: 0 },
      { file: damaged, title: 'Abîmé' },
    )
    const [first = 0, second = 0] = ids
    expect((await download(app, buyer, first)).bytes.equals(free)).toBe(true)
    for (let time = 0; time < 2; time++) {
      expect((await download(app, buyer, second)).bytes.equals(damaged)).toBe(true)
    }
    const noted = app.reports.filter((line) => line.includes(sha256(damaged)))
    expect(noted).toHaveLength(1)
    const [file] = (await callByCommand(app, 'getStamp')).unstamped.newest
    expect(file).toMatchObject({ title: 'Abîmé', reason: 'damaged' })
    const { unstamped } = await callByCommand(app, 'retryFiles', 'what=unstamped')
    expect(unstamped.total).toBe(0)
  })
})

describe('a signed PDF', () => {
  const certified = () =>
    readFile(new URL('../../cases/pdf/certified-no-changes.pdf', import.meta.url))

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['certified by its author', certified],
    ...Object.entries(SIGNED),
  ])('%s is accepted, and sent unchanged with that reason', async (title, file) => {
    const bytes = await file()
    const teacher = await app.anOfficeTeacher()
    expect(await upload(app, teacher, bytes)).toMatchObject({ isChecked: true, isSigned: true })
    const { buyer, id } = await aBuyerOf(app, { file: bytes, title })
    expect((await download(app, buyer, id)).bytes.equals(bytes)).toBe(true)
    const { newest } = (await callByCommand(app, 'getStamp')).unstamped
    expect(newest).toContainEqual(expect.objectContaining({ title, reason: 'signed' }))
    await callByCommand(app, 'retryFiles', 'what=unstamped')
  })

  test('that has only a place for a signature gets its stamp', async () => {
    const bytes = catalogued(
      '/AcroForm << /Fields [<< /FT /Sig /T (a /ByteRange) /Subtype /Widget /Rect [0 0 9 9] >>] >>',
    )
    expect(await upload(app, await app.anOfficeTeacher(), bytes)).toMatchObject({ isSigned: false })
    const { buyer, id } = await aBuyerOf(app, { file: bytes })
    await stampedCopy(app, buyer, id, bytes)
  })
})

describe('in the office', () => {
  test('an administrator switches the stamp, once if two do, and it is logged', async () => {
    const admin = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })
    const other = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })
    const pdf = aPdf('Office', 1)
    const { buyer, id } = await aBuyerOf(app, { file: pdf })
    const { seen } = await app.call(getStamp, { as: admin })
    const off = await app.call(setStamp, { as: admin, body: { isOn: false, seen } })
    expect(off).toMatchObject({ isOn: false, changed: { by: 'Leïla Mansour' } })
    expect((await download(app, buyer, id)).bytes.equals(pdf)).toBe(true)
    const late = app.call(setStamp, { as: other, body: { isOn: true, seen } })
    await expect(late).rejects.toMatchObject({
      code: 'done_before',
      body: { done: { by: 'Leïla Mansour' } },
    })
    const on = await app.call(setStamp, { as: other, body: { isOn: true, seen: off.seen } })
    expect(on).toMatchObject({ isOn: true, changed: { by: 'Karim Jaziri' } })
    await stampedCopy(app, buyer, id, pdf)
    const log = await app.kysely
      .selectFrom('staffLog')
      .select(['actor', 'action', LOGGED_SUBJECT.as('subject'), 'reason'])
      .where('actor', 'in', [`user ${admin.id}`, `user ${other.id}`])
      .where('action', '=', 'change setting')
      .orderBy('id')
      .execute()
    const line = { action: 'change setting', subject: 'shop' }
    expect(log).toEqual([
      { ...line, actor: `user ${admin.id}`, reason: 'stamp = 0' },
      { ...line, actor: `user ${other.id}`, reason: 'stamp = 1' },
    ])
  })

  test('an administrator sees what could not be stamped or drawn, and has it retried', async () => {
    const admin = await app.anOfficeAdministrator()
    const teacher = expect.stringMatching(/^Sami Trabelsi \d+$/)
    const damaged = aPdf('Sans index', 2)
    damaged.write('startxref\n9', damaged.lastIndexOf('startxref'), 'latin1')
    const { buyer, id: documentId } = await aBuyerOf(app, { file: damaged, title: 'Sans index' })
    const untilNoted = async () => {
      await download(app, buyer, documentId)
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
    expect((await retry('undrawn')).undrawn.newest).toMatchObject([{ ...row, isTriedAgain: true }])
    await makeSamples(app.deps, { mayDraw: false })
    expect(await undrawn()).toMatchObject([{ ...row, isTriedAgain: false }])
  })
})
