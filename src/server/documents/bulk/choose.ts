import { type Kysely, type RawBuilder, sql } from 'kysely'
import type {
  AllDocumentSort,
  ListedDocument,
  OfficeDocumentFilters,
} from '../../../contract/office-all-documents.ts'
import type { BulkChangeForm } from '../../../contract/office-bulk-changes.ts'
import type { Reason } from '../../../contract/values.ts'
import { calledIn } from '../../../i18n/format.ts'
import {
  type BulkChange,
  DISCOUNT_PERCENT_MAX,
  DISCOUNT_PERCENT_MIN,
  DISCOUNT_TIME_MAX_MS,
  PRICE_PERCENT_MAX,
  PRICE_PERCENT_MIN,
} from '../../../rules/bulk-change.ts'
import { priceProblem } from '../../../rules/document-fields.ts'
import { type InEachLanguage, inEachLanguage } from '../../../rules/languages.ts'
import { KINDS_OF_CATEGORIES } from '../../../rules/papers.ts'
import { daysAfter, startOfDay } from '../../../rules/tunisia-time.ts'
import { conditionsOf, namesOf, readEntries } from '../../catalogue/catalogue.ts'
import type { Schema } from '../../database/schema.ts'
import { fullNameIn, inOrder } from '../../database/sql-parts.ts'
import { fault } from '../../http/errors.ts'

const ORDERS: Record<AllDocumentSort, RawBuilder<unknown>> = {
  '-changed': sql`d.changed_at DESC, d.id DESC`,
  price: sql`d.final_price, d.id`,
  '-price': sql`d.final_price DESC NULLS LAST, d.id DESC`,
  '-sales': sql`d.sales_count DESC, d.id DESC`,
}

const IS_DISCOUNTED = sql`(d.price_discount > 0 AND d.price_discount < d.price)`
const HAS_TIMES = sql`EXISTS (SELECT FROM timed_discounts WHERE document_id = d.id)`
const DISCOUNTS = {
  discounted: IS_DISCOUNTED,
  timed: HAS_TIMES,
  none: sql`(${IS_DISCOUNTED} IS NOT TRUE AND NOT ${HAS_TIMES})`,
} as const
/** A paper without a title has nothing yet that could state its facts. */
const LACKS_FACTS = sql`(d.paper_kind IS NULL AND d.title <> '' AND d.category_id IN (
  SELECT id FROM categories WHERE code = ANY (${Object.keys(KINDS_OF_CATEGORIES)}::text[])
))`

/** The condition that a document (`d`) passes every filter. */
async function passes(
  db: Kysely<Schema>,
  filters: OfficeDocumentFilters,
): Promise<RawBuilder<unknown>> {
  const {
    q = '',
    state,
    teacher,
    subject,
    level,
    category,
    minPrice,
    maxPrice,
    discount,
    facts,
  } = filters
  const conditions = [
    sql`true`,
    ...(state ? [sql`d.state = ${state}`] : []),
    ...(teacher ? [sql`d.teacher_id = ${teacher}`] : []),
    ...(subject ? [sql`d.matiere_id = ${subject}`] : []),
    ...(level ? [sql`d.level = ${level}`] : []),
    ...(category ? [sql`d.category_id = ${category}`] : []),
    ...(minPrice === undefined ? [] : [sql`d.final_price >= ${minPrice}`]),
    ...(maxPrice === undefined ? [] : [sql`d.final_price < ${maxPrice}`]),
    ...(discount ? [DISCOUNTS[discount]] : []),
    ...(facts ? [LACKS_FACTS] : []),
    ...(await conditionsOf(db, q)),
  ]
  return sql.join(conditions, sql` AND `)
}

/** The ids of at most `limit` documents that pass every filter, in ascending order. */
export async function chooseIds(
  db: Kysely<Schema>,
  filters: OfficeDocumentFilters,
  limit: number,
): Promise<number[]> {
  const where = await passes(db, filters)
  const { rows } = await sql<{ id: number }>`
    SELECT d.id FROM documents d WHERE ${where} ORDER BY d.id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

interface Row extends Omit<ListedDocument, 'teacher' | 'timed' | 'changedAt' | 'subjectNames'> {
  teacherId: number
  teacherName: string
  latinName: string
  subjectCode: string | null
  writtenNames: InEachLanguage | null
  timedDiscount: number | null
  startsAt: Date | null
  endsAt: Date | null
  changedAt: Date
}

interface PageOfList {
  sort: AllDocumentSort
  page: number
  size: number
}

export async function findDocuments(
  db: Kysely<Schema>,
  { sort, page, size, ...filters }: OfficeDocumentFilters & PageOfList,
): Promise<{ documents: ListedDocument[]; total: number }> {
  const where = await passes(db, filters)
  const { rows: counts } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM documents d WHERE ${where}`.execute(db)
  const documents = await readPage(db, where, { sort, page, size })
  return { documents, total: counts[0]?.total ?? 0 }
}

/** The documents that a text may mean, the last changed first, without their number. */
export async function lastChanged(
  db: Kysely<Schema>,
  { q, limit }: { q: string; limit: number },
): Promise<ListedDocument[]> {
  return readPage(db, await passes(db, { q }), { sort: '-changed', page: 0, size: limit })
}

async function readPage(
  db: Kysely<Schema>,
  where: RawBuilder<unknown>,
  { sort, page, size }: PageOfList,
): Promise<ListedDocument[]> {
  // Names are looked up only for the rows of the page.
  const { rows } = await sql<Row>`
    WITH chosen AS MATERIALIZED (
      SELECT d.*, row_number() OVER (ORDER BY ${ORDERS[sort]}) AS place
      FROM (SELECT * FROM documents d WHERE ${where}
        ORDER BY ${ORDERS[sort]} LIMIT ${size} OFFSET ${page * size}) AS d
    )
    SELECT d.id, d.title, d.state, d.level, d.price, d.price_discount, d.sales_count, d.changed_at,
      d.teacher_id, ${fullNameIn('t')} AS teacher_name, t.latin_name,
      coalesce(m.name, '') AS subject, m.code AS subject_code, m.names AS written_names,
      timed.price_discount AS timed_discount, timed.starts_at, timed.ends_at
    FROM chosen d
    JOIN teachers t ON t.id = d.teacher_id
    LEFT JOIN matieres m ON m.id = d.matiere_id
    LEFT JOIN timed_discounts timed ON timed.document_id = d.id
    ORDER BY d.place`.execute(db)
  return rows.map(presentListed)
}

function presentListed(row: Row): ListedDocument {
  const { teacherId, teacherName, timedDiscount, startsAt, endsAt, changedAt, ...rest } = row
  const { latinName, subjectCode, writtenNames, ...listed } = rest
  const { subject } = listed
  return {
    ...listed,
    subjectNames:
      subject === ''
        ? null
        : namesOf('subjects', { name: subject, code: subjectCode, names: writtenNames }),
    teacher: { id: teacherId, name: teacherName, names: calledInEach(teacherName, latinName) },
    timed:
      timedDiscount !== null && startsAt && endsAt
        ? {
            priceDiscount: timedDiscount,
            from: startsAt.toISOString(),
            until: endsAt.toISOString(),
          }
        : null,
    changedAt: changedAt.toISOString(),
  }
}

/** How many choices a filter offers at most. */
const CHOICES_MAX = 1000

export async function readChoices(db: Kysely<Schema>) {
  const teachers = await sql<{ id: number; name: string; latinName: string }>`
    SELECT t.id, ${fullNameIn('t')} AS name, t.latin_name FROM teachers t
    WHERE EXISTS (SELECT FROM documents WHERE teacher_id = t.id)
    ORDER BY ${inOrder(fullNameIn('t'))}, id LIMIT ${CHOICES_MAX}`.execute(db)
  const listed = async (list: 'subjects' | 'categories') =>
    (await readEntries(db, list)).slice(0, CHOICES_MAX).map((entry) => {
      return { id: entry.id, name: entry.name, names: namesOf(list, entry) }
    })
  return {
    teachers: teachers.rows.map(({ id, name, latinName }) => {
      return { id, name, names: calledInEach(name, latinName) }
    }),
    subjects: await listed('subjects'),
    categories: await listed('categories'),
  }
}

const calledInEach = (name: string, latinName: string) =>
  inEachLanguage((language) => calledIn(language, { name, latinName }))

/**
 * The bulk change that a form describes at a moment. Throws `invalid_input` with the fields that
 * are missing or wrong.
 */
export function readForm(form: BulkChangeForm, now: number): BulkChange {
  switch (form.kind) {
    case 'price': {
      refuse('price', priceProblem(form.price ?? null))
      return { kind: form.kind, price: form.price ?? 0 }
    }
    case 'percent': {
      const { percent = 0 } = form
      refuse(
        'percent',
        percent === 0 ? 'required' : outside(percent, PRICE_PERCENT_MIN, PRICE_PERCENT_MAX),
      )
      return { kind: form.kind, percent }
    }
    case 'discount': {
      const { percent } = form
      if (percent === undefined) throw fault('invalid_input', { fields: { percent: 'required' } })
      refuse('percent', outside(percent, DISCOUNT_PERCENT_MIN, DISCOUNT_PERCENT_MAX))
      return { kind: form.kind, percent, ...readTimes(form, now) }
    }
    default:
      return { kind: form.kind }
  }
}

function readTimes({ from: firstDay, until: lastDay }: BulkChangeForm, now: number) {
  // A discount whose first day is today begins now.
  const from = Math.max(now, firstDay === undefined ? now : startOfDay(firstDay).getTime())
  if (lastDay === undefined) throw fault('invalid_input', { fields: { until: 'required' } })
  const until = startOfDay(daysAfter(lastDay, 1)).getTime()
  if (until <= from) throw fault('invalid_input', { fields: { until: 'min' } })
  refuse('until', until - now > DISCOUNT_TIME_MAX_MS ? 'max' : null)
  return { from, until }
}

function outside(value: number, least: number, most: number): Reason | null {
  if (value < least) return 'min'
  return value > most ? 'max' : null
}

function refuse(field: string, reason: Reason | null): void {
  if (reason) throw fault('invalid_input', { fields: { [field]: reason } })
}
