import type { Millimes } from '../../../src/rules/money.ts'
import type {
  Model,
  ModelBundle,
  ModelCode,
  ModelConsent,
  ModelCustomer,
  ModelDocument,
  ModelItem,
  ModelOrder,
  ModelPayment,
  ModelTeacher,
} from './model-books.ts'

// The rules of docs/shop/ alone, as pure functions.

export function totalOf({ items }: ModelOrder): Millimes {
  return items.reduce((sum, item) => sum + paid(item), 0)
}

const paid = ({ price, off }: ModelItem): Millimes => price - off

export function orderOf(
  id: number,
  buyer: ModelCustomer,
  documents: readonly ModelDocument[],
  bundles: readonly ModelBundle[] = [],
): ModelOrder {
  const priced = new Map<ModelDocument, { price: Millimes; bundle: ModelBundle }>()
  for (const bundle of bundles.toSorted((a, b) => a.price - b.price || a.id - b.id)) {
    const lacked = bundle.documents.filter((document) => !buyer.owned.has(document))
    const isWhole = lacked.every((each) => documents.includes(each) && !priced.has(each))
    if (!isWhole || !sells(bundle)) continue
    const parts = partsOf(bundle)
    const left = lacked.reduce((sum, document) => sum + (parts.get(document) ?? 0), 0)
    for (const each of lacked) {
      priced.set(each, { price: left < 500 ? 0 : (parts.get(each) ?? 0), bundle })
    }
  }
  const items = documents.map((document) => ({
    document,
    price: document.price,
    bundle: null,
    ...priced.get(document),
    off: 0,
    share: 0,
    isRefunded: false,
  }))
  return { id, buyer, items, code: null, state: 'pending' }
}

/** Lowers the prices of a new order of these documents by a code; why it does not, where it may not. */
export function applyCode(
  model: Model,
  order: ModelOrder,
  code: ModelCode,
  documents: readonly ModelDocument[],
): string | null {
  const isMeant = ({ document }: ModelItem) =>
    code.teacher === null || document.teacher === code.teacher
  const groups = [...Map.groupBy(order.items, (item) => item.bundle ?? item).values()]
  const meant = groups.filter((items) => items.every(isMeant))
  const before = meant.map((items) => items.reduce((sum, { price }) => sum + price, 0))
  const uses = model.orders.filter(
    (other) => other.code === code && (other.state === 'pending' || other.state === 'paid'),
  )
  const left = uses.filter((other) => !unpayable(model, order.buyer, documents).includes(other))
  if (code.usesMax !== null && left.length >= code.usesMax) return 'code_ended'
  const own = left.filter(({ buyer }) => buyer === order.buyer)
  if (code.usesPerPerson !== null && own.length >= code.usesPerPerson) return 'code_used'
  const whole = before.reduce((sum, price) => sum + price, 0)
  if (whole === 0) return 'code_not_for_these'
  if (code.leastTotal !== null && whole < code.leastTotal) return 'code_below_least'

  const cheap = (price: Millimes) => (price < 500 ? 0 : price)
  const { percent, most } = code
  let after = before.map((price) => {
    const exact = price * (100 - (percent ?? 0))
    return cheap((exact - (exact % 1000)) / 100)
  })
  const taken = whole - after.reduce((sum, price) => sum + price, 0)
  if (most !== null && (percent === null || taken > most)) {
    after = [...before]
    let rest = most
    // The dearest first, of equal ones the first.
    while (rest > 0 && after.some((price, at) => price > 0 && price === before[at])) {
      const open = before.map((price, at) => (after[at] === price ? price : -1))
      const at = open.indexOf(Math.max(...open))
      const off = Math.min(rest, before[at] ?? 0)
      after[at] = cheap((before[at] ?? 0) - off)
      rest -= off
    }
  }
  for (const [at, items] of meant.entries()) {
    const sum = before[at] ?? 0
    if (sum === 0) continue
    const parts = inProportion(
      after[at] ?? 0,
      items.map(({ price }) => price),
    )
    for (const [place, item] of items.entries()) {
      const price = parts[place] ?? 0
      if (code.teacher === null) item.off = item.price - price
      else item.price = price
    }
  }
  order.code = code
  return null
}

const sumOf = ({ documents }: ModelBundle) => documents.reduce((sum, { price }) => sum + price, 0)

const sells = (bundle: ModelBundle) =>
  bundle.price < sumOf(bundle) &&
  bundle.documents.every(({ price }) => price > 0) &&
  (bundle.consent === null || isAgreed(bundle.documents, bundle.consent))

const isAgreed = (documents: readonly ModelDocument[], { prices, answers }: ModelConsent) =>
  answers.every((answer) => answer === 'agreed') &&
  documents.every(({ price }, at) => price === prices[at])

/** Asks the teachers of a bundle again, at today's prices; false where it would be no bundle. */
export function offer(bundle: ModelBundle): boolean {
  const { documents, price, consent } = bundle
  if (price >= sumOf(bundle) || documents.some((document) => document.price === 0)) return false
  bundle.consent = {
    revision: (consent?.revision ?? 0) + 1,
    prices: documents.map((document) => document.price),
    answers: [null, null],
  }
  return true
}

function partsOf({ price, documents }: ModelBundle): Map<ModelDocument, Millimes> {
  const parts = inProportion(
    price,
    documents.map((each) => each.price),
  )
  return new Map(documents.map((document, at) => [document, parts[at] ?? 0]))
}

/** Rounded down to 10 millimes each; then 10 each for those that lost most, the first of equal ones. */
function inProportion(sum: Millimes, prices: readonly Millimes[]): Millimes[] {
  const whole = prices.reduce((total, price) => total + price, 0)
  const parts = prices.map((price) => {
    const times = sum * price
    const lost = times % (whole * 10)
    return { price: (times - lost) / whole, lost }
  })
  let left = sum - parts.reduce((total, { price }) => total + price, 0)
  for (const part of parts.toSorted((a, b) => b.lost - a.lost)) {
    if (left > 0) part.price += 10
    left -= 10
  }
  return parts.map(({ price }) => price)
}

/**
 * Pays from the wallet: an order of the documents not owned yet; why not, where the code or the wallet
 * does not allow it.
 */
export function payFromWallet(
  model: Model,
  buyer: ModelCustomer,
  documents: readonly ModelDocument[],
  bundles: readonly ModelBundle[],
  code: ModelCode | null,
): { order: ModelOrder; excluded: ModelDocument[] } | string {
  const order = orderOf(
    0,
    buyer,
    documents.filter((document) => !buyer.owned.has(document)),
    bundles,
  )
  const refusal = code && applyCode(model, order, code, documents)
  if (refusal) return refusal
  if (totalOf(order) > buyer.balance) return 'insufficient_balance'
  // They would keep a use of the code.
  if (code) for (const old of unpayable(model, buyer, documents)) end(model, old, 'replaced')
  buyer.balance -= totalOf(order)
  sell(model, order)
  return {
    order,
    excluded: documents.filter((one) => !order.items.some((i) => i.document === one)),
  }
}

/** A pending payment: not refused, closed, cancelled or settled. */
function isOpen({ isSettled, isClosed, isCancelled }: ModelPayment): boolean {
  return !isSettled && !isClosed && !isCancelled
}

/** Whether an order can still be paid by some payment. */
export function waits(model: Model, order: ModelOrder): boolean {
  return (
    order.state === 'pending' &&
    model.payments.some((payment) => payment.order === order && isOpen(payment))
  )
}

export function openTransfers(model: Model, payer: ModelCustomer): ModelPayment[] {
  return model.payments.filter(
    (payment) => payment.kind === 'manual' && payment.payer === payer && isOpen(payment),
  )
}

/** Why these documents cannot be ordered. */
export function refusalOf(
  model: Model,
  buyer: ModelCustomer,
  documents: readonly ModelDocument[],
): 'already_owned' | 'already_ordered' | null {
  if (documents.some((document) => buyer.owned.has(document))) return 'already_owned'
  const isWaiting = overlapping(model, buyer, documents).some((order) => waits(model, order))
  return isWaiting ? 'already_ordered' : null
}

function overlapping(
  model: Model,
  buyer: ModelCustomer,
  documents: readonly ModelDocument[],
): ModelOrder[] {
  return model.orders.filter(
    (order) =>
      order.buyer === buyer &&
      order.state === 'pending' &&
      order.items.some(({ document }) => documents.includes(document)),
  )
}

/** A buyer's orders of some of these documents that no payment can pay any more. */
const unpayable = (model: Model, buyer: ModelCustomer, documents: readonly ModelDocument[]) =>
  overlapping(model, buyer, documents).filter((order) => !waits(model, order))

/** Places an order, which replaces those that cannot be paid any more. */
export function place(model: Model, order: ModelOrder): void {
  const documents = order.items.map(({ document }) => document)
  for (const old of overlapping(model, order.buyer, documents)) end(model, old, 'replaced')
  model.orders.push(order)
}

/** Ends an unpaid order. */
export function end(model: Model, order: ModelOrder, state: 'cancelled' | 'replaced'): void {
  order.state = state
  for (const payment of model.payments) {
    if (payment.order === order && !payment.isSettled) payment.isCancelled = true
  }
}

/** Refuses a transfer as an operator; an order without another open payment ends. */
export function refuse(model: Model, payment: ModelPayment): void {
  payment.isClosed = true
  const { order } = payment
  if (order?.state === 'pending' && !waits(model, order)) order.state = 'ended'
}

/** Replaces orders whose documents their buyer all owns. */
export function replaceOwned(model: Model, buyer: ModelCustomer): void {
  for (const order of model.orders) {
    if (order.buyer !== buyer || order.state !== 'pending') continue
    if (order.items.every(({ document }) => buyer.owned.has(document)))
      end(model, order, 'replaced')
  }
}

/** Grants a free order as soon as it is placed. */
export function payFree(model: Model, order: ModelOrder): void {
  sell(model, order)
}

/** The one effect of a paid payment, applied once. */
export function settle(model: Model, payment: ModelPayment): void {
  if (payment.isSettled) return
  payment.isSettled = true
  model.moneyIn += payment.amount
  const { order, payer } = payment
  if (!order || order.state === 'paid' || payment.isCancelled) payer.balance += payment.amount
  else sell(model, order)
}

/**
 * Moves everything from one customer to another; of documents that both own the dearer grant stays.
 */
export function merge(model: Model, from: ModelCustomer, into: ModelCustomer): void {
  into.balance += from.balance
  from.balance = 0
  const priceIn = (order: ModelOrder, document: ModelDocument) =>
    order.items.filter((item) => item.document === document).map(paid)[0] ?? 0
  for (const [document, order] of from.owned) {
    const kept = into.owned.get(document)
    if (!kept || priceIn(order, document) > priceIn(kept, document)) into.owned.set(document, order)
  }
  from.owned.clear()
  for (const order of model.orders) if (order.buyer === from) order.buyer = into
  for (const payment of model.payments) if (payment.payer === from) payment.payer = into
  replaceOwned(model, into)
}

/** Refunds one item, or all remaining ones, of a bundle alone if one is given; false if there is none. */
export function refund(
  model: Model,
  order: ModelOrder,
  { document, bundle }: { document?: ModelDocument | undefined; bundle?: ModelBundle | undefined },
): boolean {
  const items = order.items.filter(
    (item) =>
      !item.isRefunded &&
      (!document || item.document === document) &&
      (!bundle || item.bundle === bundle),
  )
  if (order.state !== 'paid' || items.length === 0) return false
  for (const item of items) {
    item.isRefunded = true
    order.buyer.balance += paid(item)
    earn(model, item, -1)
    if (order.buyer.owned.get(item.document) === order) order.buyer.owned.delete(item.document)
  }
  return true
}

/**
 * Grants an order's documents. Those owned by now are not sold twice: their price stays the
 * buyer's.
 */
function sell(model: Model, order: ModelOrder): void {
  order.state = 'paid'
  for (const item of order.items) {
    const percent = teacherOf(model, item.document).sharePercent ?? model.sharePercent
    const exact = item.price * percent
    item.share = (exact - (exact % 1000)) / 100
    if (order.buyer.owned.has(item.document)) {
      item.isRefunded = true
      order.buyer.balance += paid(item)
    } else {
      order.buyer.owned.set(item.document, order)
      earn(model, item, 1)
    }
  }
  replaceOwned(model, order.buyer)
}

function earn(model: Model, { document, price, off, share }: ModelItem, sign: 1 | -1): void {
  teacherOf(model, document).balance += sign * share
  model.revenue += sign * (price - share)
  model.codesPaid += sign * off
}

function teacherOf(model: Model, { teacher }: ModelDocument): ModelTeacher {
  const found = model.teachers[teacher]
  if (!found) throw new Error('nobody wrote this document')
  return found
}

/** Why a teacher gets no payout of this amount. */
export function payoutRefusal(
  teacher: ModelTeacher,
  amount: Millimes,
): 'payout_open' | 'payout_not_available' | null {
  if (teacher.pendingPayout) return 'payout_open'
  return amount > teacher.balance ? 'payout_not_available' : null
}
