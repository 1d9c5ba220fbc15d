import { HOUR_MS } from './durations.ts'
import { dinars, inDinars, MAX_PRICE, MILLIMES_PER_DINAR, type Millimes } from './money.ts'
import { parseDinars } from './typed-numbers.ts'

/** Bank transfer is offered for totals above this. */
export const BANK_TRANSFER_ABOVE = 10 * MILLIMES_PER_DINAR

export const DIRECT_METHODS = ['direct', 'card'] as const
export type DirectMethod = (typeof DIRECT_METHODS)[number]

/** The method of a direct payment, by the page that it starts on. */
export const DIRECT_PAYMENT_METHODS = {
  home: 'direct',
  shop: 'direct',
  details: 'card',
} as const satisfies Record<string, DirectMethod>

/** How long an order stays pending before it expires. */
export const ORDER_LIFETIME_MS = 72 * HOUR_MS

/** The methods by which the payer sends the money to the shop, which confirms its arrival. */
export const TRANSFER_METHODS = ['bank_transfer', 'd17'] as const
export type TransferMethod = (typeof TRANSFER_METHODS)[number]

/** The methods with which a payment can be started; `card` is through the gateway. */
export const ORDER_METHODS = ['card', ...TRANSFER_METHODS] as const
export type OrderMethod = (typeof ORDER_METHODS)[number]

/** All payment methods, in the order of the checkout. */
export const PAYMENT_METHODS = ['wallet', ...ORDER_METHODS] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

export const PAYMENT_PURPOSES = ['order', 'top_up'] as const
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number]

/**
 * How many bank transfers and D17 payments of one account may wait at once, for orders and top-ups
 * together.
 */
export const MOST_OPEN_TRANSFERS = 3

export function isOffered(method: PaymentMethod, total: Millimes): boolean {
  if (method === 'bank_transfer') return total > BANK_TRANSFER_ABOVE
  return method !== 'card' || canPayDirectly(total)
}

/**
 * The values that the pay button depends on; `method` is null while none is chosen, amounts are in
 * millimes.
 */
type PayState = {
  method: PaymentMethod | null
  balance: Millimes
  total: Millimes
  loading: boolean
}

/**
 * Whether the pay button is enabled: the method is offered, nothing is loading, the wallet
 * suffices.
 */
export function canPay({ method, balance, total, loading }: PayState): boolean {
  if (method === null || loading || !isOffered(method, total)) return false
  return method !== 'wallet' || canPayFromWallet({ price: total, balance })
}

/** A final price below this is a small purchase, which can only be paid from the wallet. */
export const SMALL_PURCHASE_BELOW = 10 * MILLIMES_PER_DINAR

/** A possible purchase: the final price and the wallet's balance, in millimes. */
export type Purchase = { price: Millimes; balance: Millimes }

export function canPayFromWallet({ price, balance }: Purchase): boolean {
  return balance >= price
}

/** Whether the direct payment may start: not for a small purchase. */
export function canPayDirectly(price: Millimes): boolean {
  return price >= SMALL_PURCHASE_BELOW
}

/** The ways to pay that a shop has besides its wallets. */
export interface PaymentWays {
  /** Whether it has a payment gateway. */
  readonly takesCards: boolean
  /** The transfers for which it has an account. */
  readonly transfers: readonly TransferMethod[]
}

/** Whether anybody can top up a wallet: a bank transfer pays orders alone. */
export function takesTopUps({ takesCards, transfers }: PaymentWays): boolean {
  return takesCards || transfers.includes('d17')
}

/** Whether a document can be paid for by itself without the wallet. */
export function canOrder(price: Millimes, { takesCards, transfers }: PaymentWays): boolean {
  const isTransferred = transfers.some((method) => isOffered(method, price))
  return canPayDirectly(price) && (takesCards || isTransferred)
}

/** The wallet's balance after the purchase, in millimes; negative if it does not suffice. */
export function balanceAfter({ price, balance }: Purchase): Millimes {
  return balance - price
}

export const MIN_TOP_UP = 10 * MILLIMES_PER_DINAR

export const MAX_TOP_UP = 2000 * MILLIMES_PER_DINAR

/** The amounts offered for a top-up, smallest first. */
export const TOP_UP_PRESETS: readonly number[] = [
  10 * MILLIMES_PER_DINAR,
  20 * MILLIMES_PER_DINAR,
  50 * MILLIMES_PER_DINAR,
  100 * MILLIMES_PER_DINAR,
  200 * MILLIMES_PER_DINAR,
]

/** The smallest preset that covers the missing amount; null if none does. */
export function presetFor(missing: Millimes): Millimes | null {
  return TOP_UP_PRESETS.find((preset) => preset >= missing) ?? null
}

/** One of the preset amounts, or a typed text. */
export type AmountChoice = { kind: 'preset'; amount: Millimes } | { kind: 'custom'; text: string }

/** The smallest preset that covers what is missing for a price; where none does, what is missing. */
export function proposedChoice(price: Millimes | null, balance: Millimes): AmountChoice {
  const missing = Math.max(0, (price ?? 0) - balance)
  const amount = presetFor(missing)
  return amount === null
    ? { kind: 'custom', text: String(inDinars(Math.min(missing, MAX_TOP_UP))) }
    : { kind: 'preset', amount }
}

/**
 * The price in the address of the wallet's page, converted from dinars to millimes; null if it is not a
 * valid price.
 */
export function readDocumentPrice(text: string | null): Millimes | null {
  const amount = text === null ? null : parseDinars(text)
  const price = amount === null ? null : dinars(amount)
  return price !== null && price <= MAX_PRICE ? price : null
}

/** The limit that a top-up, in millimes, breaks; null if it can be charged. */
export function checkTopUp(amount: Millimes): 'below_minimum' | 'above_maximum' | null {
  if (amount > MAX_TOP_UP) return 'above_maximum'
  return amount >= MIN_TOP_UP ? null : 'below_minimum'
}
