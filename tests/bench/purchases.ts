import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PurchaseResult } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { percentile } from '../support/quantiles.ts'
import { openCaller } from './support/calls.ts'
import { type Bench, type Row, row } from './support/part.ts'
import { type Backend, fromTree, hourly, markSamplesDrawn } from './support/shops.ts'

const BUYERS = 20
const DOCUMENTS = 1000
const SECONDS = 5
/** Not counted: the first calls compile code and plan statements. */
const WARM_UP_SECONDS = 2
const BALANCE = dinars(100_000)
const FILE = 'bench-buyers.json'

interface Buyers {
  buyers: { id: number; token: string }[]
  /** Documents with a price above 1 dinar. */
  documents: number[]
}

/** Purchases from wallets over HTTP, by buyers who buy one document after another. */
export async function rows(bench: Bench): Promise<Row[]> {
  const prepare = { name: hourly('buyers'), write: makeBuyers }
  const shop = await bench.openShop({ documents: DOCUMENTS, prepare, isRendered: true })
  const { buyers, documents } = JSON.parse(
    await readFile(join(shop.dataDir, FILE), 'utf8'),
  ) as Buyers
  const times: number[] = []
  const countedFrom = performance.now() + WARM_UP_SECONDS * 1000
  const until = countedFrom + SECONDS * 1000
  const first = Math.floor(Math.random() * documents.length)
  await Promise.all(
    buyers.map(async ({ id, token }, place) => {
      const caller = openCaller()
      for (let at = 0; at < documents.length && performance.now() < until; at++) {
        const documentId = documents[(first + at + place * 40) % documents.length]
        const boughtAt = performance.now()
        const answer = await caller.call(`${shop.url}/api/wallet/pay`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'accept-encoding': 'identity',
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
            'x-forwarded-for': `203.0.113.${place + 1}`,
          },
          body: JSON.stringify({ userId: id, documentIds: [documentId] }),
        })
        const { excludedDocuments } = JSON.parse(answer.toString()) as PurchaseResult
        // A shop that is kept from an earlier run has sold some of them already.
        const isSold = excludedDocuments.length === 0
        if (isSold && boughtAt >= countedFrom) times.push(performance.now() - boughtAt)
      }
      caller.close()
    }),
  )
  const perSecond = (times.length * 1000) / (performance.now() - countedFrom)
  return [
    row('P9', `purchases over HTTP by ${BUYERS} callers`, perSecond, { least: 450, unit: '/s' }),
    row('P9', 'the same, p95', percentile(times, 0.95), { most: 60, unit: 'ms' }),
  ]
}

async function makeBuyers({ deps }: Backend, tree: string): Promise<void> {
  const { factories } = await fromTree(tree, 'tests/support/factories.ts')
  const { adjustWallet } = await fromTree(tree, 'src/server/money/money.ts')
  const { transaction } = await fromTree(tree, 'src/server/database/transaction.ts')
  const made = factories({ ...deps, dataDir: deps.config.dataDir })
  const buyers: Buyers['buyers'] = []
  for (let n = 0; n < BUYERS; n++) {
    const { id, token } = await made.aCustomer()
    const credit = { userId: id, amount: BALANCE, note: 'bench' }
    await transaction(deps.database, (tx) => adjustWallet(tx, credit))
    buyers.push({ id, token })
  }
  const documents = await deps.database.kysely
    .selectFrom('documents')
    .select('id')
    .where('price', '>', dinars(1))
    .execute()
  await markSamplesDrawn(deps.database.kysely)
  const written: Buyers = { buyers, documents: documents.map(({ id }) => id) }
  await writeFile(join(deps.config.dataDir, FILE), JSON.stringify(written))
}
