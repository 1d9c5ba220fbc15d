// @one-database: it is about files.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import * as transfers from '../../../src/contract/office-transfers.ts'
import * as photos from '../../../src/contract/receipt-photos.ts'
import { getUpload, openUpload } from '../../../src/contract/uploads.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import {
  RECEIPT_PHOTO_MAX_BYTES,
  RECEIPT_PHOTO_SIDE,
  RECEIPT_PHOTOS_MAX,
  RECEIPT_UPLOADS_OPEN_MAX,
  RECEIPT_UPLOADS_PER_DAY,
} from '../../../src/rules/receipt-photos.ts'
import { RETENTION } from '../../../src/rules/retention.ts'
import { UPLOAD_MAX_BYTES } from '../../../src/rules/uploads.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { BY_COMMAND } from '../../../src/server/money/money.ts'
import { mergeAccounts } from '../../../src/server/people/people.ts'
import { cleanUpFiles } from '../../../src/server/uploads/uploads.ts'
import { aTransfer, decide } from '../../support/admin/payments.ts'
import { testApp } from '../../support/app.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { anOrder, aPayment, soundApp } from '../../support/payments.ts'
import { aPdf } from '../../support/pdf.ts'
import type { Person } from '../../support/people.ts'
import { aPicture } from '../../support/picture.ts'
import { addReceipt, sendReceipt } from '../../support/receipt-photos.ts'
import { expectCode } from '../../support/refusals.ts'
import { filesOnDisk } from '../../support/uploads.ts'
import { officeOutput } from '../backup/support.ts'

const app = await soundApp()
const admin = await app.anOfficeAdministrator()
const slip = await aPicture('#fff', 300, 400)

const listed = (as: Person, paymentRef: string) =>
  app.call(photos.listReceiptPhotos, { as, query: { paymentRef } })
const idsOf = async (as: Person, paymentRef: string) =>
  (await listed(as, paymentRef)).photos.map(({ id }) => id)
const remove = (as: Person, id: number) =>
  app.call(photos.removeReceiptPhoto, { as, params: { id } })
const OWN = '/receipt-photos'
const OFFICE = '/office/admin/receipt-photos'
const picture = (as: Person | null, id: number, under = OWN) =>
  fetch(`${app.url}/api${under}/${id}/picture`, {
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
  })

/** A buyer with a payment that waits. */
async function aPayer() {
  const payer = await app.aCustomer()
  return { payer, paymentRef: await aTransfer(app, payer) }
}

describe('the photo of a receipt', () => {
  test('is added to a D17 payment and to a transfer, and is beside them in the office', async () => {
    const { payer, paymentRef } = await aPayer()
    const photo = await addReceipt(app, payer, paymentRef, slip)
    expect(photo).toMatchObject({ width: 300, height: 400 })
    expect(await listed(payer, paymentRef)).toEqual({ photos: [photo], isWaiting: true })

    const { id } = await anOrder(app, payer, await app.documentsAt(20))
    const { paymentRef: ofOrder } = await aPayment(app, payer, id, { method: 'bank_transfer' })
    await addReceipt(app, payer, ofOrder, slip)
    const { content } = await app.call(transfers.listTransfers, {
      as: admin,
      query: { q: paymentRef },
    })
    expect(content).toMatchObject([{ paymentRef, photos: 1 }])
    const params = { paymentRef }
    expect(await app.call(transfers.listTransferPhotos, { as: admin, params })).toEqual([photo])

    for (const answer of [await picture(payer, photo.id), await picture(admin, photo.id, OFFICE)]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-disposition': 'inline; filename="receipt.webp"',
      })
      const drawn = await sharp(await answer.arrayBuffer()).metadata()
      expect([drawn.format, drawn.width, drawn.height]).toEqual(['webp', 300, 400])
    }
  })

  test('is stored upright, small and without its place, from a phone of 40 megapixels', async () => {
    const { payer, paymentRef } = await aPayer()
    const still = await sharp({
      create: { width: 7296, height: 5472, channels: 3, background: '#eee' },
    })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD3: { GPSLatitude: '36/1 48/1 0/1', GPSLatitudeRef: 'N' } })
      .toBuffer()
    const taken = Buffer.concat([still, Buffer.alloc(UPLOAD_MAX_BYTES.receipt - still.length)])
    const photo = await addReceipt(app, payer, paymentRef, taken)
    expect([photo.width, photo.height]).toEqual([1800, RECEIPT_PHOTO_SIDE])
    const stored = await sharp(await (await picture(payer, photo.id)).arrayBuffer()).metadata()
    expect([stored.exif, stored.xmp, stored.orientation]).toEqual([undefined, undefined, undefined])
    expect(stored.size).toBeLessThanOrEqual(RECEIPT_PHOTO_MAX_BYTES)
  })

  test('is small whatever it shows, even noise', async () => {
    const { payer, paymentRef } = await aPayer()
    const raw = { width: 1500, height: 2400, channels: 3 as const }
    const noise = await sharp(randomBytes(1500 * 2400 * 3), { raw })
      .jpeg({ quality: 90 })
      .toBuffer()
    const { id } = await addReceipt(app, payer, paymentRef, noise)
    const bytes = await (await picture(payer, id)).arrayBuffer()
    expect(bytes.byteLength).toBeLessThanOrEqual(RECEIPT_PHOTO_MAX_BYTES)
  })

  test.each([
    ['nothing', 'file_empty', () => Buffer.alloc(0)],
    ['too many bytes', 'photo_too_large', () => Buffer.alloc(UPLOAD_MAX_BYTES.receipt + 1)],
    ['an SVG', 'not_a_picture', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PDF', 'not_a_picture', () => aPdf('x', 1)],
    ['a photo of an iPhone', 'heic_picture', () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heic')],
    [
      'too many pixels',
      'picture_too_large',
      () =>
        sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
    ],
  ] as const)('is refused, and nothing of it stays: %s', async (_, code, bytes) => {
    const { payer, paymentRef } = await aPayer()
    const before = await filesOnDisk(app)
    await expectCode(addReceipt(app, payer, paymentRef, await bytes()), code)
    expect(await filesOnDisk(app)).toEqual(before)
    expect(await idsOf(payer, paymentRef)).toEqual([])
  })

  test('is nobody else’s, and no other page of the office has it', async () => {
    const { payer, paymentRef } = await aPayer()
    const { id } = await addReceipt(app, payer, paymentRef, slip)
    const uploadId = await sendReceipt(app, payer, paymentRef, slip)
    const other = await aPayer()
    const as = other.payer
    await expectCode(listed(as, paymentRef), 'payment_not_found')
    await expectCode(remove(as, id), 'photo_not_found')
    await expectCode(sendReceipt(app, as, paymentRef, slip), 'payment_not_found')
    // Neither into their own payment, nor into that of its owner.
    for (const into of [paymentRef, other.paymentRef]) {
      const body = { paymentRef: into, uploadId }
      await expect(app.call(photos.addReceiptPhoto, { as, body })).rejects.toMatchObject({
        status: 404,
      })
    }
    const params = { id: uploadId }
    await expectCode(app.call(photos.getReceiptUpload, { as, params }), 'upload_not_found')
    await expectCode(app.call(photos.cancelReceiptUpload, { as, params }), 'upload_not_found')
    const teacher = await app.anOfficeTeacher()
    const asked = [
      await picture(null, id),
      await picture(as, id),
      await picture(teacher, id),
      await picture(admin, id),
      await picture(null, id, OFFICE),
      await picture(payer, id, OFFICE),
      await picture(teacher, id, OFFICE),
    ]
    expect(asked.map(({ status }) => status)).toEqual([401, 404, 404, 404, 401, 401, 403])
    const list = { params: { paymentRef } }
    await expectCode(app.call(transfers.listTransferPhotos, { as: teacher, ...list }), 'wrong_role')
    expect(await idsOf(payer, paymentRef)).toEqual([id])
  })

  test('is one of three: the fourth is refused, also of two that arrive at once', async () => {
    const { payer, paymentRef } = await aPayer()
    for (let at = 1; at < RECEIPT_PHOTOS_MAX; at++) {
      await addReceipt(app, payer, paymentRef, await aPicture('#fff', 300 + at))
    }
    const both = [
      await sendReceipt(app, payer, paymentRef, slip),
      await sendReceipt(app, payer, paymentRef, slip),
    ]
    const added = await Promise.allSettled(
      both.map((uploadId) =>
        app.call(photos.addReceiptPhoto, { as: payer, body: { paymentRef, uploadId } }),
      ),
    )
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expectCode(sendReceipt(app, payer, paymentRef, slip), 'photos_full')
    const ids = await idsOf(payer, paymentRef)
    expect(ids).toHaveLength(RECEIPT_PHOTOS_MAX)
    await remove(payer, ids[0] ?? 0)
    await addReceipt(app, payer, paymentRef, slip)
  })

  test('is added once by a call that is repeated, and gone on with where a line was cut', async () => {
    const { payer, paymentRef } = await aPayer()
    const { id } = await app.call(photos.openReceiptUpload, {
      as: payer,
      body: { paymentRef, size: slip.length },
    })
    const send = async (from: number, to: number) => {
      const part = { query: { offset: from }, body: new Uint8Array(slip.subarray(from, to)) }
      const input = { as: payer, params: { id }, ...part }
      return (await app.call(photos.sendReceiptPart, input)).received
    }
    expect(await send(0, 500)).toBe(500)
    expect(await send(0, 500)).toBe(500)
    const body = { paymentRef, uploadId: id }
    const add = () => app.call(photos.addReceiptPhoto, { as: payer, body })
    await expectCode(add(), 'upload_incomplete')
    const params = { id }
    expect(await app.call(photos.getReceiptUpload, { as: payer, params })).toMatchObject({
      received: 500,
      size: slip.length,
    })
    await send(500, slip.length)
    const photo = await add()
    expect(await add()).toEqual(photo)
    expect(await idsOf(payer, paymentRef)).toEqual([photo.id])
  })

  test('left unsent makes room for the next; only so many are sent in a day', async () => {
    const { payer, paymentRef } = await aPayer()
    const body = { paymentRef, size: 100 }
    const open = () => app.call(photos.openReceiptUpload, { as: payer, body })
    const opened = []
    for (let at = 0; at < RECEIPT_UPLOADS_PER_DAY; at++) {
      opened.push((await open()).id)
      app.travel(1)
    }
    await expectCode(open(), 'too_many_photos_today')
    const rows = await app.kysely
      .selectFrom('uploads')
      .select('id')
      .where('userId', '=', payer.id)
      .execute()
    expect(rows.map(({ id }) => id).toSorted()).toEqual(
      opened.slice(-RECEIPT_UPLOADS_OPEN_MAX).toSorted(),
    )
  })

  test('is begun so often from one address, by whatever accounts', async () => {
    const receiptUploadsOfAddress = { max: 2, windowMs: DAY_MS }
    const few = await testApp({ allowances: { ...ALLOWANCES, receiptUploadsOfAddress } })
    const begin = async (address: string) => {
      const payer = await few.aCustomer()
      const paymentRef = await aTransfer(few, payer)
      const answer = await few.request('POST', '/api/receipt-photos/uploads', {
        headers: { 'x-forwarded-for': address, authorization: `Bearer ${payer.token}` },
        body: { paymentRef, size: 100 },
      })
      return answer.status
    }
    expect(await begin('203.0.113.7')).toBe(200)
    expect(await begin('203.0.113.7')).toBe(200)
    expect(await begin('203.0.113.7')).toBe(429)
    expect(await begin('203.0.113.8')).toBe(200)
  })

  test('is neither added nor removed once the payment has ended, and still seen', async () => {
    const { payer, paymentRef } = await aPayer()
    const { id } = await addReceipt(app, payer, paymentRef, slip)
    const uploadId = await sendReceipt(app, payer, paymentRef, slip)
    await decide(app, admin, paymentRef)
    const body = { paymentRef, uploadId }
    await expectCode(app.call(photos.addReceiptPhoto, { as: payer, body }), 'payment_ended')
    await expectCode(sendReceipt(app, payer, paymentRef, slip), 'payment_ended')
    await expectCode(remove(payer, id), 'payment_ended')
    expect(await listed(payer, paymentRef)).toMatchObject({ photos: [{ id }], isWaiting: false })
    expect((await picture(admin, id, OFFICE)).status).toBe(200)
  })

  test('moves with its payment when accounts are merged', async () => {
    const { payer, paymentRef } = await aPayer()
    const { id } = await addReceipt(app, payer, paymentRef, slip)
    const kept = await app.aCustomer()
    const merge = { fromId: payer.id, intoId: kept.id, reason: 'family' }
    await mergeAccounts(app.deps, merge, BY_COMMAND)
    expect(await idsOf(kept, paymentRef)).toEqual([id])
    expect((await picture(kept, id)).status).toBe(200)
  })

  test('takes no purpose of staff, nor staff its own', async () => {
    const teacher = await app.anOfficeTeacher()
    const body = { name: 'x', size: 1, purpose: 'receipt' as never }
    await expectCode(app.call(openUpload, { as: teacher, body }), 'invalid_input')
    const file = { name: 'x.pdf', size: 10, purpose: 'document' as const }
    const { id } = await app.call(openUpload, { as: teacher, body: file })
    const input = { as: teacher, params: { id } }
    const part = { query: { offset: 0 }, body: new Uint8Array(10) }
    await expectCode(app.call(photos.getReceiptUpload, input), 'upload_not_found')
    await expectCode(app.call(photos.sendReceiptPart, { ...input, ...part }), 'upload_not_found')
    await expectCode(app.call(photos.cancelReceiptUpload, input), 'upload_not_found')
    expect((await app.call(getUpload, input)).received).toBe(0)
  })
})

describe('the file of a photo', () => {
  const keyOf = async (id: number) => (await app.row('receiptPhotos', id)).storageKey
  const isThere = async (key: string) => (await app.deps.files.sizeOf(key)) !== null

  test('stays as long as any photo has it, and goes with the last one', async () => {
    const [one, two] = [await aPayer(), await aPayer()]
    const first = await addReceipt(app, one.payer, one.paymentRef, slip)
    const second = await addReceipt(app, two.payer, two.paymentRef, slip)
    const key = await keyOf(first.id)
    expect(await keyOf(second.id)).toBe(key)
    await remove(one.payer, first.id)
    const late = { ...app.deps, now: () => Date.now() + 2 * DAY_MS }
    await cleanUpFiles(late)
    expect(await isThere(key)).toBe(true)
    await remove(two.payer, second.id)
    await app.kysely.deleteFrom('receiptPhotos').where('storageKey', '=', key).execute()
    await cleanUpFiles(late)
    expect(await isThere(key)).toBe(false)
  })

  test('is in a backup, which names it where it is lost', async () => {
    const { payer, paymentRef } = await aPayer()
    const { id } = await addReceipt(app, payer, paymentRef, await aPicture('#fff', 310, 400))
    const key = await keyOf(id)
    const missing = async (name: string): Promise<string[]> => {
      const { dataDir } = app.deps.config
      const env = { DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir }
      const path = join(temporaryDirectory(), name)
      return JSON.parse(await officeOutput(['backup', path, '--json'], env)).missing
    }
    expect(await missing('whole.karras')).not.toContain(key)
    await app.deps.files.remove(key)
    expect(await missing('lacking.karras')).toContain(key)
  })

  test('goes 90 days after its payment has ended: confirmed, refused or expired; never before', async () => {
    const ends = {
      paid: async (ref: string) => void (await decide(app, admin, ref)),
      refused: async (ref: string) =>
        void (await decide(app, admin, ref, transfers.refuseTransfer)),
      expired: async (ref: string) =>
        void (await app.kysely
          .updateTable('payments')
          .set({ status: 'expired', expiresAt: new Date(app.deps.now()) })
          .where('reference', '=', ref)
          .execute()),
      waiting: async () => {},
    }
    const ids: Record<string, number> = {}
    for (const [name, end] of Object.entries(ends)) {
      const { payer, paymentRef } = await aPayer()
      ids[name] = (await addReceipt(app, payer, paymentRef, slip)).id
      await end(paymentRef)
    }
    const left = async () => {
      const rows = await app.kysely
        .selectFrom('receiptPhotos')
        .select('id')
        .where('id', 'in', Object.values(ids))
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    }
    const at = (ms: number) => ({ ...app.deps, now: () => app.deps.now() + ms })
    expect(RETENTION.receiptPhotos).toBe(90 * DAY_MS)
    await cleanUp(at(90 * DAY_MS - 60_000))
    expect(await left()).toEqual(Object.values(ids))
    await cleanUp(at(90 * DAY_MS + 60_000))
    expect(await left()).toEqual([ids.waiting])
  })
})
