import { expect, test, vi } from 'vitest'
import type { Api } from '../../../src/client/api.ts'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { getSandboxPayment } from '../../../src/contract/orders.ts'
import { getFacts } from '../../../src/contract/site.ts'
import { shareReads } from '../../../src/server/publishing/rendering/shared-reads.ts'
import { openStore, temporaryDirectory } from './support.ts'

/** An API that counts its calls, shared by the pages of a store. */
function sharedApi() {
  const store = openStore(temporaryDirectory())
  const read = vi.fn(async () => ({ reading: read.mock.calls.length }))
  const api = shareReads(read as unknown as Api, store)
  const document = (id: number) => api(getDocument, { params: { id } })
  return { store, api, read, document }
}

test('the languages of a page read its document once', async () => {
  const { read, document } = sharedApi()
  await Promise.all([document(1), document(1), document(1)])
  expect(read).toHaveBeenCalledTimes(1)
  await document(2)
  expect(read).toHaveBeenCalledTimes(2)
})

test('no page that is rendered after a change reads what was read before it', async () => {
  const { store, read, document } = sharedApi()
  const before = await document(1)
  store.invalidate(['document:7'])
  expect(await document(1)).not.toEqual(before)
  expect(read).toHaveBeenCalledTimes(2)
})

test('what stands on every page is read again only when it changes itself', async () => {
  const { store, api, read } = sharedApi()
  await api(getFacts, {})
  store.invalidate(['document:7'])
  await api(getFacts, {})
  expect(read).toHaveBeenCalledTimes(1)
  store.invalidate(['every-page'])
  await api(getFacts, {})
  expect(read).toHaveBeenCalledTimes(2)
})

test('payments are read each time', async () => {
  const { api, read } = sharedApi()
  const payment = () => api(getSandboxPayment, { query: { paymentRef: 'p' } })
  await payment()
  await payment()
  expect(read).toHaveBeenCalledTimes(2)
})

test('what failed is read again', async () => {
  const { read, document } = sharedApi()
  read.mockRejectedValueOnce(new Error('The test makes it fail.'))
  await expect(document(1)).rejects.toThrow()
  await document(1)
  expect(read).toHaveBeenCalledTimes(2)
})
