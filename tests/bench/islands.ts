import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fillCart } from '../support/kept-cart.ts'
import { pageWeigher } from '../support/weight.ts'
import { withPhone } from './support/chromium.ts'
import { type Bench, KB, type Row } from './support/part.ts'

const HEAVIEST = 3

/** The bytes of islands, and of React on a page that needs it. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  const chunks = chunksOf(bench.tree)
  const islands = chunks
    .filter(({ hasReactDom }) => !hasReactDom)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, HEAVIEST)
  const checkout = await withPhone({}, async (page, session) => {
    await page.goto(`${url}/robots.txt`)
    await fillCart(page)
    return (await pageWeigher(page, session))(`${url}/checkout`)
  })
  return [
    ...islands.map(({ name, bytes }, at) => ({
      id: 'P11',
      what: at === 0 ? 'the heaviest chunk of an island' : 'the next',
      value: bytes / KB,
      unit: 'KB',
      most: 25,
      note: name,
    })),
    {
      id: 'P11',
      what: 'chunks with React DOM in them',
      value: chunks.filter(({ hasReactDom }) => hasReactDom).length,
      unit: '',
      most: 1,
    },
    {
      id: 'P11',
      what: 'a visit of the checkout, nothing cached',
      value: checkout.total / KB,
      unit: 'KB',
      most: 180,
      note: `script ${(checkout.script / KB).toFixed(1)} KB`,
    },
  ]
}

/** The scripts of the newest build. */
function chunksOf(tree: string) {
  const dist = join(tree, 'dist')
  const newest = readdirSync(dist)
    .map((name) => join(dist, name, 'client/_astro'))
    .filter((path) => statSync(path, { throwIfNoEntry: false }))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]
  if (!newest) throw new Error(`There is no build in ${dist}.`)
  return readdirSync(newest)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({
      name,
      bytes: statSync(join(newest, `${name}.br`), { throwIfNoEntry: false })?.size ?? 0,
      hasReactDom: readFileSync(join(newest, name), 'utf8').includes('reactFiber$'),
    }))
}
