import { resolve } from 'node:path'
import { requestFor } from '../../src/client/api.ts'
import type { AnyCall } from '../../src/contract/call.ts'
import { downloadDocument } from '../../src/contract/library.ts'
import { findInDocument, openReading } from '../../src/contract/reading.ts'
import { aBuyerOf, buyersIn } from './buyers.ts'
import { hamzas, hugeContent, hugeObjects } from './heavy-files.ts'
import { type MeasuredShop, type Noticed, openMeasuredShop, patientFetch } from './measured-shop.ts'
import { compare, reading, visit } from './visitors.ts'

const GIGABYTE = 1024 ** 3

/** Files that the check of uploads refuses, or that cost most to search. */
const FILES = {
  'objects of 2 GB': () => hugeObjects(2 * GIGABYTE),
  'a page of 1.5 GB': () => hugeContent(1.5 * GIGABYTE),
  '20 pages of 60 000 ئ': () => hamzas(20, 60_000),
}

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

// `node tests/chaos/heavy-downloads.ts [directory of another checkout]`: what the shop's own process
// holds, and what four visitors wait for, while somebody downloads, reads and searches such files.
if (import.meta.main) {
  const shop = await openMeasuredShop({ root: resolve(process.argv[2] ?? '.') })
  const VISITORS = 4
  try {
    const errands = { ...reading(shop.url), ...(await buyersIn(shop, VISITORS)) }
    const others = (seconds: number) => visit({ visitors: VISITORS, seconds, errands, pause: 100 })
    await others(5)
    const rows = []
    const held: Record<string, Noticed & { answers: string; seconds: number }> = {}
    for (const [name, make] of Object.entries(FILES)) {
      const file = make()
      const quiet = await others(15)
      const noticed = shop.watch()
      const startedAt = performance.now()
      const [attacked, received] = await Promise.all([others(15), buyAndRead(shop, file)])
      const seconds = Math.round((performance.now() - startedAt) / 1000)
      held[name] = { ...noticed(), answers: JSON.stringify(received), seconds }
      rows.push(...compare(name, quiet, attacked))
    }
    console.table(rows)
    // Of the shop's own process: memory in megabytes, the rest in milliseconds.
    console.table(held)
  } finally {
    await shop.close()
  }
}
