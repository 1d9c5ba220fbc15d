import { type RawBuilder, sql } from 'kysely'
import { FORMER_TEACHER } from '../../rules/own-data.ts'

/** A person as the tables name them: the account, those merged into it, and its teacher. */
export interface Names {
  readonly users: readonly number[]
  readonly teachers: readonly number[]
  /** Their e-mail addresses and phone numbers, and what they are called. */
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly called: readonly string[]
}

/** What is in a table about a person, and what a deletion does to it. */
interface PersonalTable {
  /** Every column of text or JSON, whether it is about the person or not. */
  readonly texts: string
  /** Which rows are the person's. */
  readonly whose: (names: Names) => RawBuilder<unknown>
  /** The values that their columns get; without it, the rows are deleted. */
  readonly becomes?: Readonly<Record<string, RawBuilder<unknown>>>
}

const isOneOf = (column: string, ids: readonly number[]) =>
  sql`${sql.ref(column)} = ANY (${[...ids]}::integer[])`
const ofUser =
  (column = 'user_id') =>
  ({ users }: Names) =>
    isOneOf(column, users)
const ofTeacher = ({ teachers }: Names) => isOneOf('teacher_id', teachers)
const actors = ({ users }: Names) => users.map((id) => `user ${id}`)

const NOTHING = sql`NULL`
const EMPTY = sql`''`

/** Whether a document is on somebody's order; otherwise nothing of a deleted teacher's is kept. */
const isOrdered = (id: string) =>
  sql`EXISTS (SELECT FROM order_items WHERE order_items.document_id = ${sql.ref(id)})`
const unlessOrdered = (column: string, value: RawBuilder<unknown>, id = 'documents.id') =>
  sql`CASE WHEN ${isOrdered(id)} THEN ${sql.ref(column)} ELSE ${value} END`
const ofDocuments = ({ teachers }: Names) => sql`document_id IN (
  SELECT id FROM documents WHERE ${isOneOf('teacher_id', teachers)})`

/**
 * The tables that hold something about a person, in the order in which a deletion goes through
 * them. A new table is added here or to one of the two lists below: a test compares all three with
 * the database. `sections.ts` says what of it a person takes along.
 */
export const PERSONAL: Readonly<Record<string, PersonalTable>> = {
  log_ins: { texts: 'token_id device address', whose: ofUser() },
  password_resets: { texts: 'token_hash', whose: ofUser() },
  email_confirmations: { texts: 'token_hash', whose: ofUser() },
  phone_codes: { texts: 'phone purpose code_hash', whose: ofUser() },
  code_requests: { texts: 'request_hash phone purpose code_hash', whose: ofUser() },
  known_places: { texts: 'place', whose: ofUser() },
  former_contacts: { texts: 'contact', whose: ofUser() },
  contact_changes: { texts: 'kind value token_hash', whose: ofUser() },
  staff_invitations: { texts: 'token_hash', whose: ofUser() },
  second_factor_setups: { texts: 'sealed_secret', whose: ofUser() },
  second_factors: { texts: 'sealed_secret', whose: ofUser() },
  recovery_codes: { texts: 'code_hash', whose: ofUser() },
  mail_counts: { texts: 'kind', whose: ofUser() },
  terms_acceptances: { texts: '', whose: ofUser() },
  idempotent_requests: { texts: 'key request_hash result', whose: ofUser() },
  data_exports: { texts: 'storage_key', whose: ofUser() },
  account_deletions: { texts: 'asked_by holder rib', whose: ofUser() },
  receipt_photos: {
    texts: 'storage_key',
    whose: ({ users }) =>
      sql`payment_id IN (SELECT id FROM payments WHERE ${isOneOf('user_id', users)})`,
  },
  join_requests: {
    texts: 'email phone first_name last_name subjects message locale token_hash decision reason',
    whose: ({ users, emails, phones }) => sql`(${isOneOf('user_id', users)}
      OR email = ANY (${[...emails]}::text[]) OR phone = ANY (${[...phones]}::text[]))`,
  },
  shelf_documents: {
    texts: '',
    whose: ({ users }) =>
      sql`shelf_id IN (SELECT id FROM shelves WHERE ${isOneOf('user_id', users)})`,
  },
  shelves: { texts: 'name', whose: ofUser() },
  exam_marks: { texts: 'id child', whose: ofUser() },
  readings: { texts: '', whose: ofUser() },
  correction_waits: { texts: '', whose: ofUser() },
  told_corrections: { texts: '', whose: ofUser() },
  follows: {
    texts: '',
    whose: ({ users, teachers }) =>
      sql`(${isOneOf('user_id', users)} OR ${isOneOf('teacher_id', teachers)})`,
  },
  wishlist_items: { texts: '', whose: ofUser() },
  cart_items: { texts: '', whose: ofUser() },
  purchases: { texts: '', whose: ofUser() },
  order_links: {
    texts: 'name',
    whose: ({ users }) =>
      sql`order_id IN (SELECT id FROM orders WHERE ${isOneOf('buyer_id', users)})`,
  },
  rating_answers: {
    texts: 'text',
    whose: ({ teachers }) => sql`rating_id IN (
      SELECT r.id FROM ratings r LEFT JOIN documents d ON d.id = r.document_id
      WHERE coalesce(r.teacher_id, d.teacher_id) = ANY (${[...teachers]}::integer[]))`,
  },
  ratings: { texts: 'comment hidden_reason', whose: ofUser() },
  reports: {
    texts: 'reason words email locale',
    whose: ({ users, emails }) =>
      sql`(${isOneOf('user_id', users)} OR email = ANY (${[...emails]}::text[]))`,
    becomes: { words: EMPTY, email: NOTHING },
  },
  report_cases: {
    texts: 'answer reply',
    whose: ofDocuments,
    becomes: { answer: NOTHING, reply: sql`CASE WHEN reply IS NOT NULL THEN '' END` },
  },
  chat_readers: { texts: 'room_id', whose: ofUser() },
  chat_senders: { texts: '', whose: ofUser() },
  chat_presence: { texts: '', whose: ofUser() },
  // Messages of the other side stay; `deletePerson` takes the person's name out of it.
  chat_messages: { texts: 'room_id content client_id', whose: ofUser('sender_id') },
  chat_rooms: {
    texts: 'id',
    whose: ofUser('customer_id'),
    becomes: {
      last_message_id: sql`(SELECT max(id) FROM chat_messages WHERE room_id = chat_rooms.id)`,
      unanswered_since: NOTHING,
    },
  },
  imports: {
    texts: 'name storage_keys phase step problems checked_files notes',
    whose: ofUser(),
  },
  uploads: {
    texts: 'purpose name storage_key sha256 missing_fonts',
    whose: ofUser(),
  },
  bank_accounts: { texts: 'holder rib tax_number', whose: ofTeacher },
  teacher_subjects: { texts: '', whose: ofTeacher },
  // Orders name it, as the law has the shop keep them.
  bundles: {
    texts: '',
    whose: (names) => sql`(${ofTeacher(names)} OR id IN (
      SELECT bundle_id FROM bundle_agreements WHERE ${ofTeacher(names)}))`,
    becomes: {
      stopped_at: sql`coalesce(stopped_at, now())`,
      ended_at: sql`coalesce(ended_at, now())`,
    },
  },
  bundle_agreements: {
    texts: 'answer',
    whose: ofTeacher,
    becomes: { answer: sql`'refused'`, answered_at: sql`coalesce(answered_at, now())` },
  },
  // Orders name it.
  discount_codes: {
    texts: 'code scope',
    whose: ofTeacher,
    becomes: { stopped_at: sql`coalesce(stopped_at, now())` },
  },
  teacher_links: { texts: 'name', whose: ofTeacher },
  timed_discounts: { texts: '', whose: ofDocuments },
  version_mailings: { texts: '', whose: ofDocuments },
  documents: {
    texts: `title description level audience search_text cover_path livre_path state reference
      paper_kind paper_number trimester school paper_author exercise_points
      ai_use`,
    whose: ofTeacher,
    becomes: {
      title: unlessOrdered('title', EMPTY),
      description: unlessOrdered('description', EMPTY),
      paper_number: unlessOrdered('paper_number', NOTHING),
      school: unlessOrdered('school', NOTHING),
      paper_author: unlessOrdered('paper_author', NOTHING),
      exercise_points: unlessOrdered('exercise_points', NOTHING),
      file_id: unlessOrdered('file_id', NOTHING),
      sample_pages: unlessOrdered('sample_pages', NOTHING),
      first_published_at: unlessOrdered('first_published_at', NOTHING),
      state: sql`CASE WHEN ${isOrdered('documents.id')} THEN 'unpublished' ELSE 'draft' END`,
      is_taken_down: sql`true`,
      cover_path: NOTHING,
      cover_upload_id: NOTHING,
      livre_path: NOTHING,
      featured_place: NOTHING,
      // The teacher's own name for it.
      reference: sql`'document ' || documents.id`,
    },
  },
  document_versions: {
    texts: 'note state created_by decided_by reason',
    whose: ofDocuments,
    becomes: {
      note: EMPTY,
      reason: NOTHING,
      upload_id: NOTHING,
      file_id: unlessOrdered('file_id', NOTHING, 'document_versions.document_id'),
    },
  },
  // Logs are only added to: of a deleted person's rows only the words go.
  document_events: {
    texts: 'actor action reason field amounts',
    whose: ofDocuments,
    becomes: { reason: NOTHING },
  },
  settings: { texts: 'name actor reason', whose: ofTeacher, becomes: { reason: EMPTY } },
  staff_log: {
    texts: 'actor action reason subject_kind',
    whose: (names) => sql`reason IS NOT NULL AND (
      actor = ANY (${actors(names)}::text[])
      OR (subject_kind IN ('user', 'conversation') AND ${isOneOf('subject_id', names.users)})
      OR (subject_kind = 'teacher' AND ${isOneOf('subject_id', names.teachers)})
      OR (subject_kind = 'document' AND subject_id IN (
        SELECT id FROM documents WHERE ${isOneOf('teacher_id', names.teachers)}))
      OR (subject_kind = 'order' AND subject_id IN (
        SELECT id FROM orders WHERE ${isOneOf('buyer_id', names.users)})))`,
    becomes: { reason: NOTHING },
  },
  teachers: {
    texts:
      'first_name last_name email contact_email bio latin_name bio_fr bio_en levels picture_path',
    whose: ({ teachers }) => isOneOf('id', teachers),
    becomes: {
      first_name: sql`${FORMER_TEACHER.arabic}`,
      last_name: EMPTY,
      latin_name: sql`${FORMER_TEACHER.latin}`,
      email: EMPTY,
      contact_email: EMPTY,
      bio: EMPTY,
      bio_fr: EMPTY,
      bio_en: EMPTY,
      levels: sql`'{}'`,
      picture_path: NOTHING,
      picture_upload_id: NOTHING,
      featured_place: NOTHING,
    },
  },
  users: {
    texts: `email phone username first_name last_name gender role password_hash locale search_text
      blocked_reason`,
    whose: ofUser('id'),
    becomes: {
      email: NOTHING,
      phone: NOTHING,
      username: EMPTY,
      // What lists show in place of a name.
      first_name: sql`'#' || users.id`,
      last_name: EMPTY,
      gender: NOTHING,
      password_hash: NOTHING,
      blocked_reason: NOTHING,
      email_confirmed_at: NOTHING,
      phone_confirmed_at: NOTHING,
      blocked_at: sql`coalesce(users.blocked_at, now())`,
      deleted_at: sql`now()`,
    },
  },
}

/** What the law has the shop keep for ten years, under the number of the account. */
export const KEPT_BY_LAW: Readonly<Record<string, string>> = {
  accounts: 'kind',
  acts: 'kind subject input detail reason state proposer decider refusal',
  adjustments: 'reason state proposer decider refusal',
  day_closings: 'day actor sums',
  invoices: 'kind locale seller buyer lines',
  ledger_entries: '',
  ledger_transactions: 'kind note',
  order_items: '',
  orders: 'status method notice',
  payment_differences: 'kind gateway_reference reported_state outcome decider reason',
  payments:
    'reference provider method purpose status gateway_reference pay_url intent return_to locale',
  payouts: 'status holder rib tax_number reference reason transferred_on',
  receipts: '',
  tax_payments: 'paid_on reference actor',
}

/** Tables that name nobody, with their columns of text and JSON. */
export const ABOUT_NOBODY: Readonly<Record<string, string>> = {
  additive_migrations: 'name',
  anonymous_cart_items: 'session_id',
  // Hashes, from which nobody can be told.
  attempt_counts: 'key',
  bundle_documents: '',
  bulk_changed_documents: 'before after obstacle',
  bulk_changes: 'change actor state reason',
  canned_answers: 'name text',
  categories: 'name code names',
  cdn_purges: 'state',
  chapters: 'name_ar name_fr aliases trimester',
  class_subjects: '',
  cover_mappings: 'cover_path livre_path color name names',
  discount_code_targets: '',
  document_questions: '',
  empty_searches: 'day words',
  ended_tokens: 'token_id',
  figure_days: 'day sums',
  file_faults: 'sha256 task reason',
  // The content of documents, which stays with their buyers.
  files: 'storage_key media_type file_type sha256',
  invoice_counters: 'kind',
  job_deaths: '',
  kysely_migration: 'name timestamp',
  kysely_migration_lock: 'id',
  link_visits: 'day name',
  logos: 'name content mark',
  matieres: 'name code names',
  names_revision: '',
  // Keys are hashes.
  newcomer_texts: 'code_key',
  niveaux: 'name code level names',
  paper_kinds: 'name code names',
  page_changes: 'tags',
  // They go with the file.
  page_signatures: 'text picture',
  samples: 'key pages trouble',
  sent_texts: '',
  sandbox_payments: 'reference order_reference status success_url fail_url webhook_url locale',
  // What administrators write about the shop; `team` and `about` name whom they choose to.
  site_versions: 'subject value actor',
  terms_versions: 'actor',
  told_notices: 'kind',
  unstamped_files: 'sha256 reason detail',
  upkeep: 'what reason',
  visit_counts: 'day step',
}
