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
  first_name: string
  last_name: string
  gender: 'male' | 'female' | null
  role: AccountRole
  /** null: invited, and no password chosen yet. */
  password_hash: string | null
  token_generation: Generated<number>
  /** Since when the account may not log in. */
  blocked_at: OptionalMoment
  is_demo: Generated<boolean>
  locale: Generated<Language>
  created_at: Moment
  email_confirmed_at: OptionalMoment
}

export interface TeachersTable {
  id: Generated<number>
  user_id: number | null
  first_name: string
  last_name: string
  email: string
  bio: Generated<string>
  is_featured: Generated<boolean>
  rating_sum: Generated<number>
  rating_count: Generated<number>
  review_count: Generated<number>
  sales_count: Generated<number>
  created_at: Moment
}

interface NamedTable {
  id: Generated<number>
  name: string
  code: string | null
}

export interface DocumentsTable {
  id: Generated<number>
  teacher_id: number
  title: string
  description: Generated<string>
  price: Millimes
  price_discount: Millimes | null
  final_price: GeneratedAlways<Millimes>
  category_id: number
  matiere_id: number
  niveau_id: number
  level: string
  audience: string
  search_text: string
  file_id: number
  cover_path: string | null
  livre_path: string | null
  cover_mapping_id: number | null
  is_published: Generated<boolean>
  is_featured: Generated<boolean>
  sales_count: Generated<number>
  rating_sum: Generated<number>
  rating_count: Generated<number>
  rating: GeneratedAlways<number>
  uploaded_at: Moment
}

export interface PaymentsTable {
  id: Generated<number>
  reference: string
  provider: 'sandbox' | 'konnect' | 'manual'
  method: 'card' | 'bank_transfer' | 'd17'
  purpose: 'order' | 'top_up'
  user_id: number
  order_id: number | null
  amount: Millimes
  status: Generated<'pending' | 'paid' | 'refused' | 'expired' | 'cancelled'>
  gateway_reference: string | null
  pay_url: string | null
  intent: string
  return_to: Generated<string>
  locale: Generated<Language>
  created_at: Moment
  expires_at: ColumnType<Date, Date | string, Date | string>
  settled_at: OptionalMoment
  next_check_at: OptionalMoment
  checks: Generated<number>
}

/** What staff did, to what, and why; rows are only added. */
export interface StaffLogTable {
  id: GeneratedAlways<number>
  made_at: Moment
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
  staff_log: StaffLogTable
  ended_tokens: { token_id: string; expires_at: Date | string }
  teachers: TeachersTable
  categories: NamedTable
  matieres: NamedTable
  niveaux: NamedTable & { level: string; position: number }
  cover_mappings: {
    id: Generated<number>
    cover_path: string | null
    livre_path: string | null
    color: string | null
  }
  files: {
    id: Generated<number>
    storage_key: string
    media_type: string
    file_type: string
    size: number
    sha256: string
    page_count: number | null
  }
  documents: DocumentsTable
  ratings: {
    id: Generated<number>
    user_id: number
    document_id: number | null
    teacher_id: number | null
    stars: number
    comment: Generated<string>
    /** The database decides it, whatever is written. */
    counts: GeneratedAlways<boolean>
    created_at: Moment
    hidden_at: OptionalMoment
    hidden_reason: string | null
    withdrawn_at: OptionalMoment
    predates_confirmation: Generated<boolean>
  }
  cart_items: { user_id: number; document_id: number; added_at: Moment }
  anonymous_cart_items: { session_id: string; document_id: number; added_at: Moment }
  wishlist_items: { user_id: number; document_id: number; added_at: Moment }
  accounts: {
    id: Generated<number>
    kind: 'customer' | 'teacher_sales' | 'gateway' | 'adjustments'
    user_id: number | null
    teacher_id: number | null
    balance: Millimes | null
  }
  orders: {
    id: Generated<number>
    buyer_id: number
    status: 'pending' | 'paid' | 'cancelled' | 'expired' | 'replaced'
    method: string
    total: Millimes
    created_at: Moment
    paid_at: OptionalMoment
    has_receipt: Generated<boolean>
  }
  order_items: {
    order_id: number
    document_id: number
    price: Millimes
    refunded_at: OptionalMoment
  }
  ledger_transactions: {
    id: Generated<number>
    kind: 'purchase' | 'top_up' | 'refund' | 'adjustment'
    order_id: number | null
    note: Generated<string>
    payment_id: ColumnType<number | null, number | null | undefined, never>
    created_at: Moment
  }
  ledger_entries: {
    id: Generated<number>
    transaction_id: number
    account_id: number
    amount: Millimes
  }
  purchases: {
    id: Generated<number>
    user_id: number
    document_id: number
    order_id: number
    price: Millimes
    purchased_at: Moment
  }
  idempotent_requests: {
    user_id: number
    key: string
    request_hash: string
    result: Json
    created_at: Moment
  }
  payments: PaymentsTable
  page_changes: {
    id: GeneratedAlways<number>
    tags: string[]
    soon: boolean
    transaction_id: GeneratedAlways<string>
    made_at: Moment
  }
  receipts: { number: number; order_id: number; issued_at: Moment }
  sandbox_payments: {
    reference: string
    order_reference: string
    amount: Millimes
    status: ColumnType<'pending' | 'paid' | 'refused', string | undefined, string>
    pays_at: OptionalMoment
    success_url: string
    fail_url: string
    webhook_url: string
    locale: Language
  }
  chat_rooms: {
    id: string
    customer_id: number
    administrator_id: number
    created_at: Moment
    last_message_id: number | null
  }
  chat_messages: {
    id: Generated<number>
    room_id: string
    sender_id: number
    receiver_id: number
    /** Who wrote it in the shop's name; null where the sender did. */
    author_id: number | null
    content: string
    client_id: string | null
    created_at: Moment
  }
  chat_readers: {
    room_id: string
    user_id: number
    read_up_to: Generated<number>
    read_at: OptionalMoment
    mailed_up_to: Generated<number>
    mailed_at: OptionalMoment
  }
  chat_senders: { user_id: number; window_ends_at: Date | string; sent: number }
  chat_presence: { user_id: number; seen_at: ColumnType<Date, Date | string, Date | string> }
  mail_counts: { user_id: number; kind: string; window_ends_at: Date | string; queued: number }
  password_resets: { token_hash: string; user_id: number; expires_at: Date | string }
  email_confirmations: {
    token_hash: string
    user_id: number
    expires_at: ColumnType<Date, Date | string, Date | string>
  }
}
