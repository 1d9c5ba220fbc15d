import type { FastifyReply } from 'fastify'
import { type Kysely, sql } from 'kysely'
import * as calls from '../../contract/office-transfers.ts'
import * as contract from '../../contract/receipt-photos.ts'
import { RECEIPT_PHOTOS_MAX } from '../../rules/receipt-photos.ts'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import {
  cancelUpload,
  findUpload,
  finish,
  openUpload,
  receivePart,
  takeUpload,
  type UploadOf,
  type UploadRow,
} from '../uploads/uploads.ts'

/**
 * Photos of receipts. A photo has no owner of its own: it belongs to its payment, and so to the payer
 * that this has now. Its file is deleted by the clean-up of files, once no photo refers to it.
 */
export const receiptPhotoRoutes: Route[] = [
  route(contract.listReceiptPhotos, async ({ input, user, deps }) => {
    const { kysely } = deps.database
    const payment = await ownTransfer(kysely, user.id, input.query.paymentRef)
    return { photos: await photosOf(kysely, payment.id), isWaiting: payment.status === 'pending' }
  }),
  route(contract.getReceiptPhoto, async ({ input, user, deps, reply }) =>
    sendPhoto(deps, reply, await ownPhoto(deps.database.kysely, user.id, input.params.id)),
  ),
  route(contract.openReceiptUpload, async ({ input, user, deps, limits }) => {
    const { paymentRef, size } = input.body
    const payment = await ownTransfer(deps.database.kysely, user.id, paymentRef)
    await requireRoom(deps.database.kysely, payment)
    limits.bound('receiptUpload', user.id)
    const announced = { userId: user.id, name: '', size, purpose: 'receipt' } as const
    return presentUpload(await openUpload(deps, announced))
  }),
  route(contract.getReceiptUpload, async ({ input, user, deps }) => {
    const of = ofReceipt(input.params.id, user)
    return presentUpload(await findUpload(deps.database.kysely, of, deps.now()))
  }),
  route(contract.sendReceiptPart, async ({ input, user, deps }) => {
    const of = ofReceipt(input.params.id, user)
    const part = { offset: input.query.offset, bytes: input.body }
    return presentUpload(await receivePart(deps, of, part))
  }),
  route(contract.cancelReceiptUpload, ({ input, user, deps }) =>
    cancelUpload(deps, ofReceipt(input.params.id, user)),
  ),
  route(contract.addReceiptPhoto, ({ input, user, deps }) => {
    const { paymentRef, uploadId } = input.body
    return addPhoto(deps, paymentRef, ofReceipt(uploadId, user))
  }),
  route(contract.removeReceiptPhoto, async ({ input, user, deps }) => {
    await transaction(deps.database, async (tx) => {
      const { id, paymentId } = await ownPhoto(tx, user.id, input.params.id)
      await lockWaiting(tx, paymentId)
      await tx.deleteFrom('receiptPhotos').where('id', '=', id).execute()
    })
  }),

  route(calls.listTransferPhotos, async ({ input, deps }) => {
    const { kysely } = deps.database
    const payment = await transferOf(kysely, input.params.paymentRef).executeTakeFirst()
    if (!payment) throw fault('payment_not_found')
    return photosOf(kysely, payment.id)
  }),
  route(calls.getTransferPhoto, async ({ input, deps, reply }) => {
    const photo = await photoOf(deps.database.kysely, input.params.id).executeTakeFirst()
    if (!photo) throw fault('photo_not_found')
    return sendPhoto(deps, reply, photo)
  }),
]

/** Uploads of the office ask for its log-in: these calls reach none of them. */
const ofReceipt = (id: string, { id: userId }: { id: number }) =>
  ({ id, userId, purpose: 'receipt' }) as const

const presentUpload = ({ id, size, received }: UploadRow) => ({ id, size, received })

const transferOf = (db: Kysely<Schema>, reference: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'status'])
    .where('reference', '=', reference)
    .where('provider', '=', 'manual')

type Transfer = Awaited<ReturnType<typeof ownTransfer>>

/** A transfer or D17 payment of this account; throws `payment_not_found`. */
async function ownTransfer(db: Kysely<Schema>, userId: number, reference: string) {
  const payment = await transferOf(db, reference).where('userId', '=', userId).executeTakeFirst()
  if (!payment) throw fault('payment_not_found')
  return payment
}

const photoOf = (db: Kysely<Schema>, id: number) =>
  db.selectFrom('receiptPhotos').selectAll('receiptPhotos').where('receiptPhotos.id', '=', id)

async function ownPhoto(db: Kysely<Schema>, userId: number, id: number) {
  const photo = await photoOf(db, id)
    .innerJoin('payments', 'payments.id', 'receiptPhotos.paymentId')
    .where('payments.userId', '=', userId)
    .executeTakeFirst()
  if (!photo) throw fault('photo_not_found')
  return photo
}

const PRESENTED = ['id', 'width', 'height', 'addedAt'] as const

async function photosOf(db: Kysely<Schema>, paymentId: number): Promise<contract.ReceiptPhoto[]> {
  const photos = await db
    .selectFrom('receiptPhotos')
    .select(PRESENTED)
    .where('paymentId', '=', paymentId)
    .orderBy('id')
    .execute()
  return photos.map(present)
}

const present = (photo: Omit<contract.ReceiptPhoto, 'addedAt'> & { addedAt: Date }) => ({
  ...photo,
  addedAt: photo.addedAt.toISOString(),
})

/** Throws `payment_ended` or `photos_full`. */
async function requireRoom(db: Kysely<Schema>, { id, status }: Transfer): Promise<void> {
  if (status !== 'pending') throw fault('payment_ended')
  if ((await photosOf(db, id)).length >= RECEIPT_PHOTOS_MAX) throw fault('photos_full')
}

/** Locks a payment, so that it waits, and takes no other photo, until the transaction ends. */
async function lockWaiting(tx: Kysely<Schema>, paymentId: number): Promise<void> {
  const { rows } = await sql<{ status: string }>`
    SELECT status FROM payments WHERE id = ${paymentId} FOR NO KEY UPDATE`.execute(tx)
  if (rows[0]?.status !== 'pending') throw fault('payment_ended')
}

async function addPhoto(
  deps: Deps,
  paymentRef: string,
  upload: UploadOf,
): Promise<contract.ReceiptPhoto> {
  const { kysely } = deps.database
  const payment = await ownTransfer(kysely, upload.userId, paymentRef)
  const added = await addedBefore(kysely, payment, upload)
  if (added) return added
  await requireRoom(kysely, payment)
  await finish(deps, upload)
  return await transaction(deps.database, async (tx) => {
    await lockWaiting(tx, payment.id)
    const added = await addedBefore(tx, payment, upload)
    if (added) return added
    await requireRoom(tx, payment)
    const { key, size, width, height } = await takeUpload(tx, upload, 'receipt', deps.now())
    const photo = await tx
      .insertInto('receiptPhotos')
      .values({
        paymentId: payment.id,
        uploadId: upload.id,
        storageKey: key,
        size,
        width: width ?? 0,
        height: height ?? 0,
        addedAt: new Date(deps.now()),
      })
      .returning(PRESENTED)
      .executeTakeFirstOrThrow()
    return present(photo)
  })
}

/** The photo that an earlier call, whose answer was lost, has added. */
async function addedBefore(db: Kysely<Schema>, payment: Transfer, { id }: UploadOf) {
  const photo = await db
    .selectFrom('receiptPhotos')
    .select(PRESENTED)
    .where('paymentId', '=', payment.id)
    .where('uploadId', '=', id)
    .executeTakeFirst()
  return photo && present(photo)
}

async function sendPhoto(
  { files }: Deps,
  reply: FastifyReply,
  { storageKey, size }: { storageKey: string; size: number },
): Promise<FastifyReply> {
  const picture = await files.read(storageKey)
  if (!picture) throw fault('file_missing')
  return reply
    .headers({
      'content-type': 'image/webp',
      'content-length': size,
      'content-disposition': 'inline; filename="receipt.webp"',
      'cache-control': 'private, no-store',
    })
    .send(picture)
}
