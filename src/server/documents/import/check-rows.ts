import {
  boundsOf,
  DETAILS,
  type Details,
  DOCUMENT_CHAPTERS_MAX,
  DOCUMENT_PRICE_MAX,
  DOCUMENT_PRICE_MIN,
  discountProblem,
  priceProblem,
  readDetail,
} from '../../../rules/document-fields.ts'
import { dinars, inDinars, type Millimes } from '../../../rules/money.ts'
import { isOwnKind } from '../../../rules/papers.ts'
import { isBlank, plainName, plainSigns } from '../../../rules/pasted-text.ts'
import { AUDIENCES, type Audience, type Level } from '../../../rules/price-bands.ts'
import { readPages } from '../../../rules/reading.ts'
import { foldText } from '../../../rules/search-fold.ts'
import { amountProblem, parseDinars } from '../../../rules/typed-numbers.ts'
import { email as checkEmail } from '../../../rules/validators.ts'
import { foldEmail } from '../../accounts/accounts.ts'
import {
  AS_WRITTEN,
  COLUMN_NAMES,
  COLUMNS,
  type Column,
  columnOf,
  IMPORT_STATES,
  type ImportState,
  REQUIRED_COLUMNS,
} from './columns.ts'
import { type ImportProblem, type ProblemCode, shownDetail } from './problems.ts'
import type { ListRow } from './read-list.ts'

/**
 * An entry of the shop's reference lists with all its names: its code, and one for each language.
 */
export interface ListEntry {
  readonly id: number
  readonly names: readonly string[]
  readonly code: string | null
  /** Its name in each language, in the order of the languages. */
  readonly inLanguages: readonly string[]
  /** Whether only documents that have it already may name it. */
  readonly isRetired: boolean
}

/** A chapter of a class and subject, with its names and other names. */
interface ListedChapter extends Pick<ListEntry, 'id' | 'names' | 'isRetired'> {
  readonly niveauId: number
  readonly matiereId: number
}

/** The data of the shop with which rows are compared. */
export interface Shop {
  readonly subjects: readonly ListEntry[]
  readonly classes: readonly (ListEntry & { readonly level: Level })[]
  readonly categories: readonly ListEntry[]
  readonly chapters: readonly ListedChapter[]
  /** The kinds of papers that administrators have added. */
  readonly kinds: readonly ListEntry[]
  /** E-mails, folded. */
  readonly teachers: ReadonlySet<string>
  /** E-mails of accounts other than teachers', folded. */
  readonly otherAccounts: ReadonlySet<string>
}

/** A valid row of a list; its files are not checked yet. Details that are absent stay as they are. */
export interface ListedDocument extends Readonly<Partial<Details>> {
  readonly row: number
  readonly reference: string
  readonly title: string
  readonly description: string
  readonly price: Millimes
  readonly priceDiscount: Millimes | null
  readonly matiereId: number
  readonly niveauId: number
  readonly level: Level
  readonly categoryId: number
  readonly audience: Audience
  /** Absent: they stay as they are. */
  readonly chapterIds?: number[]
  readonly teacher: {
    readonly email: string
    readonly firstName: string
    readonly lastName: string
  }
  /** A path relative to the folder. */
  readonly file: string
  readonly cover: string | null
  /**
   * The pages of the public sample; null for the first pages; undefined leaves them as they are.
   */
  readonly samplePages: number[] | null | undefined
  readonly state: ImportState
}

const NAMES: readonly Column[] = ['teacher_first_name', 'teacher_last_name']

/** The valid rows as documents, and all problems of the others. */
export function checkRows(
  rows: readonly ListRow[],
  shop: Shop,
  states: readonly ImportState[] = IMPORT_STATES,
): { documents: ListedDocument[]; problems: ImportProblem[] } {
  const problems: ImportProblem[] = []
  const find = {
    subject: finder(shop.subjects),
    class: finder(shop.classes),
    category: finder(shop.categories),
    kind: finder(shop.kinds),
  }
  const named = new Set<string>()
  const newTeachers = new Map<string, ListedDocument['teacher']>()
  const documents: ListedDocument[] = []

  for (const row of rows) {
    const before = problems.length
    const refuse = (column: Column, code: ProblemCode, detail: string = row.values[column]) =>
      void problems.push({ row: row.number, column, code, detail: shownDetail(detail) })

    const cleaned = cleanedValues(row.values)
    for (const column of REQUIRED_COLUMNS) if (cleaned[column] === '') refuse(column, 'required')
    const values = withoutTooLong(cleaned, refuse)
    if (values.reference !== '' && named.has(values.reference)) refuse('reference', 'repeated')
    named.add(values.reference)

    const listed = <E extends ListEntry>(column: Column, entries: readonly E[]): E | undefined => {
      if (values[column] === '') return undefined
      if (entries.length !== 1) refuse(column, entries.length === 0 ? 'not_listed' : 'ambiguous')
      return entries.length === 1 ? entries[0] : undefined
    }
    const subject = listed('subject', find.subject(values.subject))
    const schoolClass = listed('class', find.class(values.class))
    const category = listed('category', find.category(values.category))
    const audience = audienceOf(values.audience)
    if (!audience) refuse('audience', 'not_listed')
    const state = states.find((each) => each === (values.state.toLowerCase() || states[0]))
    if (!state) refuse('state', 'not_listed')

    const samplePages = samplePagesIn(values.sample, refuse)
    const details = detailsIn(withKindCode(values, find.kind), refuse)
    const { paperKind } = details
    if (paperKind && isOwnKind(paperKind) && find.kind(paperKind).length === 0) {
      refuse(columnOf('paperKind'), 'not_listed')
    }
    const chapterIds = chaptersIn(values.chapters, { shop, subject, schoolClass }, refuse)
    const prices = pricesOf(values, refuse)
    const teacher = teacherOf(values, shop, newTeachers, refuse)
    if (problems.length > before) continue
    if (!subject || !schoolClass || !category || !audience || !state || !teacher) continue
    documents.push({
      row: row.number,
      reference: values.reference,
      title: values.title,
      description: values.description,
      ...prices,
      matiereId: subject.id,
      niveauId: schoolClass.id,
      level: schoolClass.level,
      categoryId: category.id,
      audience,
      ...details,
      ...(chapterIds && { chapterIds }),
      teacher,
      file: values.file,
      cover: values.cover || null,
      samplePages,
      state,
    })
  }
  return { documents, problems }
}

/** The values without the marks that pasting brings along, by what each column means. */
function cleanedValues(written: ListRow['values']): ListRow['values'] {
  const clean = (column: Column): string => {
    const text = written[column]
    if (isBlank(text)) return ''
    if (AS_WRITTEN.includes(column)) return text
    return NAMES.includes(column) ? plainName(text) : plainSigns(text)
  }
  return Object.fromEntries(
    COLUMN_NAMES.map((column) => [column, clean(column)]),
  ) as ListRow['values']
}

/** The values with '' in place of each that is too long, so that nothing is done with it. */
function withoutTooLong(values: ListRow['values'], refuse: Refuse): ListRow['values'] {
  const tooLong = COLUMN_NAMES.filter((column) => [...values[column]].length > COLUMNS[column].most)
  for (const column of tooLong) refuse(column, 'too_long', String(COLUMNS[column].most))
  return { ...values, ...Object.fromEntries(tooLong.map((column) => [column, ''])) }
}

type Refuse = (column: Column, code: ProblemCode, detail?: string) => void

/** Returns a search for entries by code or name, in any spelling. */
function finder<E extends Pick<ListEntry, 'names'>>(entries: readonly E[]): (text: string) => E[] {
  const byName = new Map<string, E[]>()
  for (const entry of entries) {
    for (const name of new Set(entry.names.map(foldText))) {
      byName.set(name, [...(byName.get(name) ?? []), entry])
    }
  }
  return (text) => byName.get(foldText(text)) ?? []
}

/** The ids of chapters whose names are between bars; undefined where there are none. */
function chaptersIn(
  cell: string,
  {
    shop,
    subject,
    schoolClass,
  }: { shop: Shop; subject: ListEntry | undefined; schoolClass: ListEntry | undefined },
  refuse: Refuse,
): number[] | undefined {
  if (cell === '' || !subject || !schoolClass) return undefined
  const ofIt = shop.chapters.filter(
    ({ niveauId, matiereId }) => niveauId === schoolClass.id && matiereId === subject.id,
  )
  const find = finder(ofIt)
  const names = cell.split('|').filter((name) => !isBlank(name))
  const found = names.flatMap((name) => {
    const entries = find(name)
    if (entries.length !== 1) {
      refuse('chapters', entries.length === 0 ? 'not_listed' : 'ambiguous', name.trim())
    }
    return entries.map(({ id }) => id)
  })
  const ids = [...new Set(found)]
  if (ids.length > DOCUMENT_CHAPTERS_MAX) {
    refuse('chapters', 'too_long', String(DOCUMENT_CHAPTERS_MAX))
  }
  return ofIt.flatMap(({ id }) => (ids.includes(id) ? [id] : []))
}

function audienceOf(text: string): Audience | undefined {
  const [students, teachers] = AUDIENCES
  const wanted = foldText(text)
  if (['', 'students', 'student', foldText(students)].includes(wanted)) return students
  return ['teachers', 'teacher', foldText(teachers)].includes(wanted) ? teachers : undefined
}

function samplePagesIn(typed: string, refuse: Refuse): ListedDocument['samplePages'] {
  if (typed === '') return undefined
  if (typed.toLowerCase() === 'none') return null
  const pages = readPages(typed)
  if (!pages) refuse('sample', 'not_pages')
  return pages?.toSorted((one, other) => one - other)
}

/** The values with the code of a kind that the shop has added, in place of its name. */
function withKindCode(
  values: ListRow['values'],
  find: (text: string) => ListEntry[],
): ListRow['values'] {
  const column = columnOf('paperKind')
  const [own] = find(values[column])
  return own?.code ? { ...values, [column]: own.code } : values
}

function detailsIn(values: ListRow['values'], refuse: Refuse): Partial<Details> {
  const given = DETAILS.flatMap((name) => {
    const column = columnOf(name)
    const value = readDetail(name, values[column])
    if (value === undefined) {
      const bounds = boundsOf(name)
      if (bounds) refuse(column, 'number_out_of_range', `${bounds.least}–${bounds.most}`)
      else refuse(column, 'not_listed')
    }
    return value === null ? [] : [[name, value]]
  })
  return Object.fromEntries(given)
}

function pricesOf(values: ListRow['values'], refuse: Refuse) {
  const readPrice = (column: 'price' | 'discount_price'): Millimes | null => {
    if (values[column] === '') return null
    const amount = parseDinars(values[column])
    if (amount === null) {
      const hasThird = amountProblem(values[column]) === 'thirdDecimal'
      refuse(column, hasThird ? 'third_decimal' : 'not_an_amount')
    }
    return amount === null ? null : dinars(amount)
  }
  const range = `0, or ${inDinars(DOCUMENT_PRICE_MIN)} to ${inDinars(DOCUMENT_PRICE_MAX)}`
  const price = readPrice('price')
  const priceDiscount = readPrice('discount_price')
  if (price !== null && priceProblem(price)) refuse('price', 'price_out_of_range', range)
  if (discountProblem({ price, priceDiscount })) refuse('discount_price', 'discount_out_of_range')
  return { price: price ?? 0, priceDiscount }
}

function teacherOf(
  values: ListRow['values'],
  shop: Shop,
  newTeachers: Map<string, ListedDocument['teacher']>,
  refuse: Refuse,
): ListedDocument['teacher'] | null {
  const email = foldEmail(values.teacher_email)
  if (email === '') return null
  if (checkEmail(email) !== null) {
    refuse('teacher_email', 'not_an_email')
    return null
  }
  const teacher = {
    email,
    firstName: values.teacher_first_name,
    lastName: values.teacher_last_name,
  }
  if (shop.teachers.has(email)) return teacher
  if (shop.otherAccounts.has(email)) {
    refuse('teacher_email', 'not_a_teacher')
    return null
  }
  const named = newTeachers.get(email)
  if (named) return named
  if (teacher.firstName === '' || teacher.lastName === '') {
    refuse('teacher_email', 'new_teacher_without_name')
    return null
  }
  newTeachers.set(email, teacher)
  return teacher
}
