import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { BULK_STATES } from '../../../src/rules/bulk-change.ts'
import { BUNDLE_ANSWERS } from '../../../src/rules/bundles.ts'
import { CHAPTER_NAME_MAX_LENGTH } from '../../../src/rules/chapters.ts'
import { CODE_SCOPES } from '../../../src/rules/discount-codes.ts'
import { DETAILS, type Detail, ruleOf } from '../../../src/rules/document-fields.ts'
import {
  DOCUMENT_STATES,
  OPEN_STATES,
  REVIEWED_STATES,
  VERSION_STATES,
} from '../../../src/rules/document-life.ts'
import { IMPORT_PHASES, IMPORT_STEPS } from '../../../src/rules/imports.ts'
import { INVOICE_KINDS } from '../../../src/rules/invoices.ts'
import { LANGUAGES } from '../../../src/rules/languages.ts'
import {
  ACCOUNT_KINDS,
  ADJUSTMENT_STATES,
  MOVEMENT_KINDS,
  TEACHER_ACCOUNTS,
} from '../../../src/rules/ledger.ts'
import { SHELF_NAME_MAX_CODE_POINTS } from '../../../src/rules/library-list.ts'
import { TRIMESTERS } from '../../../src/rules/papers.ts'
import { ORDER_METHODS, PAYMENT_PURPOSES } from '../../../src/rules/payment-methods.ts'
import {
  DIFFERENCE_KINDS,
  DIFFERENCE_OUTCOMES,
  ORDER_STATUSES,
  PAYMENT_PROVIDERS,
  PAYMENT_STATES,
  REPORTED_STATES,
  SANDBOX_STATES,
} from '../../../src/rules/payment-states.ts'
import { PAYOUT_STATES } from '../../../src/rules/payouts.ts'
import { AUDIENCES, LEVELS } from '../../../src/rules/price-bands.ts'
import { ANSWER_MAX_LENGTH, RATING_MAX, RATING_MIN } from '../../../src/rules/rating.ts'
import { REPORT_REASONS, REPORT_WORDS_MAX_LENGTH } from '../../../src/rules/reports.ts'
import { ACCOUNT_ROLES, GENDERS, JOINING_DECISIONS } from '../../../src/rules/roles.ts'
import { CHAT_MESSAGE_MAX_LENGTH } from '../../../src/rules/room.ts'
import { CODE_PURPOSES, CONTACT_KINDS, REQUEST_PURPOSES } from '../../../src/rules/sms.ts'
import { ACT_KINDS, ACT_STATES } from '../../../src/rules/two-people.ts'
import { UPLOAD_PURPOSES } from '../../../src/rules/uploads.ts'
import { VISIT_STEPS } from '../../../src/rules/visits.ts'
import { KEPT_SEARCH_MAX_LENGTH } from '../../../src/server/figures/visits.ts'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../../../src/server/http/idempotency.ts'
import { aDatabase } from '../../support/database.ts'

const { database } = await aDatabase()
/** The check constraints of all tables, as the database writes them. */
const { rows: checks } = await sql<{ table: string; definition: string }>`
  SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace
  ORDER BY 1`.execute(database.kysely)
const tables = await database.kysely.introspection.getTables()
const columnsOfDocuments = tables
  .find(({ name }) => name === 'documents')
  ?.columns.map(({ name }) => name)

/** Allows a column the values of a list and nothing else. */
const WHOLE_CHECK = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/
/** Any list in a check. */
const LIST = /(\w+) (?:= ANY|<> ALL) \(ARRAY\[([^\]]*)\]\)/g

/** A list by the name of its column, and its values in alphabetical order. */
function listOf(table: string, [, column, values = '']: readonly string[]) {
  const unquoted = [...values.matchAll(/'([^']*)'/g)].map(([, value]) => value)
  return [`${table}.${column}`, unquoted.sort()] as const
}

const sorted = (lists: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(lists).map(([column, list]) => [column, list.toSorted()]))

const columnOfDetail = (name: Detail) =>
  `documents.${String(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`

/** What the rules of the details of one kind say, by column. */
const ofDetails = <T>(read: (rule: ReturnType<typeof ruleOf>) => T | undefined) =>
  Object.fromEntries(
    DETAILS.flatMap((name) => {
      const value = read(ruleOf(name))
      return value === undefined ? [] : [[columnOfDetail(name), value]]
    }),
  )

// A list that grows needs a migration that widens its check; a new check is listed here with its list.
test('the database accepts all values of the lists of the code, and no other', () => {
  const lists = checks.flatMap(({ table, definition }) => {
    const found = WHOLE_CHECK.exec(definition)
    return found ? [listOf(table, found)] : []
  })
  expect(Object.fromEntries(lists)).toEqual(
    sorted({
      ...ofDetails((rule) => (rule.kind === 'option' && !rule.isOpen ? rule.options : undefined)),
      'accounts.kind': ACCOUNT_KINDS,
      'contact_changes.kind': CONTACT_KINDS,
      'chapters.trimester': TRIMESTERS,
      'code_requests.purpose': REQUEST_PURPOSES,
      'phone_codes.purpose': CODE_PURPOSES,
      'acts.kind': ACT_KINDS,
      'discount_codes.scope': CODE_SCOPES,
      'acts.state': ACT_STATES,
      'adjustments.state': ADJUSTMENT_STATES,
      'bundle_agreements.answer': BUNDLE_ANSWERS,
      'bulk_changes.state': BULK_STATES,
      'document_versions.state': VERSION_STATES,
      'documents.audience': AUDIENCES,
      'documents.state': DOCUMENT_STATES,
      'imports.phase': IMPORT_PHASES,
      'imports.step': IMPORT_STEPS,
      'invoice_counters.kind': INVOICE_KINDS,
      'invoices.kind': INVOICE_KINDS,
      'invoices.locale': LANGUAGES,
      'join_requests.decision': JOINING_DECISIONS,
      'ledger_transactions.kind': MOVEMENT_KINDS,
      'niveaux.level': LEVELS,
      'orders.status': ORDER_STATUSES,
      'payment_differences.kind': DIFFERENCE_KINDS,
      'payment_differences.outcome': DIFFERENCE_OUTCOMES,
      'payment_differences.reported_state': REPORTED_STATES,
      'payments.locale': LANGUAGES,
      'payments.method': ORDER_METHODS,
      'payments.provider': PAYMENT_PROVIDERS,
      'payments.purpose': PAYMENT_PURPOSES,
      'payments.status': PAYMENT_STATES,
      'payouts.status': PAYOUT_STATES,
      'reports.locale': LANGUAGES,
      'reports.reason': REPORT_REASONS,
      'sandbox_payments.status': SANDBOX_STATES,
      'uploads.purpose': UPLOAD_PURPOSES,
      'users.gender': GENDERS,
      'users.locale': LANGUAGES,
      'users.role': ACCOUNT_ROLES,
      'visit_counts.step': VISIT_STEPS,
    }),
  )
})

test('every list within a condition of the database is a list of the code', () => {
  const lists = checks
    .filter(({ definition }) => !WHOLE_CHECK.test(definition))
    .flatMap(({ table, definition }) =>
      [...definition.matchAll(LIST)].map((found) => listOf(table, found)),
    )
  expect(lists.toSorted()).toEqual([
    // These have a teacher.
    ['accounts.kind', TEACHER_ACCOUNTS.toSorted()],
    // These may be incomplete.
    ['documents.state', OPEN_STATES.toSorted()],
    // These have been published once.
    ['documents.state', REVIEWED_STATES.toSorted()],
  ])
})

test('no list of the database is written in another form', () => {
  const lists = checks.filter(({ definition }) => definition.includes('ARRAY['))
  const found = checks.filter(({ definition }) => definition.match(LIST))
  expect(lists).toEqual(found)
})

// A longer text needs a migration that widens its check; a new check is listed here with its limit.
test('every length limit of the database is the limit of the code', () => {
  const limits = checks.flatMap(({ table, definition }) =>
    [...definition.matchAll(/length\((\w+)\) <= (\d+)/g)].map(
      ([, column, most]) => [`${table}.${column}`, Number(most)] as const,
    ),
  )
  expect(Object.fromEntries(limits)).toEqual({
    ...ofDetails((rule) => (rule.kind === 'text' ? rule.most : undefined)),
    'chapters.name_ar': CHAPTER_NAME_MAX_LENGTH,
    'chapters.name_fr': CHAPTER_NAME_MAX_LENGTH,
    'chat_messages.content': CHAT_MESSAGE_MAX_LENGTH,
    'empty_searches.words': KEPT_SEARCH_MAX_LENGTH,
    'exam_marks.child': SHELF_NAME_MAX_CODE_POINTS,
    'documents.paper_kind': 100,
    'idempotent_requests.key': IDEMPOTENCY_KEY_MAX_LENGTH,
    'rating_answers.text': ANSWER_MAX_LENGTH,
    'report_cases.answer': REPORT_WORDS_MAX_LENGTH,
    'report_cases.reply': REPORT_WORDS_MAX_LENGTH,
    'reports.words': REPORT_WORDS_MAX_LENGTH,
  })
})

test("the database accepts a rating's range of the code", () => {
  const stars = checks.find(({ definition }) => definition.includes('(stars >= '))
  expect(stars?.definition).toBe(`CHECK (((stars >= ${RATING_MIN}) AND (stars <= ${RATING_MAX})))`)
})

// A new detail of documents needs a migration, with a check if it is a number.
test.each(DETAILS)('the database has the column of the detail %s, with its range', (name) => {
  const rule = ruleOf(name)
  const column = columnOfDetail(name).slice('documents.'.length)
  expect(columnsOfDocuments).toContain(column)
  if (!('least' in rule)) return
  const range = `CHECK (((${column} >= ${rule.least}) AND (${column} <= ${rule.most})))`
  expect(checks.map(({ definition }) => definition)).toContain(range)
})
