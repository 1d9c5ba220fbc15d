import type { Page } from 'playwright'
import { median } from '../support/quantiles.ts'
import { type Work, workDuring } from '../support/trace.ts'
import { pageWeigher } from '../support/weight.ts'
import { withPhone } from './support/chromium.ts'
import { type Bench, KB, type Row } from './support/part.ts'
import { warmUpPages } from './support/read-before.ts'

/** The pages on which buyers enter the shop: `most` KB, and `elements`, each where there is a goal. */
const PAGES = [
  { name: 'home', path: '/', most: 55, elements: 1000 },
  { name: 'shop', path: '/shop', most: 52, elements: 700 },
  { name: 'details', path: '/shop-details/1', most: 48, elements: 700 },
  { name: 'teachers', path: '/teachers', most: 45 },
  { name: 'teacher', path: '/teacher-details/1' },
] as const
const SLOWER = 4

/** The bytes, script, elements, layout shift and longest task of first visits. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  await warmUpPages(
    url,
    PAGES.map(({ path }) => path),
  )
  const found: Row[] = []
  for (const page of PAGES) {
    const { weight, elements, shift } = await withPhone({}, async (phone, session) => {
      const weight = await (await pageWeigher(phone, session))(url + page.path)
      return { weight, ...(await scrollThrough(phone)) }
    })
    const works: Work[] = []
    for (let n = 0; n < bench.rounds; n++) {
      const visit = (phone: Page) => phone.goto(url + page.path, { waitUntil: 'networkidle' })
      const { work } = await withPhone({ slower: SLOWER }, (phone, session) =>
        workDuring(phone, session, () => visit(phone)),
      )
      works.push(work)
    }
    const of = (read: (work: Work) => number) => median(works.map(read))
    const kinds = ['style', 'layout', 'script', 'parse', 'paint']
      .map((kind) => `${kind} ${Math.round(of(({ byKind }) => byKind[kind] ?? 0))}`)
      .join(', ')
    const what = (words: string) => `${page.name}: ${words}`
    found.push(
      {
        id: 'P1',
        what: what('bytes of the first visit'),
        value: weight.total / KB,
        unit: 'KB',
        ...('most' in page && { most: page.most }),
        note: heaviest(weight.files),
      },
      {
        id: 'P2',
        what: what('script before the first intent'),
        value: weight.script / KB,
        unit: 'KB',
        most: 4,
      },
      {
        id: 'P2',
        what: what(`longest task, processor ÷ ${SLOWER}`),
        value: of(({ tasks }) => tasks[0] ?? 0),
        unit: 'ms',
        most: 30,
        note: `over 50 ms: ${Math.round(of(({ blocked }) => blocked))} ms in all; ${kinds}`,
      },
      {
        id: 'P3',
        what: what('elements'),
        value: elements,
        unit: '',
        ...('elements' in page && { most: page.elements }),
      },
      { id: 'P3', what: what('layout shift'), value: shift, unit: '', most: 0.01 },
    )
  }
  return found
}

/** Counts a page's elements, scrolls to its end and reads its layout shift up to then. */
async function scrollThrough(page: Page): Promise<{ elements: number; shift: number }> {
  const elements = await page.locator('*').count()
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' })
      await frame()
      await frame()
    }
  })
  const shift = await page.evaluate(() => {
    const observer = new PerformanceObserver(() => {})
    // Shifts from before it observes are put into its records at once.
    observer.observe({ type: 'layout-shift', buffered: true })
    const shifts = observer.takeRecords() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[]
    return shifts.reduce((sum, one) => sum + (one.hadRecentInput ? 0 : one.value), 0)
  })
  return { elements, shift }
}

/** The three heaviest files of a visit. */
function heaviest(files: readonly [string, number][]): string {
  return files
    .slice(0, 3)
    .map(
      ([url, bytes]) =>
        `${new URL(url).pathname.split('/').at(-1) || '/'} ${(bytes / KB).toFixed(1)}`,
    )
    .join(', ')
}
