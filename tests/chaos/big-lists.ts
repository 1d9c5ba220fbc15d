import { setTimeout as wait } from 'node:timers/promises'
import { LISTS } from '../support/hostile-lists.ts'
import { hostileZip } from '../support/hostile-zips.ts'
import { buyersIn } from './buyers.ts'
import { importerOf } from './importer.ts'
import { type Noticed, openMeasuredShop } from './measured-shop.ts'
import { compare, reading, visit, type Waits } from './visitors.ts'

// Manual runs: `node tests/chaos/big-lists.ts [seconds]` prints how long others wait, quiet and while teachers
// import lists that are far too large.

const VISITORS = 4

interface Outcome {
  readonly quiet: Waits
  readonly busy: Waits
  /** What happened in the shop's own process meanwhile. */
  readonly noticed: Noticed
  /** The problems that each list had, and the one that it must have. */
  readonly lists: readonly { name: string; expected: string; found: readonly string[] }[]
}

/** Runs a shop whose visitors and buyers are measured, quiet and while such lists arrive. */
export async function importBigLists({
  seconds,
  fill,
}: {
  seconds: number
  /** Copies a demo shop into an empty directory; without it the first start fills one. */
  fill?: (dataDir: string) => Promise<void>
}): Promise<Outcome> {
  const shop = await openMeasuredShop(fill ? { fill } : {})
  try {
    const errands = { ...reading(shop.url), ...(await buyersIn(shop, VISITORS)) }
    const others = (forSeconds: number, until?: Promise<unknown>) =>
      visit({
        visitors: VISITORS,
        seconds: forSeconds,
        errands,
        pause: 100,
        ...(until && { until }),
      })
    await others(Math.min(3, seconds))
    // Made beforehand, since making them keeps this process from measuring.
    const zips = Object.values(LISTS).map(({ list }) => hostileZip([list()]))
    const quiet = await others(seconds)
    const noticed = shop.watch()
    const lists: Outcome['lists'][number][] = []
    // A teacher for each list, since an account imports one at a time.
    const importing = Promise.all(
      Object.entries(LISTS).map(async ([name, { problem: expected }], at) => {
        const { token } = await shop.anOfficeTeacher()
        const { begin, last } = importerOf(() => shop.url, token)
        await begin(zips[at] as Buffer)
        let ended = await last()
        while (ended.phase === 'checking') {
          await wait(100)
          ended = await last()
        }
        lists.push({ name, expected, found: ended.problems.map(({ code }) => code) })
      }),
    )
    const busy = await others(seconds, importing)
    await importing
    return { quiet, busy, noticed: noticed(), lists }
  } finally {
    await shop.close()
  }
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 20)
  const { quiet, busy, noticed, lists } = await importBigLists({ seconds })
  console.table(compare('large lists', quiet, busy))
  console.log('the shop itself', noticed)
  console.table(lists.map((each) => ({ ...each, found: [...new Set(each.found)].join(' ') })))
}
