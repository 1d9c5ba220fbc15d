import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../src/server/database/pool.ts'
import { type Bench, median, type Row } from './support/part.ts'
import type { BenchShop } from './support/shops.ts'

const SIZES = [1000, 10_000]
const LARGE = 100_000
const LANGUAGES = ['', '/fr', '/en']
const DOCUMENT = 77
/** How often an answer is looked at, and how long at most. */
const LOOK_MS = 15
const LONGEST_MS = 60_000

/** How soon a changed price is public. */
export async function rows(bench: Bench): Promise<Row[]> {
  const found: Row[] = []
  for (const documents of bench.isLarge ? [...SIZES, LARGE] : SIZES) {
    const shop = await bench.openShop({ documents })
    const times: number[] = []
    for (let n = 0; n < bench.rounds; n++) times.push(await published(shop, 10 + n))
    await shop.stop()
    found.push({
      id: 'P6',
      what: `a changed price is on its page in three languages, ${documents.toLocaleString('en-US')} documents`,
      value: median(times) / 1000,
      unit: 's',
      most: 1,
      note: 'other pages are being rendered behind',
    })
  }
  const [smallest, largest] = [found[0], found.at(-1)]
  if (smallest && largest && smallest !== largest) {
    found.push({
      id: 'P6',
      what: 'the largest catalogue beside the smallest',
      value: largest.value / smallest.value,
      unit: '×',
      most: 1.2,
    })
  }
  return found
}
