// @at-landing: it starts a shop several times.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Api, createApi } from '../../src/client/api.ts'
import { httpTransport } from '../../src/client/http.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { amount } from '../support/amount.ts'
import { fillDataDir } from '../support/filled-shop.ts'
import { type KonnectStandIn, startKonnect } from '../support/konnect.ts'
import { randomFrom } from '../support/random.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import {
  type Acknowledged,
  anAccount,
  faultsIn,
  type Market,
  pricedDocuments,
  shopUntilClosed,
} from '../support/shoppers.ts'

const KILLS = amount('MONEY_KILLS', { usual: 2, long: 10 })
const SEED = Number(process.env.CHAOS_SEED ?? 1)
const CUSTOMERS = 8

/**
 * Kills the shop (`kill -9` of its process) again and again while customers pay from wallets and through the
 * gateway, each time as a call is being sent; then compares all that was acknowledged, and the gateway's books,
 * with what the database holds.
 */
test(`${KILLS} times kill -9 while customers pay: nothing acknowledged is lost or doubled`, async () => {
  const random = randomFrom(SEED)
  const konnect = await startKonnect({ seed: SEED, drop: 0.3, duplicate: 0.3, early: 0.05 })
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-kills-'))
  await fillDataDir(dataDir)
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
    const documents = await pricedDocuments(api)
    const accounts = await Promise.all(
      Array.from({ length: CUSTOMERS }, (_, at) => anAccount(api, at)),
    )
    const market: Market = {
      konnect,
      random,
      documents,
      whenOpen: () => open.promise,
      onCall() {
        callsLeft--
        if (callsLeft <= 0) kill.resolve()
      },
      isClosing: () => closing,
    }
    const shopping = Promise.all(accounts.map((account) => shopUntilClosed(market, account)))
    // A shopper's failure ends the run at once, not after the last kill.
    const failed = shopping.then(() => {})

    for (let done = 0; done < KILLS; done++) {
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
    const outcome = await faultsInDirectory(dataDir, konnect, acknowledged)
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ lost: [], doubled: [], isSound: true })
    expect(outcome.acknowledged).toBeGreaterThan(4 * KILLS)
  } finally {
    closing = true
    await running?.kill()
    await konnect.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}, 600_000)

async function faultsInDirectory(
  dataDir: string,
  konnect: KonnectStandIn,
  shoppers: readonly Acknowledged[],
) {
  const server = await startEmbedded({ dataDir })
  const database = openDatabase(server.connection)
  try {
    return await faultsIn(database.kysely, konnect, shoppers)
  } finally {
    await database.close()
    await server.stop()
  }
}
