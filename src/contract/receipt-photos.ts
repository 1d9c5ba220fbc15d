import * as s from 'superstruct'
import { UPLOAD_MAX_BYTES } from '../rules/uploads.ts'
import { defineCall } from './call.ts'
import { byId, id, moment, nothing, paymentReference, uploadId, whole } from './values.ts'

// Photos of receipts: customers add them to their transfers and D17 payments that wait, and
// administrators alone see them beside these.

/** A photo as it is stored: drawn again, upright, as WebP. */
export const ReceiptPhoto = s.type({
  id: id(),
  /** In pixels. */
  width: s.number(),
  height: s.number(),
  addedAt: moment(),
})
export type ReceiptPhoto = s.Infer<typeof ReceiptPhoto>

/** A photo that is being sent. */
export const ReceiptUpload = s.type({
  id: uploadId(),
  /** The total size in bytes. */
  size: s.number(),
  /** The number of bytes that have arrived: the next part begins here. */
  received: s.number(),
})
export type ReceiptUpload = s.Infer<typeof ReceiptUpload>

/** The photos of one of the caller's own payments, in the order in which they were added. */
export const listReceiptPhotos = defineCall('GET /receipt-photos', 'user', {
  feature: 'photos',
  query: s.object({ paymentRef: paymentReference() }),
  result: s.type({
    photos: s.array(ReceiptPhoto),
    /** Whether the payment waits, so that photos may be added and removed. */
    isWaiting: s.boolean(),
  }),
  errors: ['payment_not_found'],
})

/** The picture of one of the caller's own photos, as WebP. */
export const getReceiptPhoto = defineCall('GET /receipt-photos/:id/picture', 'user', {
  feature: 'photos',
  params: byId,
  answers: 'file',
  result: nothing(),
  errors: ['photo_not_found', 'file_missing'],
})

/** Announces a photo of `size` bytes for one of the caller's payments that waits. */
export const openReceiptUpload = defineCall('POST /receipt-photos/uploads', 'user', {
  feature: 'photos',
  body: s.object({ paymentRef: paymentReference(), size: whole(0, 999_999_999) }),
  result: ReceiptUpload,
  errors: [
    'payment_not_found',
    'payment_ended',
    'photos_full',
    'file_empty',
    'photo_too_large',
    'too_many_photos_today',
  ],
})

const ofUpload = s.object({ id: uploadId() })

/** The state of an upload. */
export const getReceiptUpload = defineCall('GET /receipt-photos/uploads/:id', 'user', {
  feature: 'photos',
  params: ofUpload,
  result: ReceiptUpload,
  errors: ['upload_not_found'],
})

/** Sends a part, as `sendPart` of the office does. */
export const sendReceiptPart = defineCall('PUT /receipt-photos/uploads/:id/part', 'user', {
  feature: 'photos',
  takes: 'bytes',
  params: ofUpload,
  query: s.object({ offset: whole(0, UPLOAD_MAX_BYTES.receipt) }),
  body: s.instance(Uint8Array),
  result: ReceiptUpload,
  errors: ['upload_not_found', 'file_too_large', 'too_many_parts'],
})

/** Gives up an upload. */
export const cancelReceiptUpload = defineCall('DELETE /receipt-photos/uploads/:id', 'user', {
  feature: 'photos',
  params: ofUpload,
  result: nothing(),
  errors: ['upload_not_found'],
})

/**
 * Checks a photo that has arrived, draws it again and adds it to the payment; a repeated call
 * returns the same photo. A refused file is deleted at once.
 */
export const addReceiptPhoto = defineCall('POST /receipt-photos', 'user', {
  feature: 'photos',
  body: s.object({ paymentRef: paymentReference(), uploadId: uploadId() }),
  result: ReceiptPhoto,
  errors: [
    'payment_not_found',
    'payment_ended',
    'photos_full',
    'upload_not_found',
    'upload_incomplete',
    'not_a_picture',
    'heic_picture',
    'picture_too_large',
  ],
})

/** Removes one of the caller's photos while its payment waits. */
export const removeReceiptPhoto = defineCall('DELETE /receipt-photos/:id', 'user', {
  feature: 'photos',
  params: byId,
  result: nothing(),
  errors: ['photo_not_found', 'payment_ended'],
})
