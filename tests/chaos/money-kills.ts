import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Api, ApiError, createApi } from '../../src/client/api.ts'
import { httpTransport } from '../../src/client/http.ts'
import { logIn, register } from '../../src/contract/accounts.ts'
import { listDocuments } from '../../src/contract/catalogue.ts'
import { finalPrice } from '../../src/rules/discount.ts'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import { type KonnectStandIn, startKonnect } from '../support/konnect.ts'
import { randomFrom } from '../support/random.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { type Account, type Acknowledged, type Market, shopUntilClosed } from './shopper.ts'

/** What is wrong in a stopped shop's database. */
interface Faults {
  /** How many payments the gateway's books hold. */
  readonly paid: number
  /** How many wallet purchases and gateway payments shoppers got acknowledged. */
  readonly acknowledged: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly isSound: boolean
}

interface Balance {
  userId: number
  /** The wallet's balance, in millimes. */
  balance: number
  /** The prices of all owned documents, in millimes. */
  spent: number
}

/**
 * Compares the database of `dataDir` with the gateway's books and with what shoppers got
 * acknowledged.
 */
async function faultsIn(
  dataDir: string,
  konnect: KonnectStandIn,
  byShopper: ReadonlyMap<number, Acknowledged>,
): Promise<Faults> {
  const server = await startEmbedded({ dataDir })
  const database = openDatabase(server.connection)
  const { kysely } = database
  const lost: string[] = []
  const doubled: string[] = []
  try {
    const payments = await kysely
      .selectFrom('payments')
      .select(['reference', 'userId', 'status', 'purpose'])
      .execute()
    const { rows: balances } = await sql<Balance>`
      SELECT a.user_id AS "userId", a.balance, coalesce(
        (SELECT sum(price) FROM purchases p WHERE p.user_id = a.user_id), 0)::bigint AS spent
      FROM accounts a WHERE a.kind = 'customer'`.execute(kysely)
    const { rows: grants } = await sql<{ userId: number; documentId: number; times: number }>`
      SELECT user_id AS "userId", document_id AS "documentId", count(*)::integer AS times
      FROM purchases GROUP BY 1, 2`.execute(kysely)

    const payerOf = new Map(payments.map((payment) => [payment.reference, payment.userId]))
    const paidBy = new Map<number, number>()
    const booked = [...konnect.books.values()].filter(({ paid }) => paid > 0)
    for (const { orderId, paid } of booked) {
      const payer = payerOf.get(orderId)
      if (payer === undefined) lost.push(`the gateway's payment ${orderId}`)
      else paidBy.set(payer, (paidBy.get(payer) ?? 0) + paid)
    }

    let acknowledged = 0
    for (const [userId, { bought, started, paid }] of byShopper) {
      acknowledged += bought.size + paid.size
      const owned = new Set(
        grants.filter((grant) => grant.userId === userId).map(({ documentId }) => documentId),
      )
      for (const id of bought) if (!owned.has(id)) lost.push(`document ${id} of user ${userId}`)
      const states = new Map(payments.map(({ reference, status }) => [reference, status]))
      for (const reference of started) {
        if (!states.has(reference)) lost.push(`the started payment ${reference}`)
      }
      for (const reference of paid) {
        if (states.get(reference) !== 'paid') lost.push(`the paid payment ${reference}`)
      }
      // Every millime paid is in the wallet or was the price of an owned document.
      const { balance = 0, spent = 0 } = balances.find((row) => row.userId === userId) ?? {}
      const difference = balance + spent - (paidBy.get(userId) ?? 0)
      if (difference < 0) lost.push(`${-difference} millimes of user ${userId}`)
      if (difference > 0) doubled.push(`${difference} millimes of user ${userId}`)
    }
    for (const { userId, documentId, times } of grants) {
      if (times > 1) doubled.push(`document ${documentId} of user ${userId}`)
    }
    const isSound = isLedgerSound(await checkLedger(kysely))
    return { paid: booked.length, acknowledged, lost, doubled, isSound }
  } finally {
    await database.close()
    await server.stop()
  }
}

// Manual runs: `node tests/chaos/money-kills.ts [kills] [seed] [minutes]`, by default 50 kills;
// after so many minutes it ends with the kills done by then.

interface Outcome extends Faults {
  readonly seed: number
  readonly kills: number
  readonly seconds: number
  readonly answered: number
  readonly cutOff: number
}

const PASSWORD = 'karras-chaos'

/**
 * Kills the shop (`kill -9` of its process) again and again while customers pay from wallets and through the
 * gateway, each time as a call is being sent; then compares all that was acknowledged, and the gateway's books,
 * with what the database holds.
 */
export async function killWhilePaying({
  kills,
  seed,
  customers = 8,
  minutes = Number.POSITIVE_INFINITY,
  fill,
}: {
  kills: number
  seed: number
  customers?: number
  minutes?: number
  /** Copies a demo shop into an empty directory; without it the first start fills one. */
  fill?: (dataDir: string) => Promise<void>
}): Promise<Outcome> {
  const startedAt = performance.now()
  const random = randomFrom(seed)
  const konnect = await startKonnect({ seed, drop: 0.3, duplicate: 0.3, early: 0.05 })
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-kills-'))
  await fill?.(dataDir)
  const env = { ...konnect.env, DATA_DIR: dataDir }
  let running: ShopProcess | undefined
  let open = Promise.withResolvers<Api>()
  let closing = false
  let callsLeft = Number.POSITIVE_INFINITY
  let kill = Promise.withResolvers<void>()

  async function start() {
    running = await spawnShop(env)
    konnect.callsBackAt(running.url)
    const api = createApi(httpTransport(running.url))
    open.resolve(api)
    return api
  }

  try {
    const api = await start()
    const listed = await retryWhileBusy(() => api(listDocuments, {}))
    const documents = listed.map((document) => ({ id: document.id, price: finalPrice(document) }))
    const accounts = await Promise.all(
      Array.from({ length: customers }, (_, at) => anAccount(api, at)),
    )
    const market: Market = {
      konnect,
      random,
      documents,
      shopUntilClosed: () => open.promise,
      onCall() {
        callsLeft--
        if (callsLeft <= 0) kill.resolve()
      },
      isClosing: () => closing,
    }
    const shopping = Promise.all(accounts.map((account) => shopUntilClosed(market, account)))
    // A shopper's failure ends the run at once, not after the last kill.
    const failed = shopping.then(() => {})

    let done = 0
    const isOver = () => done >= kills || performance.now() - startedAt > minutes * MINUTE_MS
    for (; !isOver(); done++) {
      kill = Promise.withResolvers()
      callsLeft = random.between(5, 60)
      await Promise.race([kill.promise, failed])
      callsLeft = Number.POSITIVE_INFINITY
      open = Promise.withResolvers()
      await running?.kill()
      await start()
    }
    closing = true
    const acknowledged = await shopping
    await konnect.deliver()
    // Settles payments whose browser never returned: the gateway sends a webhook for each payment
    // in its books again.
    for (const { id, paid } of konnect.books.values()) if (paid > 0) await konnect.webhook(id)
    await running?.stop()
    const faults = await faultsIn(dataDir, konnect, byUser(accounts, acknowledged))
    const sum = (count: (each: Acknowledged) => number) =>
      acknowledged.reduce((total, each) => total + count(each), 0)
    return {
      seed,
      kills: done,
      seconds: Math.round((performance.now() - startedAt) / 1000),
      answered: sum(({ answered }) => answered),
      cutOff: sum(({ cutOff }) => cutOff),
      ...faults,
    }
  } finally {
    closing = true
    await running?.kill()
    await konnect.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function byUser(
  accounts: readonly Account[],
  acknowledged: readonly Acknowledged[],
): Map<number, Acknowledged> {
  return new Map(
    accounts.flatMap(({ userId }, at) => {
      const own = acknowledged[at]
      return own ? [[userId, own] as const] : []
    }),
  )
}

/** Retries the call while the shop, which has only just opened, answers that it is too busy. */
async function retryWhileBusy<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 503)) throw error
      await wait(100)
    }
  }
}

async function anAccount(api: Api, at: number): Promise<Account> {
  const email = `chaos${at}@karras.test`
  const body = {
    username: `chaos${at}`,
    firstName: 'Amal',
    lastName: 'Ben Salah',
    phone: String(50_000_000 + at),
    gender: 'female' as const,
    email,
    password: PASSWORD,
  }
  await retryWhileBusy(() => api(register, { body }))
  const { accessToken: token } = await retryWhileBusy(() =>
    api(logIn, { body: { username: email, password: PASSWORD } }),
  )
  const [, claims = ''] = token.split('.')
  const { userId } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Account
  return { userId, token }
}

if (import.meta.main) {
  const [kills = '50', seed = '1', minutes = 'Infinity'] = process.argv.slice(2)
  const outcome = await killWhilePaying({
    kills: Number(kills),
    seed: Number(seed),
    minutes: Number(minutes),
  })
  console.log(JSON.stringify(outcome, null, 2))
  process.exitCode = outcome.lost.length + outcome.doubled.length > 0 || !outcome.isSound ? 1 : 0
}
