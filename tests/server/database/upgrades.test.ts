import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { dinars, type Millimes } from '../../../src/rules/money.ts'
import { plainSigns, withoutOverrides } from '../../../src/rules/pasted-text.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { migrations } from '../../../src/server/database/migrations/index.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import type { Deps } from '../../../src/server/deps.ts'
import { adjustmentAct } from '../../../src/server/money/admin/adjustments.ts'
import { readBalance } from '../../../src/server/money/earnings/balance.ts'
import { salesOf } from '../../../src/server/money/earnings/earned.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import { purchase } from '../../../src/server/money/purchase.ts'
import { refundItems } from '../../../src/server/money/refunds.ts'
import { listActs } from '../../../src/server/money/two-people/acts.ts'
import { checkRatings, rate, ratingsOf } from '../../../src/server/ratings/ratings.ts'
import { logStaff, userSubject } from '../../../src/server/staff-log/staff-log.ts'
import { runStatement, urlOf } from '../../support/database.ts'

/** A database with `rows` in the tables as they were before the migration of this name. */
async function shopBefore(migration: string, rows: string) {
  const { url: server } = inject('databaseServer')
  const name = `karras_test_${randomBytes(6).toString('hex')}`
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = urlOf(server, name)
  const database = openDatabase(url)
  onTestFinished(async () => {
    await database.close()
    await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`)
  })
  const earlier = Object.entries(migrations).filter(([key]) => key < migration)
  await migrate(url, { migrations: Object.fromEntries(earlier) })
  for (const statement of rows.split(';')) await runStatement(url, statement)
  return { database, upgrade: () => migrate(url) }
}

/** An entry of each list of the catalogue, and a file. */
const LISTS = `
  INSERT INTO categories (id, name) VALUES (1, 'c');
  INSERT INTO matieres (id, name) VALUES (1, 'm');
  INSERT INTO niveaux (id, name, level, position) VALUES (1, 'n', 'primary-school', 1);
  INSERT INTO files (id, storage_key, media_type, file_type, size, sha256)
    VALUES (1, 'a.pdf', 'application/pdf', 'pdf', 1, 'a');`

/** A paid and two pending orders of one customer, who owns the document of the first of them. */
const PENDING_ORDERS = `
  ${LISTS}
  INSERT INTO teachers (first_name, last_name, email) VALUES ('t', 't', 't');
  INSERT INTO documents (teacher_id, title, price, category_id, matiere_id, niveau_id, level,
    audience, search_text, file_id)
    SELECT 1, 't', 5000, 1, 1, 1, 'primary-school', 'Pour Élève', ' t ', 1 FROM generate_series(1, 2);
  INSERT INTO users (email, username, first_name, last_name, role, password_hash)
    VALUES ('e', 'u', 'f', 'l', 'PARENT', '');
  INSERT INTO accounts (kind, user_id, balance) VALUES ('customer', 1, 70);
  INSERT INTO orders (buyer_id, status, method, total) VALUES
    (1, 'paid', 'wallet', 5000), (1, 'pending', 'd17', 5000), (1, 'pending', 'd17', 10000);
  INSERT INTO order_items (order_id, document_id, price)
    VALUES (1, 1, 5000), (2, 1, 5000), (3, 1, 5000), (3, 2, 5000);
  INSERT INTO purchases (user_id, document_id, order_id, price) VALUES (1, 1, 1, 5000);
  INSERT INTO payments (reference, provider, method, purpose, user_id, order_id, amount, intent,
    expires_at)
    SELECT repeat(id::text, 24), 'manual', 'd17', 'order', 1, id, total, '', now()
    FROM orders WHERE id > 1`

test('pending orders of earlier versions whose documents are owned by now are replaced', async () => {
  const { database, upgrade } = await shopBefore('0008-waiting-orders', PENDING_ORDERS)
  await upgrade()
  const { rows } = await sql`
    SELECT o.status, p.status AS payment, a.balance FROM orders o
     LEFT JOIN payments p ON p.order_id = o.id JOIN accounts a ON a.user_id = 1 ORDER BY o.id`.execute(
    database.kysely,
  )
  expect(rows).toEqual([
    { status: 'paid', payment: null, balance: 70 },
    { status: 'replaced', payment: 'cancelled', balance: 70 },
    { status: 'pending', payment: 'pending', balance: 70 },
  ])
})

/**
 * Two teachers; a paid and a free document of the first. Four existing accounts, one of the demo.
 */
const RATINGS = `
  INSERT INTO users (id, email, username, first_name, last_name, role, password_hash, is_demo)
  SELECT id, 'u' || id || '@karras.test', 'u', 'Amal', 'B', 'PARENT', '', id = 5
  FROM generate_series(1, 5) AS id;
  INSERT INTO accounts (kind, user_id, balance) SELECT 'customer', id, 0 FROM users;
  INSERT INTO teachers (id, first_name, last_name, email) VALUES (1, 'T', 'T', 't'), (2, 'T', 'T', 't');
  ${LISTS}
  INSERT INTO documents (id, teacher_id, title, price, category_id, matiere_id, niveau_id, level,
      audience, search_text, file_id)
    SELECT id, 1, 'd', (id - 1) * 5000, 1, 1, 1, 'primary-school', 'Pour Élève', ' d ', 1
    FROM generate_series(1, 2) AS id;
  INSERT INTO orders (id, buyer_id, status, method, total) SELECT id, id, 'paid', 'wallet', 0 FROM users;
  -- Document 1 is free: the first three have it, the first one paid for the other as well.
  INSERT INTO purchases (user_id, document_id, order_id, price)
    VALUES (1, 1, 1, 0), (2, 1, 2, 0), (3, 1, 3, 0), (1, 2, 1, 5000);
  INSERT INTO ratings (user_id, document_id, stars, comment, is_verified)
    VALUES (1, 1, 5, 'a', true), (2, 1, 3, 'b', true), (4, 1, 1, 'c', false);
  INSERT INTO ratings (user_id, teacher_id, stars, comment, is_verified)
    VALUES (1, 1, 4, 'a', true), (2, 1, 1, 'forged', true), (3, 1, 1, '', true), (4, 1, 1, 'x', false)`

test('existing ratings stay visible; those based on a free document no longer count', async () => {
  const { database, upgrade } = await shopBefore('0010-trusted-ratings', RATINGS)
  const sums = async () => {
    const { rows } = await sql`
      SELECT rating_sum, rating_count, null AS reviews FROM documents WHERE id = 1
      UNION ALL SELECT rating_sum, rating_count, review_count FROM teachers WHERE id = 1`.execute(
      database.kysely,
    )
    return rows.map((row) => Object.values(row as object))
  }
  expect(await sums()).toEqual([
    [8, 2, null],
    [6, 3, 2],
  ])

  expect(await upgrade()).toContain('0010-trusted-ratings')
  expect(await sums()).toEqual([
    [8, 2, null],
    [4, 1, 1],
  ])
  expect(await checkRatings(database.kysely)).toEqual([])
  const { kysely } = database
  const confirmed = kysely.selectFrom('users').where('emailConfirmedAt', 'is not', null)
  expect(await confirmed.select('id').execute()).toEqual([{ id: 5 }])
  const document = { kind: 'document', id: 1 } as const
  const shown = async () => (await ratingsOf(kysely, undefined, document)).map((r) => r.userId)
  expect((await shown()).sort()).toEqual([1, 2, 4])

  // Written again, it is a rating like any other.
  await rate(database, 2, document, { stars: 2, comment: 'b' })
  expect((await shown()).sort()).toEqual([1, 4])
  expect((await sums())[0]).toEqual([5, 1, null])
})

/**
 * A customer who bought two documents for 4 and 6 dinars, one of them refunded; one more order is
 * pending.
 */
const SALES = `
  INSERT INTO users (id, email, username, first_name, last_name, role, password_hash)
    VALUES (1, 'u@karras.test', 'u', 'Amal', 'B', 'PARENT', '');
  INSERT INTO accounts (kind, user_id, balance) VALUES ('customer', 1, 0);
  INSERT INTO teachers (id, first_name, last_name, email) VALUES (1, 'T', 'T', 't');
  INSERT INTO accounts (kind, teacher_id) VALUES ('teacher_sales', 1);
  ${LISTS}
  INSERT INTO documents (id, teacher_id, title, price, category_id, matiere_id, niveau_id, level,
      audience, search_text, file_id, is_published)
    SELECT id, 1, 'd', 2000 + id * 2000, 1, 1, 1, 'primary-school', 'Pour Élève', ' d ', 1, true
    FROM generate_series(1, 3) AS id;
  WITH moved AS (INSERT INTO ledger_transactions (kind) VALUES ('adjustment') RETURNING id)
    INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT moved.id, a.id, CASE a.kind WHEN 'customer' THEN 50000 ELSE -50000 END
    FROM moved, accounts a WHERE a.kind IN ('customer', 'adjustments');
  INSERT INTO orders (id, buyer_id, status, method, total, paid_at)
    VALUES (1, 1, 'paid', 'wallet', 10000, now()), (2, 1, 'pending', 'card', 8000, NULL);
  INSERT INTO order_items (order_id, document_id, price, refunded_at)
    VALUES (1, 1, 4000, now()), (1, 2, 6000, NULL), (2, 3, 8000, NULL);
  INSERT INTO purchases (user_id, document_id, order_id, price) VALUES (1, 2, 1, 6000);
  WITH moved AS (
      INSERT INTO ledger_transactions (kind, order_id) VALUES ('purchase', 1) RETURNING id
    ) INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT moved.id, a.id, CASE a.kind WHEN 'customer' THEN -10000 ELSE 10000 END
    FROM moved, accounts a WHERE a.kind IN ('customer', 'teacher_sales');
  WITH moved AS (
      INSERT INTO ledger_transactions (kind, order_id) VALUES ('refund', 1) RETURNING id
    ) INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT moved.id, a.id, CASE a.kind WHEN 'customer' THEN 4000 ELSE -4000 END
    FROM moved, accounts a WHERE a.kind IN ('customer', 'teacher_sales');
  SELECT setval('orders_id_seq', 2)`

test('documents sold before prices were shared stay the teacher’s, outside of payouts', async () => {
  // Without drafts too.
  const { database, upgrade } = await shopBefore('0012', SALES)
  expect(await upgrade()).toContain('0014-shares')

  const { kysely } = database
  const books = async () => {
    const { rows } = await sql<{ kind: string; sum: Millimes }>`
      SELECT a.kind, sum(e.amount)::bigint AS sum
      FROM accounts a JOIN ledger_entries e ON e.account_id = a.id
      WHERE a.kind IN ('teacher_sales', 'teacher_earnings', 'revenue')
      GROUP BY a.kind HAVING sum(e.amount) <> 0 ORDER BY a.kind`.execute(kysely)
    return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
  }
  const isSound = async () => isLedgerSound(await checkLedger(kysely))
  expect(await books()).toEqual({ teacher_sales: dinars(6) })
  expect(await checkLedger(kysely)).toMatchObject({ wrongShares: [], wrongOrders: [] })
  const all = { sort: '-soldAt', page: 0, size: 10 } as const
  const { sales } = await salesOf(kysely, { teacherId: 1, ...all })
  expect(sales.map(({ share }) => share)).toEqual([null, null])
  expect(await readBalance(kysely, { teacherId: 1, at: Date.now() })).toMatchObject({
    balance: 0,
    held: 0,
  })

  // Later sales are shared; a refund takes back what each sale gave.
  const { orderId } = await transaction(database, (tx) =>
    purchase(tx, { buyerId: 1, documentIds: [3] }),
  )
  expect(await books()).toEqual({
    teacher_sales: dinars(6),
    teacher_earnings: dinars(5.6),
    revenue: dinars(2.4),
  })
  await transaction(database, (tx) => refundItems(tx, { orderId: 1 }))
  await transaction(database, (tx) => refundItems(tx, { orderId: orderId ?? 0 }))
  expect(await books()).toEqual({})
  expect(await isSound()).toBe(true)
})

/** A customer and an administrator who chatted about two documents. */
const QUESTIONS = `
  INSERT INTO users (id, email, username, first_name, last_name, role, password_hash)
    VALUES (1, 'u@karras.test', 'u', 'Amal', 'B', 'PARENT', ''),
      (2, 'a@karras.test', 'a', 'Mehdi', 'C', 'ADMIN', '');
  INSERT INTO teachers (id, first_name, last_name, email) VALUES (1, 'T', 'T', 't');
  INSERT INTO documents (id, teacher_id, title) VALUES (1, 1, 'd'), (12, 1, 'e');
  INSERT INTO chat_rooms (id, customer_id, administrator_id) VALUES ('room_1_2', 1, 2);
  INSERT INTO chat_messages (id, room_id, sender_id, receiver_id, content) VALUES
    (1, 'room_1_2', 1, 2, 'Salam'),
    (2, 'room_1_2', 1, 2, 'Corrigé ? https://karras.tn/fr/shop-details/12'),
    (3, 'room_1_2', 2, 1, 'Voir https://karras.tn/shop-details/1'),
    (4, 'room_1_2', 1, 2, 'https://karras.tn/shop-details/12 ou https://karras.tn/shop-details/1'),
    (5, 'room_1_2', 1, 2, 'https://karras.tn/shop-details/99')`

test('existing questions about documents are found', async () => {
  const { database, upgrade } = await shopBefore('0017-answers', QUESTIONS)
  await upgrade()
  const { rows } = await sql`
    SELECT message_id, document_id FROM document_questions ORDER BY message_id`.execute(
    database.kysely,
  )
  expect(rows).toEqual([
    { messageId: 2, documentId: 12 },
    { messageId: 4, documentId: 1 },
  ])
})

const METHOD_TEXTS = `INSERT INTO site_versions (subject, revision, value, actor, made_at) VALUES
  ('text ar order:page.methods.d17', 1, '"D17 قديم"', 'admin', '2026-01-01'),
  ('text ar order:page.methods.d17', 2, '"D17 البريد"', 'admin', '2026-03-01'),
  ('text ar checkout:payment.d17', 1, '"D17"', 'admin', '2026-02-01'),
  ('text fr library:page.waiting.methods.card', 1, '"Carte"', 'other', '2026-01-01'),
  ('text fr library:page.waiting.methods.card', 2, NULL, 'other', '2026-01-02'),
  ('text fr charging:page.history.waiting.methods.bank_transfer', 1, '"Virement"', 'other', '2026-01-01'),
  ('text fr checkout:payment.title', 1, '"Payer"', 'other', '2026-01-01')`

test('what administrators wrote for a payment method is its name on all pages', async () => {
  const { database, upgrade } = await shopBefore('0043-method-texts', METHOD_TEXTS)
  await upgrade()
  const { rows } = await sql`
    SELECT subject, revision, value, actor FROM site_versions
    WHERE subject LIKE '%common:methods%' ORDER BY subject`.execute(database.kysely)
  expect(rows).toEqual([
    { subject: 'text ar common:methods.d17', revision: 1, value: 'D17 البريد', actor: 'admin' },
    {
      subject: 'text fr common:methods.bank_transfer',
      revision: 1,
      value: 'Virement',
      actor: 'other',
    },
  ])
})

const OVERRIDDEN = [
  '\u202efdp.exe',
  'درس \u2067Bac\u2069 2026',
  'درس \u2067Bac',
  'Bac\u2069 \u2066\u2068a\u2069',
  'a \u2067b\nc\u2069 \u202a12\u202c',
  'Bac\u200e (2026)\u200f',
]

test('texts of people lose their overrides of direction, as those that are saved now', async () => {
  const { database, upgrade } = await shopBefore('0089-plain-directions', LISTS)
  const { kysely } = database
  await sql`INSERT INTO users (email, username, first_name, last_name, role, password_hash)
    VALUES ('e', 'u', ${OVERRIDDEN[0]}, 'l', 'PARENT', '')`.execute(kysely)
  await sql`INSERT INTO teachers (first_name, last_name, email) VALUES ('t', 't', 't')`.execute(
    kysely,
  )
  for (const text of OVERRIDDEN) {
    await sql`INSERT INTO documents (title, description, teacher_id)
      VALUES (${text}, ${`${text}\n${text}`}, 1)`.execute(kysely)
  }
  await upgrade()
  const { rows } = await sql`SELECT title, description FROM documents ORDER BY id`.execute(kysely)
  expect(rows).toEqual(
    OVERRIDDEN.map((text) => ({
      title: withoutOverrides(text),
      description: withoutOverrides(`${text}\n${text}`),
    })),
  )
  const { rows: people } = await sql`SELECT first_name FROM users`.execute(kysely)
  expect(people).toEqual([{ firstName: 'fdp.exe' }])
})

const REFERENCES = [
  'MATH-1',
  'MATH-1\u200f',
  '3/MATH\u20117',
  'SVT\u00a0–\u202f2',
  'رياضيات-٧',
  'ＭＡＴＨ－９',
  'ﻣﺎﺩﺓ\ufeff',
  'PHY\u00ad-1',
  'PHY\u200b-1',
  '\u200f',
]

test('documents of earlier lists are found by the references that lists are read with', async () => {
  const { database, upgrade } = await shopBefore(
    '0047-plain-references',
    "INSERT INTO teachers (first_name, last_name, email) VALUES ('A', 'B', 'a@b.tn')",
  )
  for (const reference of REFERENCES) {
    await sql`INSERT INTO documents (title, teacher_id, reference)
      VALUES ('x', (SELECT id FROM teachers), ${reference})`.execute(database.kysely)
  }
  await upgrade()
  const { rows } = await sql<{ reference: string }>`
    SELECT reference FROM documents ORDER BY id`.execute(database.kysely)
  const after = rows.map(({ reference }) => reference)
  // What another document has already, and what has nothing visible, stays as it was.
  const kept = new Set(['MATH-1\u200f', 'PHY\u200b-1', '\u200f'])
  expect(after).toEqual(REFERENCES.map((each) => (kept.has(each) ? each : plainSigns(each))))
})

/** What was logged by earlier versions, and accounts that they blocked. */
const LOG = `
  INSERT INTO users (id, email, username, first_name, last_name, role, password_hash, blocked_at)
    SELECT id, 'u' || id || '@karras.test', 'u', 'Amal', 'B', 'PARENT', '',
      CASE WHEN id < 3 THEN now() END
    FROM generate_series(1, 3) AS id;
  INSERT INTO staff_log (actor, action, subject, reason) VALUES
    ('user 9', 'block', 'user 1', 'insults'),
    ('user 9', 'unblock', 'user 1', 'sorry'),
    ('user 9', 'block', 'user 1', 'fraud'),
    ('command line', 'block', 'user 2', NULL),
    ('user 9', 'block', 'user 3', 'by mistake'),
    ('user 9', 'refuse teacher', 'join request 12', NULL),
    ('user 9', 'change', 'page faq', NULL),
    ('user 9', 'change', 'text fr shop:title 2', NULL),
    ('user 9', 'confirm transfer', 'payment 0a1', NULL),
    ('command line', 'send mails again', '5 mails', NULL)`

test('the log of earlier versions refers to things by kind and id, as it did by phrases', async () => {
  const { database, upgrade } = await shopBefore('0055-log-subjects', LOG)
  await upgrade()
  const { kysely } = database
  const subjects = async () => {
    const rows = await kysely.selectFrom('staffLog').selectAll().orderBy('id').execute()
    return rows.map(({ subjectKind, subjectId }) => [subjectKind, subjectId])
  }
  const first = [
    ...[1, 1, 1, 2, 3].map((id) => ['user', id]),
    ['join request', 12],
    ['page faq', null],
    ['text fr shop:title 2', null],
    ['payment 0a1', null],
    ['5 mails', null],
  ]
  expect(await subjects()).toEqual(first)
  const blocked = await kysely.selectFrom('users').select('blockedReason').orderBy('id').execute()
  expect(blocked.map((row) => row.blockedReason)).toEqual(['fraud', null, null])
  const change = kysely.updateTable('staffLog').set({ reason: 'no' }).execute()
  await expect(change).rejects.toThrow(/the log is only added to/)

  // A process of the earlier version, which runs beside this one, writes and reads phrases.
  await sql`INSERT INTO staff_log (actor, action, subject) VALUES ('user 9', 'hide', 'rating 7')`.execute(
    kysely,
  )
  await transaction(database, (tx) =>
    logStaff(
      tx,
      { actor: 'user 9', action: 'block', subject: userSubject(4) },
      { actor: 'user 9', action: 'back up', subject: { kind: 'shop' } },
    ),
  )
  expect((await subjects()).slice(first.length)).toEqual([
    ['rating', 7],
    ['user', 4],
    ['shop', null],
  ])
  const { rows } = await sql`SELECT subject FROM staff_log ORDER BY id DESC LIMIT 2`.execute(kysely)
  expect(rows).toEqual([{ subject: 'shop' }, { subject: 'user 4' }])
})

/** Two payouts that wait, written by an earlier version, and the rows that it books them with. */
const PAYOUTS = `
  INSERT INTO teachers (id, first_name, last_name, email) VALUES (1, 't', 't', 't'), (2, 't', 't', 't');
  INSERT INTO payouts (teacher_id, amount, holder, rib, requested_at)
    SELECT id, 60000, 'h', repeat('0', 20), now() FROM teachers`

test('earlier versions ask for payouts and pay them out beside this one, except what withholds', async () => {
  const { database, upgrade } = await shopBefore('0063-withholdings', PAYOUTS)
  await upgrade()
  const additives = sql<{ name: string }>`SELECT name FROM additive_migrations`
  const { rows } = await additives.execute(database.kysely)
  expect(rows).toContainEqual({ name: '0063-withholdings' })
  await sql`UPDATE payouts SET withheld = 9000 WHERE id = 2`.execute(database.kysely)
  const pay = (id: number) =>
    sql`UPDATE payouts SET status = 'paid', decided_at = now(), reference = 'r'
      WHERE id = ${id}`.execute(database.kysely)
  await pay(1)
  await expect(pay(2)).rejects.toMatchObject({ code: '23514' })
})

/** Adjustments of an earlier version in every state; what is made was confirmed by somebody else. */
const ADJUSTMENTS = `
  INSERT INTO users (id, email, username, first_name, last_name, role, password_hash)
    OVERRIDING SYSTEM VALUE VALUES (7, 'e', 'u', 'f', 'l', 'PARENT', '');
  INSERT INTO adjustments (user_id, amount, reason, needs_second, state, proposer, proposed_at,
    decider, decided_at, refusal) VALUES
    (7, 900000, 'gift', true, 'proposed', 'user 1', now(), NULL, NULL, NULL),
    (7, 800000, 'made', true, 'made', 'user 1', now(), 'user 2', now(), NULL),
    (7, 700000, 'no', true, 'refused', 'user 1', now(), 'user 2', now(), 'never')`

test('adjustments that waited for a second person wait as acts, and are made once', async () => {
  const { database, upgrade } = await shopBefore('0071-acts', ADJUSTMENTS)
  await upgrade()
  const { kysely } = database
  const { acts, total } = await listActs(kysely, { page: 0, size: 10, actor: 'user 2', at: 0 })
  expect(total).toBe(3)
  expect(
    acts.map(({ reason, state, amount, isYours }) => [reason, state, amount, isYours]),
  ).toEqual([
    ['no', 'refused', 700000, false],
    ['made', 'done', 800000, false],
    ['gift', 'waiting', 900000, false],
  ])
  await transaction(database, async (tx) => {
    const { input, amount, reason, proposer, proposedAt } = await tx
      .selectFrom('acts')
      .selectAll()
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    const due = { amount, reason, proposer, proposedAt, decider: 'user 2' }
    const jobs = { enqueue: async () => {} } as unknown as Deps['jobs']
    await adjustmentAct({ jobs, now: Date.now })(tx, { ...due, input: input as never })
  })
  const { balance } = await kysely
    .selectFrom('accounts')
    .select('balance')
    .where('userId', '=', 7)
    .executeTakeFirstOrThrow()
  expect(balance).toBe(900000)
  const left = kysely.selectFrom('adjustments').select('id').where('state', '=', 'proposed')
  expect(await left.execute()).toEqual([])
})

test('versions of the shop’s texts and notes of imports lose them too, but no terms that were accepted', async () => {
  const turned = 'fdp\u202e.exe'
  const page = `{"ar": "${turned}", "fr": "x"}`
  const version = (subject: string) => `('${subject}', 1, '${page}', 'user 1', now())`
  const { database, upgrade } = await shopBefore(
    '0103-plain-versions',
    `INSERT INTO site_versions (subject, revision, value, actor, made_at)
      VALUES ${['page faq', 'page terms', 'facts brand'].map(version).join(', ')};
    INSERT INTO terms_versions (revision, published_at, actor) VALUES (1, now(), 'user 1');
    INSERT INTO users (email, username, first_name, last_name, role, password_hash)
      VALUES ('e', 'u', 'f', 'l', 'TEACHER', '');
    INSERT INTO teachers (first_name, last_name, email) VALUES ('t', 't', 't');
    INSERT INTO imports (user_id, teacher_id, name, storage_keys, phase, notes)
      SELECT users.id, teachers.id, '${turned}', '{}', 'done', '[{"detail": "${turned}"}]'
      FROM users, teachers`,
  )
  await upgrade()
  const { kysely } = database
  const versions = await kysely.selectFrom('siteVersions').select(['subject', 'value']).execute()
  const plain = { ar: 'fdp.exe', fr: 'x' }
  expect(Object.fromEntries(versions.map(({ subject, value }) => [subject, value]))).toEqual({
    'page faq': plain,
    'facts brand': plain,
    'page terms': { ar: turned, fr: 'x' },
  })
  await expect(sql`UPDATE site_versions SET actor = ''`.execute(kysely)).rejects.toThrow('refused')
  const kept = await kysely.selectFrom('imports').select(['name', 'notes']).execute()
  expect(kept).toEqual([{ name: 'fdp.exe', notes: [{ detail: 'fdp.exe' }] }])
})

test('names and answers in several languages lose their overrides of direction', async () => {
  const turned = 'fdp\u202e.exe'
  const { database, upgrade } = await shopBefore(
    '0102-plain-names',
    `INSERT INTO canned_answers (name, text) VALUES ('{"ar": "${turned}"}', '{"ar": "x", "fr": "${turned}"}')`,
  )
  await upgrade()
  const rows = await database.kysely.selectFrom('cannedAnswers').select(['name', 'text']).execute()
  expect(rows).toEqual([{ name: { ar: 'fdp.exe' }, text: { ar: 'x', fr: 'fdp.exe' } }])
})
