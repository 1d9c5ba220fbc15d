import { requestFor } from '../../src/client/api.ts'
import type { AnyCall } from '../../src/contract/call.ts'
import { downloadDocument } from '../../src/contract/library.ts'
import { findInDocument, openReading } from '../../src/contract/reading.ts'
import { aBuyerOf } from './buyers.ts'
import { type MeasuredShop, patientFetch } from './measured-shop.ts'

/** What a buyer gets of a file that takes too much. */
export interface Received {
  /** The status of each call, in order. */
  readonly download: number
  readonly reading: number
  readonly finds: readonly number[]
  /** How many bytes the download has more than the file. */
  readonly footer: number
}

/** Downloads a bought file, opens it for reading and searches it, as often as the shop is busy. */
export async function buyAndRead(shop: MeasuredShop, file: Uint8Array): Promise<Received> {
  const { document, buyer } = await aBuyerOf(shop, file)
  const get = (call: AnyCall, params: object, query = {}) => {
    const { path, headers } = requestFor(call, { params, query }, { token: buyer.token })
    return patientFetch(`${shop.url}/api${path}`, { headers })
  }
  const { id } = document
  const download = await get(downloadDocument, { id, userId: buyer.id })
  const bytes = await download.arrayBuffer()
  const opened = await get(openReading, { id })
  await opened.arrayBuffer()
  const finds: number[] = []
  for (const q of ['ئ', 'ئ'.repeat(50)]) {
    const found = await get(findInDocument, { id }, { q })
    await found.arrayBuffer()
    finds.push(found.status)
  }
  return {
    download: download.status,
    reading: opened.status,
    finds,
    footer: download.ok ? bytes.byteLength - file.byteLength : 0,
  }
}
