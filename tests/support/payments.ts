import { afterEach, expect } from 'vitest'
import { createOrder, initiatePayment } from '../../src/contract/orders.ts'
import type { Locale } from '../../src/i18n/locales.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { signToken } from '../../src/server/http/identity.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import { purchase } from '../../src/server/money/purchase.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'
import { sharedApp } from './test.ts'

type Documents = readonly { id: number }[]

/** A pending order of these documents. */
export async function anOrder(
  app: TestApp,
  buyer: Person,
  documents: Documents,
  key: string = crypto.randomUUID(),
) {
  const body = { userId: buyer.id, orderDocs: documents.map(({ id }) => ({ documentId: id })) }
  return app.call(createOrder, { as: buyer, key, body })
}

/** Buys documents from the wallet; returns the id of the order. */
export async function bought(
  { deps }: { deps: Pick<TestApp['deps'], 'database'> },
  { id: buyerId }: { id: number },
  documents: Documents,
  at?: Date,
) {
  const documentIds = documents.map(({ id }) => id)
  const { orderId } = await transaction(deps.database, (tx) =>
    purchase(tx, { buyerId, documentIds, at }),
  )
  return orderId ?? 0
}

/** Starts the payment of an order. */
export async function aPayment(
  app: TestApp,
  buyer: Person,
  orderId: number,
  query: { method?: 'card' | 'bank_transfer' | 'd17'; locale?: Locale } = {},
) {
  const params = { provider: 'sandbox' as const }
  const key = crypto.randomUUID()
  return app.call(initiatePayment, { as: buyer, key, params, query: { orderId, ...query } })
}

/** Presses a button of the sandbox's page; returns where it leads. */
export async function press(
  app: TestApp,
  paymentUrl: string,
  action: 'pay' | 'refuse' | 'later',
): Promise<string> {
  const path = `/api/payments/sandbox/${gatewayReference(paymentUrl)}`
  const answer = await app.request('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `choice=${action}`,
  })
  expect(answer.status).toBe(303)
  const { pathname, search } = new URL(answer.headers.get('location') ?? '', app.url)
  return pathname + search
}

/** Where a returning browser is redirected to. */
export async function returnToShop(app: TestApp, path: string): Promise<string | null> {
  const answer = await app.request('GET', path)
  expect(answer.status).toBe(302)
  return answer.headers.get('location')
}

/** Pays on the sandbox's page and returns to the shop. */
export async function payInSandbox(app: TestApp, paymentUrl: string): Promise<string | null> {
  return returnToShop(app, await press(app, paymentUrl, 'pay'))
}

export const webhook = (app: TestApp, reference: string) =>
  app.request('GET', `/api/orderss/payment/webhook?payment_ref=${reference}`)

/** The gateway's reference of a payment, from the URL of its page. */
export const gatewayReference = (paymentUrl: string) => paymentUrl.split('/').at(-1) ?? ''

/** One server for all tests of a file, whose ledger has to be right after each of them. */
export async function soundApp(options?: Parameters<typeof sharedApp>[0]): Promise<TestApp> {
  const app = await sharedApp(options)
  afterEach(() => expectSoundLedger(app))
  return app
}

export async function expectSoundLedger(app: TestApp): Promise<void> {
  const report = await checkLedger(app.kysely)
  expect(isLedgerSound(report), JSON.stringify(report)).toBe(true)
}

/** The same person, with a token that is valid at the server's current time. */
export async function withFreshToken({ deps }: TestApp, person: Person): Promise<Person> {
  const user = { id: person.id, role: person.role, generation: 0 }
  return { ...person, token: await signToken(deps.secret, user, deps.now()) }
}

/** The path of a URL of the shop, which has another origin in tests. */
export const pathOf = (address: string) => new URL(address, 'http://shop.test').pathname
