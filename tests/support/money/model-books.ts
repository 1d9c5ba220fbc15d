import type { Millimes } from '../../../src/rules/money.ts'

/** The expected books, by the rules of docs/shop/ and nothing else. Pure. */
export interface Model {
  readonly customers: ModelCustomer[]
  readonly documents: ModelDocument[]
  readonly bundles: ModelBundle[]
  readonly codes: ModelCode[]
  readonly teachers: ModelTeacher[]
  /** The share of teachers without one of their own, in percent. */
  sharePercent: number
  /** The shop's part of the sales, minus refunds. */
  revenue: Millimes
  /** What the shop's codes took off, minus refunds. */
  codesPaid: Millimes
  paidOut: Millimes
  /** What payouts withheld for the tax office; `paidOut` is the rest. */
  withheld: Millimes
  readonly orders: ModelOrder[]
  readonly payments: ModelPayment[]
  /** What administrators adjusted alone, and what waits for a second one. */
  readonly adjusted: { actor: string; size: Millimes; at: number }[]
  readonly proposed: { id: number; customer: ModelCustomer; amount: Millimes; actor: string }[]
  /** What adjustments took from wallets, minus what they gave. */
  adjustments: Millimes
  /** What gateways and transfers brought in. */
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
  /** Shares of sales, minus refunds and payouts. */
  balance: Millimes
  /** The pending payout. */
  pendingPayout: { id: number; amount: Millimes; withheld: Millimes } | null
  /** What is withheld of payouts, in percent. */
  withholding: number
}

export interface ModelDocument {
  readonly id: number
  readonly teacher: number
  price: Millimes
}

/** Documents that are sold together at one price. */
export interface ModelBundle {
  readonly id: number
  readonly price: Millimes
  readonly documents: readonly ModelDocument[]
  /** What its teachers said, and at which prices of its documents they were asked; null: it is of one teacher. */
  consent: ModelConsent | null
}

export interface ModelConsent {
  readonly revision: number
  readonly prices: readonly Millimes[]
  readonly answers: ('agreed' | 'refused' | null)[]
}

/** A code of a teacher, by place, or of the shop; it takes off a percentage, at most a sum, or a sum. */
export interface ModelCode {
  readonly code: string
  readonly teacher: number | null
  readonly percent: number | null
  readonly most: Millimes | null
  readonly usesMax: number | null
  readonly usesPerPerson: number | null
  readonly leastTotal: Millimes | null
}

export interface ModelOrder {
  id: number
  buyer: ModelCustomer
  readonly items: ModelItem[]
  code: ModelCode | null
  state: 'pending' | 'paid' | 'cancelled' | 'replaced' | 'ended'
}

export interface ModelItem {
  readonly document: ModelDocument
  /** What teacher and shop share. */
  price: Millimes
  /** What of it a code of the shop pays. */
  off: Millimes
  readonly bundle: ModelBundle | null
  /** The teacher's part, set at the sale. */
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
  /** According to the gateway's books, in the exact amount. */
  isPaid: boolean
  isSettled: boolean
  /** The shop no longer polls for it, or an operator refused it. */
  isClosed: boolean
  /** Its order was cancelled: its money goes to the wallet. */
  isCancelled: boolean
  /** The gateway has another amount for it, permanently. */
  isSpoilt: boolean
}

export function emptyModel(): Model {
  return {
    customers: [],
    documents: [],
    bundles: [],
    codes: [],
    teachers: [],
    sharePercent: 70,
    revenue: 0,
    codesPaid: 0,
    paidOut: 0,
    withheld: 0,
    orders: [],
    payments: [],
    adjusted: [],
    proposed: [],
    adjustments: 0,
    moneyIn: 0,
  }
}
