import { type RawBuilder, sql } from 'kysely'
import { fullNameIn } from '../database/sql-parts.ts'
import type { Names } from './tables.ts'

/** The path of a photo of a receipt in the ZIP. */
const PHOTO_FILE = sql`'receipt-photos/' || h.id || '.webp'`
const PHOTOS = sql`FROM receipt_photos h JOIN payments p ON p.id = h.payment_id`

/**
 * What a person takes along, by the sections of the file; each query ends with its order. Columns
 * are named as in `own-data:columns`. The other side of a conversation is in it, as "the shop".
 */
export const SECTIONS = {
  account: ({ users }) => sql`
    SELECT username, first_name, last_name, email, phone, gender, locale AS language,
      (SELECT value FROM contact_changes WHERE user_id = users.id) AS new_contact,
      created_at AS date FROM users WHERE ${own('id', users)} ORDER BY id`,
  devices: ({ users }) => sql`
    SELECT device AS name, address, begun_at AS date, seen_at AS seen
    FROM log_ins WHERE ${own('user_id', users)} ORDER BY id`,
  documents: ({ users }) => sql`
    SELECT d.title, p.price, p.purchased_at AS date
    FROM purchases p JOIN documents d ON d.id = p.document_id
    WHERE ${own('p.user_id', users)} ORDER BY p.id`,
  orders: ({ users }) => sql`
    SELECT o.id AS number, o.created_at AS date, o.status, o.method, o.total AS amount,
      coalesce((SELECT string_agg(d.title, ' · ' ORDER BY d.id)
        FROM order_items i JOIN documents d ON d.id = i.document_id WHERE i.order_id = o.id), '')
        AS title, (SELECT name FROM order_links WHERE order_id = o.id) AS link,
      (SELECT code FROM discount_codes WHERE id = o.code_id) AS code
    FROM orders o WHERE ${own('o.buyer_id', users)} ORDER BY o.id`,
  payments: ({ users }) => sql`
    SELECT reference, created_at AS date, purpose AS kind, method, amount, status,
      CASE WHEN status = 'pending' THEN expires_at END AS until
    FROM payments WHERE ${own('user_id', users)} ORDER BY id`,
  receiptPhotos: ({ users }) => sql`
    SELECT p.reference, h.added_at AS date, ${PHOTO_FILE} AS file ${PHOTOS}
    WHERE ${own('p.user_id', users)} ORDER BY h.id`,
  receipts: ({ users }) => sql`
    SELECT r.number, r.issued_at AS date, o.id AS order_number, o.total AS amount
    FROM receipts r JOIN orders o ON o.id = r.order_id
    WHERE ${own('o.buyer_id', users)} ORDER BY r.number`,
  invoices: ({ users }) => sql`
    SELECT i.year || '-' || lpad(i.number::text, greatest(6, length(i.number::text)), '0') AS number,
      i.kind, i.issued_at AS date, o.id AS order_number, i.net + i.vat + i.stamp AS amount,
      i.buyer->>'name' AS name, i.buyer->>'address' AS address, i.buyer->>'taxNumber' AS tax_number
    FROM invoices i JOIN orders o ON o.id = i.order_id
    WHERE ${own('o.buyer_id', users)} ORDER BY i.id`,
  wallet: ({ users }) => sql`
    SELECT t.created_at AS date, t.kind, e.amount
    FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
    JOIN accounts a ON a.id = e.account_id WHERE ${own('a.user_id', users)} ORDER BY e.id`,
  ratings: ({ users }) => sql`
    SELECT r.created_at AS date,
      coalesce(d.title, trim(t.first_name || ' ' || t.last_name)) AS title, r.stars,
      r.comment AS words
    FROM ratings r LEFT JOIN documents d ON d.id = r.document_id
    LEFT JOIN teachers t ON t.id = r.teacher_id
    WHERE ${own('r.user_id', users)} ORDER BY r.id`,
  reports: ({ users, teachers }) => sql`
    SELECT r.made_at AS date, d.title, r.reason AS kind, r.words
    FROM reports r JOIN report_cases c ON c.id = r.case_id JOIN documents d ON d.id = c.document_id
    WHERE ${own('r.user_id', users)}
    UNION ALL
    SELECT c.opened_at, d.title, NULL, c.answer
    FROM report_cases c JOIN documents d ON d.id = c.document_id
    WHERE ${own('d.teacher_id', teachers)} AND c.answer IS NOT NULL ORDER BY 1`,
  wishes: ({ users }) => sql`
    SELECT d.title, w.added_at AS date
    FROM wishlist_items w JOIN documents d ON d.id = w.document_id
    WHERE ${own('w.user_id', users)} ORDER BY w.added_at, d.id`,
  waits: ({ users }) => sql`
    SELECT d.title, w.added_at AS date
    FROM correction_waits w JOIN documents d ON d.id = w.document_id
    WHERE ${own('w.user_id', users)} ORDER BY w.added_at, d.id`,
  follows: ({ users }) => sql`
    SELECT coalesce(${fullNameIn('t')}, n.name || ' · ' || m.name) AS name, f.followed_at AS date
    FROM follows f LEFT JOIN teachers t ON t.id = f.teacher_id
    LEFT JOIN niveaux n ON n.id = f.niveau_id LEFT JOIN matieres m ON m.id = f.matiere_id
    WHERE ${own('f.user_id', users)} ORDER BY f.followed_at`,
  cart: ({ users }) => sql`
    SELECT d.title, c.added_at AS date FROM cart_items c JOIN documents d ON d.id = c.document_id
    WHERE ${own('c.user_id', users)} ORDER BY c.added_at, d.id`,
  conversations: ({ users }) => sql`
    SELECT m.created_at AS date, ${own('m.sender_id', users)} AS is_mine, m.content AS words
    FROM chat_messages m WHERE ${own('m.sender_id', users)} OR ${own('m.receiver_id', users)}
    ORDER BY m.id`,
  shelves: ({ users }) => sql`
    SELECT s.name, coalesce((SELECT string_agg(d.title, ' · ' ORDER BY d.id)
      FROM shelf_documents sd JOIN documents d ON d.id = sd.document_id WHERE sd.shelf_id = s.id), '')
      AS title
    FROM shelves s WHERE ${own('s.user_id', users)} ORDER BY s.id`,
  marks: ({ users }) => sql`
    SELECT d.title, k.child AS name, k.sat_at AS date, k.minutes, k.quarters / 4.0 AS mark,
      (SELECT string_agg(trim_scale(each / 4.0)::text, ' · ' ORDER BY at)
        FROM unnest(k.exercise_quarters) WITH ORDINALITY AS its (each, at)) AS exercises
    FROM exam_marks k JOIN documents d ON d.id = k.document_id
    WHERE ${own('k.user_id', users)} ORDER BY k.sat_at, k.id`,
  reading: ({ users }) => sql`
    SELECT d.title, r.page, r.read_at AS date
    FROM readings r JOIN documents d ON d.id = r.document_id
    WHERE ${own('r.user_id', users)} ORDER BY r.document_id`,
  consents: ({ users }) => sql`
    SELECT email_confirmed_at, phone_confirmed_at,
      CASE WHEN wants_news THEN 'wanted' ELSE 'unwanted' END AS news_mails,
      (SELECT string_agg(version || ': ' || to_char(accepted_at, 'YYYY-MM-DD'), ' · ' ORDER BY version)
        FROM terms_acceptances WHERE user_id = users.id) AS terms
    FROM users WHERE ${own('id', users)} ORDER BY id`,
  profile: ({ teachers }) => sql`
    SELECT first_name, last_name, latin_name AS name, email, contact_email, bio, bio_fr, bio_en,
      (SELECT string_agg(l.name, ' · ' ORDER BY l.chosen_at)
        FROM teacher_links l WHERE l.teacher_id = teachers.id) AS link
    FROM teachers WHERE ${own('id', teachers)} ORDER BY id`,
  ownDocuments: ({ teachers }) => sql`
    SELECT title, description AS words, price, state AS status, created_at AS date
    FROM documents WHERE ${own('teacher_id', teachers)} ORDER BY id`,
  bundles: ({ teachers }) => sql`
    SELECT b.created_at AS date, (SELECT string_agg(d.title, ' · ' ORDER BY d.id)
        FROM bundle_documents l JOIN documents d ON d.id = l.document_id WHERE l.bundle_id = b.id)
        AS title, b.price, a.answer AS status, coalesce(b.ended_at, CASE WHEN b.teacher_id IS NOT NULL
        THEN b.stopped_at END) AS until
    FROM bundles b LEFT JOIN bundle_agreements a ON a.bundle_id = b.id AND ${own('a.teacher_id', teachers)}
    WHERE ${own('b.teacher_id', teachers)} OR a.bundle_id IS NOT NULL ORDER BY b.id`,
  codes: ({ teachers }) => sql`
    SELECT created_at AS date, code, coalesce(stopped_at, ends_at) AS until
    FROM discount_codes WHERE ${own('teacher_id', teachers)} ORDER BY id`,
  sales: ({ teachers }) => sql`
    SELECT i.sold_at AS date, d.title, i.price, i.teacher_share AS share, i.refunded_at AS refunded
    FROM order_items i JOIN documents d ON d.id = i.document_id
    WHERE ${own('i.teacher_id', teachers)} AND i.sold_at IS NOT NULL
    ORDER BY i.sold_at, i.order_id, d.id`,
  payouts: ({ teachers }) => sql`
    SELECT requested_at AS date, amount, withheld, status, holder, rib, tax_number, reference
    FROM payouts WHERE ${own('teacher_id', teachers)} ORDER BY id`,
  bankAccount: ({ teachers }) => sql`
    SELECT holder, rib, tax_number, changed_at AS date FROM bank_accounts
    WHERE ${own('teacher_id', teachers)} ORDER BY teacher_id`,
  answers: ({ teachers }) => sql`
    SELECT a.answered_at AS date, a.text AS words
    FROM rating_answers a JOIN ratings r ON r.id = a.rating_id
    LEFT JOIN documents d ON d.id = r.document_id
    WHERE ${own('r.teacher_id', teachers)} OR ${own('d.teacher_id', teachers)} ORDER BY a.rating_id`,
} satisfies Readonly<Record<string, (names: Names) => RawBuilder<unknown>>>

/** The stored files that a person takes along, each with its path in the ZIP. */
export const filesTaken = ({ users }: Names) => sql<{ file: string; storageKey: string }>`
  SELECT ${PHOTO_FILE} AS file, h.storage_key ${PHOTOS}
  WHERE ${own('p.user_id', users)} ORDER BY h.id`

export type SectionName = keyof typeof SECTIONS

const own = (column: string, ids: readonly number[]) =>
  sql`${sql.ref(column)} = ANY (${[...ids]}::integer[])`
