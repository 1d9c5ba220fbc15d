import { randomUUID } from 'node:crypto'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import type { Factories } from '../support/factories.ts'
import type { DatabaseCluster, ShopMachine } from './topology.ts'
import { openVisitor } from './visitor.ts'

const PAYMENTS = 300
const PAGES = 2000
const DOCUMENTS = 20
const CALLERS = 6

/** Processor time in milliseconds. */
export interface Cost {
  readonly processes: number
  readonly payment: number
  /** The part of the payment's that the three servers of the database take. */
  readonly paymentInDatabase: number
  readonly page: number
}

/** What a payment and a stored page cost with these processes, all of them together. */
export async function measureCosts(
  shops: readonly ShopMachine[],
  database: DatabaseCluster,
  factories: Factories,
  addresses: readonly string[],
): Promise<Cost> {
  const buyers = await Promise.all(
    Array.from({ length: PAYMENTS / DOCUMENTS }, () =>
      factories.aCustomer({ balance: DOCUMENTS * dinars(1) }),
    ),
  )
  const documents: number[] = []
  for (let at = 0; at < DOCUMENTS; at++) {
    documents.push((await factories.aDocument({ price: dinars(1) })).id)
  }
  const visitors = Array.from({ length: CALLERS }, (_, at) =>
    openVisitor((shops[at % shops.length] as ShopMachine).url, addresses[at] as string, []),
  )
  /** Does it so many times, several at once; resolves to the processor times of one, in ms. */
  async function measure(times: number, act: (at: number, caller: number) => Promise<unknown>) {
    const before = now()
    let next = 0
    await Promise.all(
      visitors.map(async (_, caller) => {
        for (let at = next++; at < times; at = next++) await act(at, caller)
      }),
    )
    const after = now()
    return {
      shops: ((after.shops - before.shops) * 1000) / times,
      database: ((after.database - before.database) * 1000) / times,
    }
  }
  const now = () => ({
    shops: shops.reduce((sum, shop) => sum + shop.processorTime(), 0),
    database: database.machines.reduce((sum, machine) => sum + machine.processorTime(), 0),
  })
  const pay = (at: number, caller: number) => {
    const buyer = buyers[at % buyers.length] as (typeof buyers)[number]
    const document = documents[Math.floor(at / buyers.length)] as number
    const body = { userId: buyer.id, documentIds: [document] }
    const options = { token: buyer.token, key: randomUUID() }
    return visitors[caller]?.call('payment', payFromWallet, { body }, options) ?? Promise.resolve()
  }
  const payment = await measure(PAYMENTS, pay)
  const view = (_: number, caller: number) => visitors[caller]?.look('/fr') ?? Promise.resolve()
  await measure(CALLERS * 10, view)
  const page = await measure(PAGES, view)
  for (const { leave } of visitors) leave()
  return {
    processes: shops.length,
    payment: payment.shops,
    paymentInDatabase: payment.database,
    page: page.shops,
  }
}
