import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { COMMAND_LINE } from '../../src/rules/office-actions.ts'
import { median } from '../support/quantiles.ts'
import { type Bench, LARGE_CATALOGUE, type Row, row } from './support/part.ts'
import { type BenchShop, fromTree } from './support/shops.ts'

const SIZES = [1000, 10_000]
const LANGUAGES = ['', '/fr', '/en']
const DOCUMENT = 77
/** How often a page is polled until it has changed, and when the bench gives up. */
const POLL_MS = 15
const TIMEOUT_MS = MINUTE_MS

/** How soon a changed document is public, for catalogues of several sizes. */
export async function rows(bench: Bench): Promise<Row[]> {
  const found: Row[] = []
  for (const documents of bench.isLarge ? [...SIZES, LARGE_CATALOGUE] : SIZES) {
    const shop = await bench.openShop({ documents })
    const times = await timesOf(bench, shop)
    await shop.stop()
    const catalogue = `${documents.toLocaleString('en-US')} documents`
    found.push(
      row(
        'P6',
        `a changed title is public in three languages, ${catalogue}`,
        median(times) / 1000,
        { most: 0.2, unit: 's' },
        'while the shop renders its other pages behind',
      ),
    )
  }
  const [smallest, largest] = [found[0], found.at(-1)]
  if (!smallest || !largest || smallest === largest) return found
  const growth = largest.value / smallest.value
  const goal = { most: 1.2, unit: '×' }
  return [...found, row('P6', 'the largest catalogue beside the smallest', growth, goal)]
}

/**
 * Changes a document's title in a process beside the shop, as the operator's command line does; returns the
 * milliseconds until all languages show it, for each change.
 */
async function timesOf({ tree, rounds }: Bench, shop: BenchShop): Promise<number[]> {
  const { openShop } = await fromTree(tree, 'src/server/command-line/open-shop.ts')
  const { readConfig } = await fromTree(tree, 'src/server/config/config.ts')
  const { findDocument, saveText } = await fromTree(tree, 'src/server/documents/documents.ts')
  const office = await openShop(readConfig({ DATA_DIR: shop.dataDir }), () => {})
  const times: number[] = []
  try {
    for (let n = 0; n < rounds; n++) {
      const title = `عنوان جديد ${Date.now()}`
      // Stored before the change, like pages that somebody has visited.
      for (const language of LANGUAGES) await page(shop, language)
      const row = await findDocument(office.deps.database.kysely, DOCUMENT)
      if (!row) throw new Error(`There is no document ${DOCUMENT}.`)
      const { description, price, priceDiscount, matiereId, niveauId, categoryId } = row
      const text = { title, description, price, priceDiscount, matiereId, niveauId, categoryId }
      const editor = { actor: COMMAND_LINE }
      const startedAt = performance.now()
      await saveText(
        office.deps,
        { id: DOCUMENT, editor },
        { revision: null, text: { ...text, type: row.audience } },
      )
      await Promise.all(LANGUAGES.map((language) => untilShown(shop, language, title)))
      times.push(performance.now() - startedAt)
    }
  } finally {
    await office.close()
  }
  return times
}

async function untilShown(shop: BenchShop, language: string, title: string): Promise<void> {
  const until = performance.now() + TIMEOUT_MS
  while (!(await page(shop, language)).includes(title)) {
    if (performance.now() > until) throw new Error(`${language} never shows the new title`)
    await delay(POLL_MS)
  }
}

async function page({ url }: BenchShop, language: string): Promise<string> {
  return (await fetch(`${url}${language}/shop-details/${DOCUMENT}`)).text()
}
