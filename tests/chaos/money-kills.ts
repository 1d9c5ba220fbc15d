import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Api, ApiError, createApi } from '../../src/client/api.ts'
import { httpTransport } from '../../src/client/http.ts'
import { logIn, register } from '../../src/contract/accounts.ts'
import { listDocuments } from '../../src/contract/catalogue.ts'
import { finalPrice } from '../../src/rules/discount.ts'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { startKonnect } from '../support/konnect.ts'
import { randomFrom } from '../support/random.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { type Faults, faultsIn } from './shop-faults.ts'
import { type Account, type Acknowledged, type Market, shopUntilClosed } from './shopper.ts'

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
