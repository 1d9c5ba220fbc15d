import { beforeEach, describe, expect, test } from 'vitest'
import { type ApiRequest, createApi } from '../../src/client/api.ts'
import { aToken, emptyBrowser, openPage, storage } from './browser.ts'
import { fakeShop, refusal } from './fake-shop.ts'

const UPLOAD = '0d9cbb9e-7f4b-4f0e-8f55-2a3f1f7f0a11'
const PHOTO = { id: 3, width: 300, height: 400, addedAt: '2026-11-29T09:00:00.000Z' }

/** The page of a payment; `onAdd` answers in place of the server, which has then added the photo. */
async function aPage(onAdd: (times: number) => 'lost' | 'incomplete' | 'added') {
  const { backend } = await openPage(fakeShop())
  const calls: string[] = []
  let received = 0
  let times = 0
  const upload = () => ({ status: 200, body: { id: UPLOAD, size: 1000, received } })
  backend.connectTo(
    createApi(async ({ method, path, bytes }: ApiRequest) => {
      const [of = ''] = path.split('?')
      calls.push(`${method} ${of.replace(UPLOAD, ':id')}`)
      if (of.endsWith('/part')) received += bytes?.length ?? 0
      if (of !== '/receipt-photos') return upload()
      if (method === 'GET') return { status: 200, body: { photos: [PHOTO], isWaiting: true } }
      const answer = onAdd(++times)
      if (answer === 'lost') return { status: 0, body: null }
      if (answer === 'added') return { status: 200, body: PHOTO }
      received = 0
      return refusal('upload_incomplete')
    }),
  )
  const { createReceiptPhotos } = await import('../../src/stores/payment/receipt-photos.ts')
  const photos = createReceiptPhotos('a'.repeat(24))
  const isIn = (phase: string) =>
    new Promise<void>((resolve) => {
      photos.upload.$state.subscribe((state) => state.phase === phase && resolve())
    })
  photos.upload.choose(new File([new Uint8Array(1000)], 'recu.jpg'))
  const countOf = (call: string) => calls.filter((each) => each === call).length
  return { photos, isIn, countOf }
}

beforeEach(() => {
  emptyBrowser()
  storage.token = aToken({ userId: 7 })
})

describe('a photo of a receipt', () => {
  test('is sent once and asked for again where the answer that it was added is lost', async () => {
    const page = await aPage((times) => (times === 1 ? 'lost' : 'added'))
    await page.isIn('waiting')
    page.photos.upload.resume()
    await page.isIn('done')
    const parts = page.countOf('PUT /receipt-photos/uploads/:id/part')
    expect([parts, page.countOf('POST /receipt-photos')]).toEqual([1, 2])
    expect(page.photos.$photos.get()).toMatchObject({ value: { photos: [PHOTO] } })
  })

  test('is sent again where the server has lost its parts', async () => {
    const page = await aPage((times) => (times === 1 ? 'incomplete' : 'added'))
    await page.isIn('waiting')
    page.photos.upload.resume()
    await page.isIn('done')
    expect(page.countOf('PUT /receipt-photos/uploads/:id/part')).toBe(2)
    expect(page.countOf('POST /receipt-photos/uploads')).toBe(1)
  })
})
