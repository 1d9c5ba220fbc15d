// @one-database: it is about files.
import { describe, expect, test } from 'vitest'
import {
  cancelUpload,
  finishUpload,
  getUpload,
  listUploads,
  openUpload,
  sendPart,
} from '../../../src/contract/uploads.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import {
  UPLOAD_MAX_BYTES,
  UPLOADS_OPEN_MAX,
  UPLOADS_OPEN_MAX_BYTES,
  UPLOADS_PER_DAY,
  uploadPartsMax,
} from '../../../src/rules/uploads.ts'
import { cleanUpFiles } from '../../../src/server/uploads/uploads.ts'
import { aPdf } from '../../support/pdf.ts'
import { aPicture } from '../../support/picture.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'
import { TRICKY } from '../../support/tricky-pdf.ts'
import { BAD_PDFS, filesOnDisk, sendFile, upload } from '../../support/uploads.ts'

const app = await sharedApp()
const teacher = await app.anOfficeTeacher()

describe('an upload', () => {
  test('arrives in parts, is checked by its content, and reports its type', async () => {
    const pdf = aPdf('كتاب', 40)
    const sent = await sendFile(app, teacher, pdf, { name: '../../كتاب.pdf', part: 5000 })
    expect(sent).toMatchObject({ received: pdf.length, isChecked: false, name: '../../كتاب.pdf' })
    const params = { id: sent.id }
    const checked = await app.call(finishUpload, { as: teacher, params })
    expect(checked).toMatchObject({ isChecked: true, fileType: 'pdf', pageCount: 40 })
    expect(await app.call(finishUpload, { as: teacher, params })).toEqual(checked)
    expect(await app.call(getUpload, { as: teacher, params })).toEqual(checked)
    expect((await app.call(listUploads, { as: teacher })).map(({ id }) => id)).toContain(sent.id)
    // Its parts are gone, and its name is stored nowhere.
    expect((await filesOnDisk(app)).filter((path) => /uploads|كتاب/.test(path))).toEqual([])
    await app.call(cancelUpload, { as: teacher, params })
    await expectCode(app.call(getUpload, { as: teacher, params }), 'upload_not_found')
  })

  test('resumes where it was cut: repeated or premature parts change nothing', async () => {
    const pdf = aPdf('x', 20)
    const body = { name: 'x.pdf', size: pdf.length, purpose: 'document' as const }
    const { id } = await app.call(openUpload, { as: teacher, body })
    const send = async (from: number, to: number) => {
      const input = {
        params: { id },
        query: { offset: from },
        body: new Uint8Array(pdf.subarray(from, to)),
      }
      return (await app.call(sendPart, { as: teacher, ...input })).received
    }
    expect(await send(0, 1000)).toBe(1000)
    expect(await send(0, 1000)).toBe(1000)
    expect(await send(2000, 3000)).toBe(1000)
    expect(await send(500, 1500)).toBe(1000)
    // Twice concurrently: one of them counts.
    expect(await Promise.all([send(1000, 2000), send(1000, 1500), send(1000, 3000)])).toEqual(
      expect.arrayContaining([expect.any(Number)]),
    )
    const params = { id }
    await expectCode(app.call(finishUpload, { as: teacher, params }), 'upload_incomplete')
    let { received } = await app.call(getUpload, { as: teacher, params })
    while (received < pdf.length) received = await send(received, received + 700)
    await expect(send(pdf.length, pdf.length + 1)).resolves.toBe(pdf.length)
    expect(await app.call(finishUpload, { as: teacher, params })).toMatchObject({ pageCount: 20 })
    const stored = await app.row('uploads', id)
    expect(await app.deps.files.sizeOf(stored.storageKey ?? '')).toBe(pdf.length)
    await app.call(cancelUpload, { as: teacher, params })
  })

  test('is nobody else’s', async () => {
    const as = await app.anOfficeTeacher()
    const { id } = await sendFile(app, teacher, aPdf('x', 1))
    const params = { id }
    const part = { params, query: { offset: 0 }, body: new Uint8Array(1) }
    for (const call of [getUpload, finishUpload, cancelUpload]) {
      await expectCode(app.call(call, { as, params }), 'upload_not_found')
    }
    await expectCode(app.call(sendPart, { as, ...part }), 'upload_not_found')
    await app.call(cancelUpload, { as: teacher, params })
  })

  test('is limited in size and in number', async () => {
    const greedy = await app.anOfficeTeacher()
    const open = (size: number, purpose: 'document' | 'cover' = 'document') =>
      app.call(openUpload, { as: greedy, body: { name: 'x', size, purpose } })
    await expectCode(open(0), 'file_empty')
    await expectCode(open(UPLOAD_MAX_BYTES.document + 1), 'file_too_large')
    await expectCode(open(UPLOAD_MAX_BYTES.cover + 1, 'cover'), 'file_too_large')
    const { id } = await open(10)
    const part = { params: { id }, query: { offset: 0 }, body: new Uint8Array(11) }
    await expectCode(app.call(sendPart, { as: greedy, ...part }), 'file_too_large')
    const outcomes = await Promise.allSettled(
      Array.from({ length: UPLOADS_OPEN_MAX + 4 }, () => open(1)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(
      UPLOADS_OPEN_MAX - 1,
    )
    const wide = await app.anOfficeTeacher()
    const body = { name: 'x', size: UPLOAD_MAX_BYTES.document, purpose: 'document' as const }
    const fit = Math.floor(UPLOADS_OPEN_MAX_BYTES / body.size)
    for (let at = 0; at < fit; at++) await app.call(openUpload, { as: wide, body })
    await expectCode(app.call(openUpload, { as: wide, body }), 'too_many_uploads')
  })
})

describe('an account', () => {
  test('sends a file in no more parts than a slow connection needs', async () => {
    const body = { name: 'x', size: 1000, purpose: 'document' as const }
    const { id } = await app.call(openUpload, { as: teacher, body })
    const params = { id }
    const send = (offset: number) =>
      app.call(sendPart, { as: teacher, params, query: { offset }, body: new Uint8Array(1) })
    const most = uploadPartsMax(body.size)
    for (let offset = 0; offset < most; offset++) await send(offset)
    await expectCode(send(most), 'too_many_parts')
    expect(await app.call(getUpload, { as: teacher, params })).toMatchObject({ received: most })
    await app.call(cancelUpload, { as: teacher, params })
  })

  test('opens a limited number of uploads per day, whatever becomes of them', async () => {
    const busy = await app.anOfficeTeacher()
    const body = { name: 'x', size: 1, purpose: 'cover' as const }
    for (let at = 0; at < UPLOADS_PER_DAY; at++) {
      const { id } = await app.call(openUpload, { as: busy, body })
      await app.call(cancelUpload, { as: busy, params: { id } })
    }
    await expectCode(app.call(openUpload, { as: busy, body }), 'too_many_uploads_today')
    const { id } = await app.call(openUpload, { as: teacher, body })
    await app.call(cancelUpload, { as: teacher, params: { id } })
  })
})

describe('a document that only has words about scripts', () => {
  const words = ['a link to a page about scripts', 'a title about scripts', 'packed links']
  test.for(words)('%s', async (name) => {
    const [, bytes] = TRICKY[name] ?? expect.unreachable()
    const { id, pageCount } = await upload(app, teacher, bytes())
    expect(pageCount).toBe(1)
    await app.call(cancelUpload, { as: teacher, params: { id } })
  })
})

describe('a file that is not a document', () => {
  test.for(Object.entries(BAD_PDFS))('%s', { timeout: 60_000 }, async ([_, { code, bytes }]) => {
    const before = await filesOnDisk(app)
    await expect(upload(app, teacher, bytes(), { part: 1024 * 1024 })).rejects.toMatchObject({
      code,
    })
    expect(await filesOnDisk(app)).toEqual(before)
    expect(await app.call(listUploads, { as: teacher })).toEqual([])
  })

  test('and the next one is checked all the same', async () => {
    const { id, pageCount } = await upload(app, teacher, aPdf('x', 2))
    expect(pageCount).toBe(2)
    await app.call(cancelUpload, { as: teacher, params: { id } })
  })
})

test('an unused upload is deleted after a day, and not before', async () => {
  await app.aDocument({ file: aPdf('kept', 1), cover: await aPicture('#2b62b8') })
  app.travel(2 * DAY_MS)
  await cleanUpFiles(app.deps)
  const before = await filesOnDisk(app)
  expect(before.length).toBe(2)
  const late = await app.anOfficeTeacher()
  await upload(app, late, aPdf('nobody’s', 3))
  await upload(app, late, await aPicture('#c04a75'), { purpose: 'cover' })
  await sendFile(app, late, aPdf('half', 3))
  await cleanUpFiles(app.deps)
  expect((await filesOnDisk(app)).length).toBeGreaterThan(before.length)
  app.travel(DAY_MS + 60_000)
  await Promise.all([cleanUpFiles(app.deps), cleanUpFiles(app.deps)])
  expect((await filesOnDisk(app)).sort()).toEqual(before.sort())
})
