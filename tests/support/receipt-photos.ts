import * as photos from '../../src/contract/receipt-photos.ts'
import { UPLOAD_PART_MAX_BYTES } from '../../src/rules/uploads.ts'
import { RefusedCall, type TestApp } from './app.ts'
import type { Person } from './people.ts'

/** Sends a photo completely, part by part; it is not checked yet. Returns its upload's id. */
export async function sendReceipt(
  app: TestApp,
  as: Person,
  paymentRef: string,
  bytes: Uint8Array,
): Promise<string> {
  const body = { paymentRef, size: bytes.length }
  let upload = await app.call(photos.openReceiptUpload, { as, body })
  while (upload.received < bytes.length) {
    const { id, received: offset } = upload
    const part = new Uint8Array(bytes.subarray(offset, offset + UPLOAD_PART_MAX_BYTES))
    upload = await app.call(photos.sendReceiptPart, {
      as,
      params: { id },
      query: { offset },
      body: part,
    })
  }
  return upload.id
}

/** Adds a photo to a payment; comes back while a busy machine still checks it, as the page does. */
export async function addReceipt(
  app: TestApp,
  as: Person,
  paymentRef: string,
  bytes: Uint8Array,
): Promise<photos.ReceiptPhoto> {
  const uploadId = await sendReceipt(app, as, paymentRef, bytes)
  for (;;) {
    try {
      return await app.call(photos.addReceiptPhoto, { as, body: { paymentRef, uploadId } })
    } catch (error) {
      if (!(error instanceof RefusedCall) || error.code !== 'unavailable') throw error
    }
  }
}
