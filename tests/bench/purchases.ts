import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import type { PurchaseResult } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { percentile } from '../support/quantiles.ts'
import type { Bench, Row } from './support/part.ts'
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
  let sent = 0
  await Promise.all(
    buyers.map(async (buyer, place) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let at = 0; at < documents.length && performance.now() < until; at++) {
        const documentId = documents[(first + at + place * 40) % documents.length] ?? 0
        const boughtAt = performance.now()
        const { excludedDocuments } = await buy(shop.url, agent, buyer, documentId, sent++)
        // A shop that is kept from an earlier run has sold some of them already.
        const isSold = excludedDocuments.length === 0
        if (isSold && boughtAt >= countedFrom) times.push(performance.now() - boughtAt)
      }
      agent.destroy()
    }),
  )
  const seconds = (performance.now() - countedFrom) / 1000
  return [
    {
      id: 'P9',
      what: `purchases over HTTP by ${BUYERS} callers`,
      value: times.length / seconds,
      unit: '/s',
      least: 450,
    },
    { id: 'P9', what: 'the same, p95', value: percentile(times, 0.95), unit: 'ms', most: 60 },
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

function buy(
  url: string,
  agent: Agent,
  { id, token }: { id: number; token: string },
  documentId: number,
  number: number,
): Promise<PurchaseResult> {
  const body = JSON.stringify({ userId: id, documentIds: [documentId] })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'idempotency-key': randomUUID(),
    'x-forwarded-for': `203.0.113.${(number % 250) + 1}`,
  }
  return new Promise((resolve, reject) => {
    request(`${url}/api/wallet/pay`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text))
        else reject(new Error(`${response.statusCode}: ${text}`))
      })
    })
      .on('error', reject)
      .end(body)
  })
}
