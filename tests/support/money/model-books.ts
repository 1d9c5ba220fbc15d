import type { Millimes } from '../../../src/rules/money.ts'

/** What the books should say, by the rules of docs/shop.md and nothing else. Pure. */
export interface Model {
  readonly customers: ModelCustomer[]
  readonly documents: ModelDocument[]
  readonly teachers: ModelTeacher[]
  /** What of a sale is a teacher's who has no other share. */
  sharePercent: number
  /** What of the sales is the shop's, less what was refunded. */
  revenue: Millimes
  paidOut: Millimes
  readonly orders: ModelOrder[]
  readonly payments: ModelPayment[]
  /** What administrators adjusted alone, and what waits for a second one. */
  readonly adjusted: { customer: ModelCustomer; actor: string; size: Millimes; at: number }[]
  readonly proposed: { id: number; customer: ModelCustomer; amount: Millimes; actor: string }[]
  /** What adjustments took from wallets, less what they gave. */
  adjustments: Millimes
  /** What gateways and transfers brought. */
  moneyIn: Millimes
}

export interface ModelCustomer {
  balance: Millimes
  /** Each owned document, and the order that granted it. */
  readonly owned: Map<ModelDocument, ModelOrder>
}

export interface ModelTeacher {
  /** null: the shop's. */
  sharePercent: number | null
  /** Shares of what was sold, less what was refunded and paid out. */
  balance: Millimes
  /** The payout that waits. */
  asked: { id: number; amount: Millimes } | null
}

export interface ModelDocument {
  readonly id: number
  readonly teacher: number
  price: Millimes
}

export interface ModelOrder {
  id: number
  buyer: ModelCustomer
  readonly items: ModelItem[]
  state: 'pending' | 'paid' | 'cancelled' | 'replaced' | 'ended'
}

export interface ModelItem {
  readonly document: ModelDocument
  readonly price: Millimes
  /** The teacher's part, from the sale on. */
  share: Millimes
  isRefunded: boolean
}

export interface ModelPayment {
  readonly reference: string
  readonly kind: 'gateway' | 'manual'
  payer: ModelCustomer
  /** null: a top-up. */
  readonly order: ModelOrder | null
  readonly amount: Millimes
  /** By the gateway's books, and exactly. */
  isPaid: boolean
  isSettled: boolean
  /** Nobody asks for it by himself any more, or an operator refused it. */
  isClosed: boolean
  /** Its order is wanted no more: its money is the wallet's. */
  isCancelled: boolean
  /** The gateway has another amount for it, for good. */
  isSpoilt: boolean
}

export function emptyModel(): Model {
  return {
    customers: [],
    documents: [],
    teachers: [],
    sharePercent: 70,
    revenue: 0,
    paidOut: 0,
    orders: [],
    payments: [],
    adjusted: [],
    proposed: [],
    adjustments: 0,
    moneyIn: 0,
  }
}
