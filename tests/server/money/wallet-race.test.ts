// @one-database: it is about concurrency; wallet.test.ts runs the same statements on both.

import { describe, expect, test } from 'vitest'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import type { Millimes } from '../../../src/rules/money.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import { amount } from '../../support/amount.ts'
import { RefusedCall, type TestApp, testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import { type Random, randomFrom } from '../../support/random.ts'

// The full run: `RACE_SEEDS=100 vitest run tests/server/money/wallet-race.test.ts`.
const SEEDS = amount('RACE_SEEDS', { usual: 1, long: 2 })
const PAYMENTS = 500
/** More at once than the pool has connections and a wallet has money for. */
const DOCUMENTS = 60

interface Priced {
  readonly id: number
  readonly price: Millimes
}

interface Outcome {
  readonly requested: readonly Priced[]
  /** What was owned before, according to the server; null where the wallet held too little. */
  readonly excluded: ReadonlySet<number> | null
}

/** Some prices twice, some zero, none of them round. */
async function aShelf(app: TestApp, random: Random): Promise<Priced[]> {
  const { id: teacherId } = await app.aTeacher()
  const shared = {
    matiereId: await app.aMatiere(),
    niveauId: await app.aClass(),
    categoryId: await app.aCategory(),
  }
  const shelf: Priced[] = []
  for (let at = 0; at < DOCUMENTS; at++) {
    const price = at % 10 === 0 ? 0 : random.between(1, 900) * 10
    shelf.push(await app.aDocument({ ...shared, price, teacherId }))
  }
  return shelf
}

function draw(shelf: readonly Priced[], random: Random): Priced[] {
  const drawn = new Set<Priced>()
  const wanted = random.between(1, 6)
  while (drawn.size < wanted) drawn.add(random.pick(shelf))
  return [...drawn]
}

async function pay(
  app: TestApp,
  buyer: Person,
  { requested, key }: { requested: readonly Priced[]; key: string },
): Promise<Outcome> {
  const body = { userId: buyer.id, documentIds: requested.map(({ id }) => id) }
  try {
    const { status, excludedDocuments } = await app.call(payFromWallet, { as: buyer, key, body })
    expect(status).toBe(excludedDocuments.length === 0 ? 'SUCCESS' : 'PARTIAL_SUCCESS')
    return { requested, excluded: new Set(excludedDocuments.map(({ id }) => id ?? 0)) }
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error
    // 500 at once may wait longer for a connection than the shop allows: it answers so, and a
    // browser retries with the same key.
    if (error.code === 'unavailable') return pay(app, buyer, { requested, key })
    if (error.code !== 'insufficient_balance') throw error
    return { requested, excluded: null }
  }
}

const sum = (documents: readonly Priced[]) =>
  documents.reduce((total, { price }) => total + price, 0)

const seeds = Array.from({ length: SEEDS }, (_, at) => 1 + at)

const anyNumber = { max: 1_000_000, windowMs: 60_000 }
const UNLIMITED = { paymentsOfAccount: anyNumber, paymentsOfAccountInDay: anyNumber }

describe('500 payments at once from one wallet', () => {
  test.each(seeds)('each document is paid once, and nothing else: seed %i', async (seed) => {
    const random = randomFrom(seed)
    const app = await testApp({ allowances: { ...ALLOWANCES, ...UNLIMITED } })
    const shelf = await aShelf(app, random)
    // Enough for about two thirds of the shelf, so that the last ones are refused.
    const start = Math.round((sum(shelf) * 0.66) / 10) * 10
    const buyer = await app.aCustomer({ balance: start })

    // A fifth are retries: the same key with the same documents.
    const wishes = Array.from({ length: PAYMENTS * 0.8 }, (_, at) => ({
      requested: draw(shelf, random),
      key: `k${at}`,
    }))
    while (wishes.length < PAYMENTS) wishes.push(random.pick(wishes))
    const outcomes = await Promise.all(wishes.map((wish) => pay(app, buyer, wish)))

    const bought = new Map<number, Set<string>>()
    const charged = new Map<string, Millimes>()
    for (const [at, { requested, excluded }] of outcomes.entries()) {
      if (excluded === null) continue
      const key = wishes[at]?.key ?? ''
      const added = requested.filter(({ id }) => !excluded.has(id))
      for (const { id } of added) bought.set(id, (bought.get(id) ?? new Set()).add(key))
      // A retry reports what its first attempt did.
      expect(charged.get(key) ?? sum(added)).toBe(sum(added))
      charged.set(key, sum(added))
    }

    // According to the responses, no document was bought by two payments …
    for (const keys of bought.values()) expect(keys.size).toBe(1)
    const owned = shelf.filter(({ id }) => bought.has(id))
    const refused = outcomes.filter(({ excluded }) => excluded === null)
    expect(refused.length, 'some had to be refused').toBeGreaterThan(0)
    expect(owned.length, 'some had to be bought').toBeGreaterThan(10)

    // … and according to the books, exactly those are owned, for exactly their prices.
    const granted = await app.kysely
      .selectFrom('purchases')
      .select(['documentId', 'price'])
      .where('userId', '=', buyer.id)
      .orderBy('documentId')
      .execute()
    expect(granted).toEqual(owned.map(({ id, price }) => ({ documentId: id, price })))
    expect(await app.balanceOf(buyer)).toBe(start - sum(owned))
    const report = await checkLedger(app.kysely)
    expect(isLedgerSound(report), JSON.stringify(report)).toBe(true)

    // A refused payment cost more than the wallet held, at the latest at the end of the race.
    const left = await app.balanceOf(buyer)
    for (const { requested } of refused) {
      const expensive = sum(requested.filter(({ id }) => !bought.has(id)))
      // Documents owned by now may have been new when it was refused.
      expect(expensive > left || requested.some(({ id }) => bought.has(id))).toBe(true)
    }
  })
})
