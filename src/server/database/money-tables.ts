import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { BundleAnswer } from '../../rules/bundles.ts'
import type { CodeScope } from '../../rules/discount-codes.ts'
import type { InvoiceKind } from '../../rules/invoices.ts'
import type { Language } from '../../rules/languages.ts'
import type { AccountKind, AdjustmentState, MovementKind } from '../../rules/ledger.ts'
import type { Millimes } from '../../rules/money.ts'
import type { OrderMethod, PaymentMethod, PaymentPurpose } from '../../rules/payment-methods.ts'
import type {
  DifferenceKind,
  DifferenceOutcome,
  OrderStatus,
  PaymentProvider,
  PaymentState,
  ReportedState,
  SandboxState,
} from '../../rules/payment-states.ts'
import type { PayoutState } from '../../rules/payouts.ts'
import type { ActKind, ActState } from '../../rules/two-people.ts'
import type { Json, Moment, OptionalMoment } from './columns.ts'

export interface PaymentsTable {
  id: Generated<number>
  reference: string
  provider: PaymentProvider
  method: OrderMethod
  purpose: PaymentPurpose
  userId: number
  orderId: number | null
  amount: Millimes
  status: Generated<PaymentState>
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

export interface PayoutsTable {
  id: Generated<number>
  teacherId: number
  amount: Millimes
  /** The part of the amount that goes to the tax office. */
  withheld: Generated<Millimes>
  /** `withheld` of a payout that is paid; otherwise 0. */
  withheldBooked: Generated<Millimes>
  status: Generated<PayoutState>
  holder: string
  rib: string
  /** '' for a teacher without one. */
  taxNumber: Generated<string>
  requestedAt: Moment
  decidedAt: OptionalMoment
  /** The reference of the bank transfer. */
  reference: string | null
  /** Why the payout was refused. */
  reason: string | null
  /** The day (`2026-11-22`) of the bank transfer. */
  transferredOn: Generated<string | null>
  /** Whether it was transferred above the bound before a second had approved it. */
  isUnapproved: Generated<boolean>
}

/** What staff did alone, or what waited for a second; `proposer` and `decider` as in the log. */
export interface ActsTable {
  id: GeneratedAlways<number>
  kind: ActKind
  /** What it is done to; null where several may wait. */
  subject: string | null
  /** The customer whom it is about. */
  userId: number | null
  /** Below 0 for money that an adjustment takes. */
  amount: Millimes
  input: Json
  detail: string
  reason: string
  needsSecond: boolean
  state: ActState
  proposer: string
  proposedAt: Moment
  toldAt: OptionalMoment
  decider: string | null
  decidedAt: OptionalMoment
  /** Why it was refused. */
  refusal: Generated<string | null>
  usedAt: OptionalMoment
}

/** A change of a wallet that was made; earlier versions kept here what waited, too. */
interface AdjustmentsTable {
  id: GeneratedAlways<number>
  userId: number
  amount: Millimes
  reason: string
  needsSecond: boolean
  state: AdjustmentState
  proposer: string
  proposedAt: Moment
  decider: string | null
  decidedAt: OptionalMoment
  /** Why the adjustment was refused. */
  refusal: string | null
}

/** What a gateway reports about a payment, where it differs from the shop's record. */
export interface PaymentDifferencesTable {
  id: GeneratedAlways<number>
  paymentId: number
  kind: DifferenceKind
  expectedAmount: Millimes
  gatewayReference: string
  reportedAmount: Millimes
  reportedState: ReportedState
  notedAt: Moment
  outcome: Generated<DifferenceOutcome | null>
  decider: Generated<string | null>
  decidedAt: OptionalMoment
  reason: Generated<string | null>
}

/** What an invoice says about its seller and its buyer, in its language. */
interface InvoiceSeller {
  readonly name: string
  /** The shop's look on that day; earlier versions noted none. */
  readonly mark?: { readonly name: string; readonly logo: string; readonly accent: string }
  readonly address: string
  readonly phone: string
  readonly email: string
  readonly taxNumber: string
  readonly register: string
  /** Why there is no VAT. */
  readonly exemption: string
}

export interface InvoiceBuyer {
  readonly name: string
  readonly address: string
  /** '' for a person without one. */
  readonly taxNumber: string
}

export interface InvoiceLine {
  readonly documentId: number
  readonly title: string
  readonly price: Millimes
  /** The bundle of whose price it is a share; invoices of earlier versions do not say it. */
  readonly bundleId?: number | null
}

/** An invoice, or a credit note for a refund of one; rows are only added. */
interface InvoicesTable {
  id: GeneratedAlways<number>
  kind: InvoiceKind
  /** In Tunisia; the number is consecutive within kind and year. */
  year: number
  number: number
  orderId: number
  corrects: number | null
  issuedAt: Moment
  locale: Language
  seller: ColumnType<InvoiceSeller, string, never>
  buyer: ColumnType<InvoiceBuyer, string, never>
  lines: ColumnType<InvoiceLine[], string, never>
  vatRate: number | null
  net: Millimes
  vat: Millimes
  stamp: Millimes
}

export interface MoneyTables {
  accounts: {
    id: Generated<number>
    kind: AccountKind
    userId: number | null
    teacherId: number | null
    balance: Millimes | null
    /** Whether the balance was moved to another account's wallet. */
    isClosed: Generated<boolean>
  }
  orders: {
    id: Generated<number>
    buyerId: number
    status: OrderStatus
    method: PaymentMethod
    total: Millimes
    createdAt: Moment
    paidAt: OptionalMoment
    hasReceipt: Generated<boolean>
    /** What its buyer read before paying: the language and the version of the sentence, `fr 3`. */
    notice: Generated<string | null>
    codeId: Generated<number | null>
  }
  orderItems: {
    orderId: number
    documentId: number
    price: Millimes
    refundedAt: OptionalMoment
    soldAt: OptionalMoment
    /** The teacher of the document at the time of the sale. */
    teacherId: number | null
    /** The teacher's share of the price; null: not sold, or sold before shares existed. */
    teacherShare: Millimes | null
    /** The bundle of whose price the item's is a share, and what the bundle costs in this order. */
    bundleId: Generated<number | null>
    bundleTotal: Generated<Millimes | null>
    /** The price before a teacher's code. */
    priceBefore: Generated<Millimes | null>
    /** What a code of the shop took off: the buyer pays the rest of the price. */
    codeOff: Generated<Millimes>
    /** What of it a refund returned to the shop: all of it. */
    codeReturned: Generated<Millimes>
  }
  discountCodes: {
    id: GeneratedAlways<number>
    code: string
    teacherId: number | null
    percent: number | null
    atMost: Millimes | null
    amount: Millimes | null
    scope: CodeScope
    startsAt: Moment
    endsAt: OptionalMoment
    usesMax: number | null
    usesPerPerson: number | null
    leastTotal: Millimes | null
    createdAt: Moment
    stoppedAt: OptionalMoment
  }
  discountCodeTargets: {
    codeId: number
    documentId: number | null
    niveauId: number | null
    teacherId: number | null
  }
  bundles: {
    id: GeneratedAlways<number>
    /** null: it is of several teachers, who agree (`bundleAgreements`). */
    teacherId: number | null
    price: Millimes
    createdAt: Moment
    /** When its teacher ended it; of several teachers, since when not all of them agree. */
    stoppedAt: OptionalMoment
    /** When its teachers were told that it does not sell; null while it sells. */
    toldAt: OptionalMoment
    /** Counts what several teachers were asked about. */
    revision: Generated<number>
    /** When an administrator ended a bundle of several teachers. */
    endedAt: OptionalMoment
  }
  bundleDocuments: {
    bundleId: number
    documentId: number
    /** What it cost singly when several teachers were asked; null in a bundle of one teacher. */
    price: Generated<Millimes | null>
  }
  bundleAgreements: {
    bundleId: number
    teacherId: number
    askedAt: Moment
    answer: Generated<BundleAnswer | null>
    answeredAt: OptionalMoment
  }
  ledgerTransactions: {
    id: Generated<number>
    kind: MovementKind
    orderId: number | null
    note: Generated<string>
    paymentId: ColumnType<number | null, number | null | undefined, never>
    payoutId: ColumnType<number | null, number | null | undefined, never>
    adjustmentId: ColumnType<number | null, number | null | undefined, never>
    taxPaymentId: ColumnType<number | null, number | null | undefined, never>
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
  /** Photos of receipts beside transfers. */
  receiptPhotos: {
    id: GeneratedAlways<number>
    paymentId: number
    uploadId: string
    storageKey: string
    /** The size of the stored picture, in bytes, then in pixels. */
    size: number
    width: number
    height: number
    addedAt: Date
  }
  payouts: PayoutsTable
  acts: ActsTable
  adjustments: AdjustmentsTable
  paymentDifferences: PaymentDifferencesTable
  /** The sums of days that were closed; rows are only added. */
  dayClosings: {
    id: GeneratedAlways<number>
    day: string
    closedAt: Date
    actor: string
    sums: Json
  }
  bankAccounts: {
    teacherId: number
    holder: string
    rib: string
    taxNumber: Generated<string>
    changedAt: Moment
    /** Payouts wait until then; null: they need not. */
    payableFrom: Date | null
  }
  /** The e-mail addresses and phone numbers that teachers had a short time ago. */
  formerContacts: { userId: number; contact: string; changedAt: Date }
  /** What the shop paid to the tax office of what was withheld; rows are only added. */
  taxPayments: {
    id: GeneratedAlways<number>
    amount: Millimes
    paidOn: string
    reference: string
    recordedAt: Moment
    actor: string
  }
  /** Every value that the operator has set; rows are only added. */
  settings: {
    id: GeneratedAlways<number>
    name: string
    teacherId: number | null
    value: number | null
    setAt: Moment
    actor: string
    reason: Generated<string>
  }
  receipts: { number: number; orderId: number; issuedAt: Moment }
  invoiceCounters: { kind: InvoiceKind; year: number; last: number }
  invoices: InvoicesTable
  sandboxPayments: {
    reference: string
    orderReference: string
    amount: Millimes
    status: ColumnType<SandboxState, string | undefined, string>
    paysAt: OptionalMoment
    successUrl: string
    failUrl: string
    webhookUrl: string
    locale: Language
  }
}
