import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Api, ApiError } from '../../src/client/api.ts'
import { logIn, register } from '../../src/contract/accounts.ts'
import type { AnyCall, Input, Result } from '../../src/contract/call.ts'
import { listDocuments } from '../../src/contract/catalogue.ts'
import { createOrder, getPayment, initiatePayment } from '../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../src/contract/wallet.ts'
import { finalPrice } from '../../src/rules/discount.ts'
import { dinars, type Millimes } from '../../src/rules/money.ts'
import { readToken } from '../../src/rules/token.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import type { KonnectStandIn } from './konnect.ts'
import type { randomFrom } from './random.ts'

/** What the shop acknowledged to a shopper, and must not lose. */
export interface Acknowledged {
  readonly userId: number
  /** Documents whose payment from the wallet was answered with 200. */
  readonly bought: Set<number>
  /** References of payments that were started, and of those acknowledged as paid. */
  readonly started: Set<string>
  readonly paid: Set<string>
}

/** A document at its final price, in millimes. */
interface Priced {
  readonly id: number
  readonly price: Millimes
}

/** The shared state of a shop's shoppers. */
export interface Market {
  readonly konnect: KonnectStandIn
  readonly random: ReturnType<typeof randomFrom>
  readonly documents: readonly Priced[]
  /** Resolves to the API of a shop once one is open. */
  whenOpen(): Promise<Api>
  /** Called just before each call is sent; a kill may follow at once. */
  onCall(): void
  isClosing(): boolean
}

export interface Account {
  readonly userId: number
  readonly token: string
}

/** The documents that the shop sells. */
export async function pricedDocuments(api: Api): Promise<readonly Priced[]> {
  const listed = await retryWhileBusy(() => api(listDocuments, {}))
  return listed.map((document) => ({ id: document.id, price: finalPrice(document) }))
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

export async function anAccount(api: Api, at: number): Promise<Account> {
  const email = `chaos${at}@karras.test`
  const body = {
    username: `chaos${at}`,
    firstName: 'Amal',
    lastName: 'Ben Salah',
    phone: String(50_000_000 + at),
    gender: 'female' as const,
    email,
    password: 'karras-chaos',
  }
  await retryWhileBusy(() => api(register, { body }))
  const { accessToken: token } = await retryWhileBusy(() =>
    api(logIn, { body: { username: email, password: 'karras-chaos' } }),
  )
  return { userId: readToken(token, Date.now())?.userId ?? 0, token }
}

/**
 * Buys in every way, one purchase after another, until the market closes; repeats calls cut by a
 * kill.
 */
export async function shopUntilClosed(
  market: Market,
  { userId, token }: Account,
): Promise<Acknowledged> {
  const { konnect, random } = market
  const acknowledged: Acknowledged = {
    userId,
    bought: new Set(),
    started: new Set(),
    paid: new Set(),
  }

  /** Sends a call with one idempotency key until it is answered; null if the shop refuses it. */
  async function send<C extends AnyCall>(call: C, input: Input<C>): Promise<Result<C> | null> {
    const idempotencyKey = `k-${userId}-${random.between(0, 2 ** 40)}`
    for (;;) {
      const api = await market.whenOpen()
      market.onCall()
      try {
        return await api(call, input, { token, idempotencyKey })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.status >= 400 && error.status <= 499) return null
        // Without a response it is unknown whether the shop did it, so the same call is sent again.
        if (error.status !== 0 && error.status !== 503) throw error
      }
    }
  }

  async function payAt(
    paymentRef: string | null | undefined,
    paymentUrl: string | null | undefined,
  ) {
    if (!paymentRef || !paymentUrl) return
    acknowledged.started.add(paymentRef)
    const id = new URL(paymentUrl).searchParams.get('payment_ref')
    if (!id) throw new Error(`no reference in ${paymentUrl}`)
    if (random.unit() < 0.1) return
    konnect.pay(id)
    if (random.unit() < 0.5) await konnect.webhook(id)
    const payment = await send(getPayment, { query: { paymentRef } })
    if (payment?.state === 'paid') acknowledged.paid.add(paymentRef)
  }

  async function topUp(amount: Millimes) {
    const started = await send(initiateRecharge, { body: { userId, amount } })
    await payAt(started?.paymentRef, started?.paymentUrl)
  }

  async function order(documentIds: readonly number[]) {
    const orderDocs = documentIds.map((documentId) => ({ documentId }))
    const created = await send(createOrder, { body: { userId, orderDocs } })
    if (!created) return
    const started = await send(initiatePayment, {
      params: { provider: 'konnect' },
      query: { orderId: created.id, method: 'card' },
    })
    await payAt(started?.paymentRef, started?.paymentUrl)
  }

  async function payDirectly(documents: readonly Priced[]) {
    const amount = documents.reduce((sum, { price }) => sum + price, 0)
    const started = await send(directPay, {
      body: {
        userId,
        amount,
        paymentMethod: 'card',
        documentIds: documents.map(({ id }) => id),
      },
    })
    await payAt(started?.paymentRef, started?.paymentUrl)
  }

  await topUp(dinars(300))
  while (!market.isClosing()) {
    const documents = someDocuments(market)
    const ids = documents.map(({ id }) => id)
    const choice = random.between(1, 10)
    if (choice <= 5) {
      const answer = await send(payFromWallet, { body: { userId, documentIds: ids } })
      if (answer) for (const id of ids) acknowledged.bought.add(id)
    } else if (choice <= 7) await order(ids)
    else if (choice <= 8) await payDirectly(documents)
    else await topUp(dinars(random.between(10, 60)))
  }
  return acknowledged
}

/** One to three different documents. */
function someDocuments({ random, documents }: Market) {
  const picked = new Set<(typeof documents)[number]>()
  const count = random.between(1, 3)
  while (picked.size < count) picked.add(random.pick(documents))
  return [...picked]
}

/** Compares a database with the gateway's books and with what shoppers got acknowledged. */
export async function faultsIn(
  kysely: Kysely<Schema>,
  konnect: KonnectStandIn,
  shoppers: readonly Acknowledged[],
) {
  const lost: string[] = []
  const doubled: string[] = []
  const payments = await kysely
    .selectFrom('payments')
    .select(['reference', 'userId', 'status', 'purpose'])
    .execute()
  const { rows: balances } = await sql<{ userId: number; balance: Millimes; spent: Millimes }>`
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
  for (const { userId, bought, started, paid } of shoppers) {
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
  return { acknowledged, lost, doubled, isSound }
}
