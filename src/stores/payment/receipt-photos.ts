import { atom, readonlyType } from 'nanostores'
import type { Result } from '../../contract/call.ts'
import * as photos from '../../contract/receipt-photos.ts'
import { createLoader } from '../session/loader.ts'
// The contract is imported here, not by `client/shop.ts`, which every page loads that calls the server.
import { ask } from '../shared/backend.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { createSending } from '../shared/upload.ts'

export type { ReceiptPhoto } from '../../contract/receipt-photos.ts'

/** What the page knows of the photos of one payment. */
export function createReceiptPhotos(paymentRef: string) {
  const { $state, load, refresh } =
    createLoader<Result<typeof photos.listReceiptPhotos>>('photos of the receipt')
  const $removing = atom<number | Problem | null>(null)
  const read = () => ask(() => photos.listReceiptPhotos, { query: { paymentRef } })

  return {
    $photos: $state,
    load: () => load(read),
    upload: createSending({
      what: 'a photo of the receipt',
      noRemarks: {},
      async onDone(uploadId) {
        await ask(() => photos.addReceiptPhoto, { body: { paymentRef, uploadId } })
        await refresh(read)
      },
      server: {
        open: ({ size }, signal) =>
          ask(() => photos.openReceiptUpload, { body: { paymentRef, size } }, { signal }),
        read: (id, signal) => ask(() => photos.getReceiptUpload, { params: { id } }, { signal }),
        send: (id, { offset, bytes }, signal) => {
          const input = { params: { id }, query: { offset }, body: bytes }
          return ask(() => photos.sendReceiptPart, input, { signal })
        },
        cancel: (id) => ask(() => photos.cancelReceiptUpload, { params: { id } }),
      },
    }),
    /** The photo that is being removed; a problem stays until the next try. */
    $removing: readonlyType($removing),
    /** Removes a photo; returns whether it is gone. */
    async remove(id: number): Promise<boolean> {
      if (typeof $removing.get() === 'number') return false
      $removing.set(id)
      try {
        await ask(() => photos.removeReceiptPhoto, { params: { id } })
        $removing.set(null)
      } catch (error) {
        $removing.set(problemOf(error))
        return false
      } finally {
        await refresh(read)
      }
      return true
    },
  }
}

/** The picture of a photo. Throws an `ApiError`. */
export const readReceiptPhoto = async (id: number): Promise<Blob> =>
  (await ask(() => photos.getReceiptPhoto, { params: { id } })) as Blob
