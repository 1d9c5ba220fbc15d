import type { ColumnType, Generated } from 'kysely'
import type { Language } from '../../rules/languages.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Json, Moment, OptionalMoment } from './columns.ts'

export interface PaymentsTable {
  id: Generated<number>
  reference: string
  provider: 'sandbox' | 'konnect' | 'manual'
  method: 'card' | 'bank_transfer' | 'd17'
  purpose: 'order' | 'top_up'
  userId: number
  orderId: number | null
  amount: Millimes
  status: Generated<'pending' | 'paid' | 'refused' | 'expired' | 'cancelled'>
  gatewayReference: string | null
  payUrl: string | null
  intent: string
  returnTo: Generated<string>
  locale: Generated<Language>
  createdAt: Moment
  expiresAt: ColumnType<Date, Date | string, Date | string>
  settledAt: OptionalMoment
  nextCheckAt: OptionalMoment
  checks: Generated<number>
}

/** The tables of `money/`. */
export interface MoneyTables {
  accounts: {
    id: Generated<number>
    kind: 'customer' | 'teacher_sales' | 'gateway' | 'adjustments'
    userId: number | null
    teacherId: number | null
    balance: Millimes | null
  }
  orders: {
    id: Generated<number>
    buyerId: number
    status: 'pending' | 'paid' | 'cancelled' | 'expired' | 'replaced'
    method: string
    total: Millimes
    createdAt: Moment
    paidAt: OptionalMoment
    hasReceipt: Generated<boolean>
  }
  orderItems: {
    orderId: number
    documentId: number
    price: Millimes
    refundedAt: OptionalMoment
  }
  ledgerTransactions: {
    id: Generated<number>
    kind: 'purchase' | 'top_up' | 'refund' | 'adjustment'
    orderId: number | null
    note: Generated<string>
    paymentId: ColumnType<number | null, number | null | undefined, never>
    createdAt: Moment
  }
  ledgerEntries: {
    id: Generated<number>
    transactionId: number
    accountId: number
    amount: Millimes
  }
  purchases: {
    id: Generated<number>
    userId: number
    documentId: number
    orderId: number
    price: Millimes
    purchasedAt: Moment
  }
  idempotentRequests: {
    userId: number
    key: string
    requestHash: string
    result: Json
    createdAt: Moment
  }
  payments: PaymentsTable
  receipts: { number: number; orderId: number; issuedAt: Moment }
  sandboxPayments: {
    reference: string
    orderReference: string
    amount: Millimes
    status: ColumnType<'pending' | 'paid' | 'refused', string | undefined, string>
    paysAt: OptionalMoment
    successUrl: string
    failUrl: string
    webhookUrl: string
    locale: Language
  }
}
