/**
 * Starts a shop, attacks it and prints how long other visitors wait meanwhile:
 * `node tests/chaos/attack.ts [seconds] [directory of another checkout]`. Attacks stay on loopback and are
 * bounded in number and time.
 */
import { resolve } from 'node:path'
import { ATTACKS, startAttack } from './attackers.ts'
import { openMeasuredShop } from './measured-shop.ts'
import { compare, reading, visit } from './visitors.ts'

const seconds = Number(process.argv[2] ?? 10)
const shop = await openMeasuredShop({ root: resolve(process.argv[3] ?? '.') })
const errands = reading(shop.url)
const VISITORS = 8

try {
  await visit({ visitors: VISITORS, seconds: 3, errands })
  const rows = []
  for (const name of Object.keys(ATTACKS)) {
    // Measured before each attack, since the load of the machine varies.
    const quiet = await visit({ visitors: VISITORS, seconds, errands })
    const attack = startAttack(name, shop.url, seconds)
    await attack.firstOutput
    const noticed = shop.watch()
    const attacked = await visit({ visitors: VISITORS, seconds, errands })
    const { most } = noticed()
    const answers = JSON.stringify(await attack.ended)
    for (const row of compare(name, quiet, attacked)) {
      rows.push({ ...row, 'memory MB': most, answers })
    }
    // Lets the shop recover before the next attack.
    await visit({ visitors: VISITORS, seconds: 2, errands })
  }
  console.table(rows)
} finally {
  await shop.close()
}
