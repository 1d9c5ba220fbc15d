import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Language } from '../../rules/languages.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Role } from '../../rules/roles.ts'

type Moment = ColumnType<Date, Date | string | undefined, Date | string>
type OptionalMoment = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
type Json = ColumnType<unknown, string | null, string | null>

/** `SHOP` is the common inbox's: one account, which nobody logs in to. */
export type AccountRole = Role | 'SHOP'

export interface UsersTable {
  id: Generated<number>
  email: string
  phone: string | null
  username: string
  firstName: string
  lastName: string
  gender: 'male' | 'female' | null
  role: AccountRole
  /** null: invited, and no password chosen yet. */
  passwordHash: string | null
  tokenGeneration: Generated<number>
  /** Since when the account may not log in. */
  blockedAt: OptionalMoment
  isDemo: Generated<boolean>
  locale: Generated<Language>
  createdAt: Moment
  emailConfirmedAt: OptionalMoment
}

export interface TeachersTable {
  id: Generated<number>
  userId: number | null
  firstName: string
  lastName: string
  email: string
  bio: Generated<string>
  isFeatured: Generated<boolean>
  ratingSum: Generated<number>
  ratingCount: Generated<number>
  reviewCount: Generated<number>
  salesCount: Generated<number>
  createdAt: Moment
}

interface NamedTable {
  id: Generated<number>
  name: string
  code: string | null
}

export interface DocumentsTable {
  id: Generated<number>
  teacherId: number
  title: string
  description: Generated<string>
  price: Millimes
  priceDiscount: Millimes | null
  finalPrice: GeneratedAlways<Millimes>
  categoryId: number
  matiereId: number
  niveauId: number
  level: string
  audience: string
  searchText: string
  fileId: number
  coverPath: string | null
  livrePath: string | null
  coverMappingId: number | null
  isPublished: Generated<boolean>
  isFeatured: Generated<boolean>
  salesCount: Generated<number>
  ratingSum: Generated<number>
  ratingCount: Generated<number>
  rating: GeneratedAlways<number>
  uploadedAt: Moment
}

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

/** What staff did, to what, and why; rows are only added. */
export interface StaffLogTable {
  id: GeneratedAlways<number>
  madeAt: Moment
  /** Who: `command line`. */
  actor: string
  action: string
  /** Such as `user 12`. */
  subject: string
  reason: string | null
}

/** The tables as Kysely sees them; `migrations/` is what makes them. */
export interface Schema {
  users: UsersTable
  staffLog: StaffLogTable
  endedTokens: { tokenId: string; expiresAt: Date | string }
  teachers: TeachersTable
  categories: NamedTable
  matieres: NamedTable
  niveaux: NamedTable & { level: string; position: number }
  coverMappings: {
    id: Generated<number>
    coverPath: string | null
    livrePath: string | null
    color: string | null
  }
  files: {
    id: Generated<number>
    storageKey: string
    mediaType: string
    fileType: string
    size: number
    sha256: string
    pageCount: number | null
  }
  documents: DocumentsTable
  ratings: {
    id: Generated<number>
    userId: number
    documentId: number | null
    teacherId: number | null
    stars: number
    comment: Generated<string>
    /** The database decides it, whatever is written. */
    counts: GeneratedAlways<boolean>
    createdAt: Moment
    hiddenAt: OptionalMoment
    hiddenReason: string | null
    withdrawnAt: OptionalMoment
    predatesConfirmation: Generated<boolean>
  }
  cartItems: { userId: number; documentId: number; addedAt: Moment }
  anonymousCartItems: { sessionId: string; documentId: number; addedAt: Moment }
  wishlistItems: { userId: number; documentId: number; addedAt: Moment }
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
  pageChanges: {
    id: GeneratedAlways<number>
    tags: string[]
    soon: boolean
    transactionId: GeneratedAlways<string>
    madeAt: Moment
  }
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
  chatRooms: {
    id: string
    customerId: number
    administratorId: number
    createdAt: Moment
    lastMessageId: number | null
  }
  chatMessages: {
    id: Generated<number>
    roomId: string
    senderId: number
    receiverId: number
    /** Who wrote it in the shop's name; null where the sender did. */
    authorId: number | null
    content: string
    clientId: string | null
    createdAt: Moment
  }
  chatReaders: {
    roomId: string
    userId: number
    readUpTo: Generated<number>
    readAt: OptionalMoment
    mailedUpTo: Generated<number>
    mailedAt: OptionalMoment
  }
  chatSenders: { userId: number; windowEndsAt: Date | string; sent: number }
  chatPresence: { userId: number; seenAt: ColumnType<Date, Date | string, Date | string> }
  mailCounts: { userId: number; kind: string; windowEndsAt: Date | string; queued: number }
  passwordResets: { tokenHash: string; userId: number; expiresAt: Date | string }
  emailConfirmations: {
    tokenHash: string
    userId: number
    expiresAt: ColumnType<Date, Date | string, Date | string>
  }
}
