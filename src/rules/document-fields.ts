import { isDiscounted } from './discount.ts'
import { dinars, type Millimes } from './money.ts'
import {
  AI_USES,
  firstYear,
  isOwnKind,
  KIND_CODE,
  KINDS_OF_CATEGORIES,
  PAPER_KINDS,
  TRIMESTERS,
} from './papers.ts'
import { isBlank, plainSigns } from './pasted-text.ts'
import { FILE_MAX_PAGES } from './uploads.ts'

/** The longest title and description, in characters. */
export const TITLE_MAX_LENGTH = 255
export const DOCUMENT_DESCRIPTION_MAX_LENGTH = 5000

/** The most chapters of a document. */
export const DOCUMENT_CHAPTERS_MAX = 8

/** The price range of a document that is not free. */
export const DOCUMENT_PRICE_MIN: Millimes = dinars(0.5)
export const DOCUMENT_PRICE_MAX: Millimes = dinars(500)

/** What a field holds, with its bounds. */
type FieldKind =
  | { readonly kind: 'text'; readonly most: number }
  | { readonly kind: 'number' | 'year'; readonly least: number; readonly most: number }
  /** One of these words; or, if it `isOpen`, one that administrators have added. */
  | { readonly kind: 'option'; readonly options: readonly string[]; readonly isOpen?: true }
  /** An entry of the subjects, classes or categories; `id` is the property that names it. */
  | { readonly kind: 'entry'; readonly id: string }
  /** Several chapters of its class and subject; `id` is the property that names them. */
  | { readonly kind: 'entries'; readonly id: string; readonly most: number }
  /** One of the audiences. */
  | { readonly kind: 'choice'; readonly column: string }
  /** The id of another document, a paper. */
  | { readonly kind: 'paper' }
  | { readonly kind: 'amount' }
  /** Set by a call of its own, from an upload. */
  | { readonly kind: 'upload'; readonly column: string; readonly isReviewedAgain?: true }

type FieldRule = FieldKind & {
  /** Whether a document without it cannot be published. */
  readonly isNeeded?: true
  /** Whether it is among the facts of the document's page, by this table alone. */
  readonly isDetail?: true
  /** The categories, by their code, whose documents may have it; absent: all. */
  readonly of?: readonly string[]
}

/** The categories of papers, by their code. */
export const PAPERS = ['exams', 'exercises'] as const

/**
 * The fields of a document that a teacher fills in and a reviewer looks at, in the order of the form.
 * Contract, database types, form, preview, review, lists, export and pages follow from it; the names
 * of columns in lists are a table of the server's. Changes of a published document apply at once,
 * except those of fields that are reviewed again.
 */
export const DOCUMENT_FIELDS = {
  title: { kind: 'text', most: TITLE_MAX_LENGTH, isNeeded: true },
  description: { kind: 'text', most: DOCUMENT_DESCRIPTION_MAX_LENGTH },
  matiere: { kind: 'entry', id: 'matiereId', isNeeded: true },
  classe: { kind: 'entry', id: 'niveauId', isNeeded: true },
  categorie: { kind: 'entry', id: 'categoryId', isNeeded: true },
  type: { kind: 'choice', column: 'audience', isNeeded: true },
  chapters: { kind: 'entries', id: 'chapterIds', most: DOCUMENT_CHAPTERS_MAX },
  paperKind: { kind: 'option', options: PAPER_KINDS, isOpen: true, isDetail: true, of: PAPERS },
  /** As typed, such as `3` or `1 bis`. */
  paperNumber: { kind: 'text', most: 20, isDetail: true, of: PAPERS },
  trimester: {
    kind: 'option',
    options: TRIMESTERS,
    isDetail: true,
    of: ['lessons', 'summaries', ...PAPERS],
  },
  /** The year in which the school year begins, or that of a national paper's session. */
  schoolYear: { kind: 'year', least: 1990, most: 2100, isDetail: true, of: PAPERS },
  minutes: { kind: 'number', least: 5, most: 600, isDetail: true, of: ['exams'] },
  school: { kind: 'text', most: 100, isDetail: true, of: PAPERS },
  /** The teacher who set the paper, who need not be the one who sells it. */
  paperAuthor: { kind: 'text', most: 100, isDetail: true, of: PAPERS },
  exerciseCount: { kind: 'number', least: 1, most: 500, isDetail: true },
  /** As typed, such as `6 + 7 + 7`: an exam is marked by them if `readExercisePoints` reads them. */
  exercisePoints: { kind: 'text', most: 100, isDetail: true, of: ['exams'] },
  /** The page of the file on which the correction begins; the sample shows none from there on. */
  correctionPage: { kind: 'number', least: 2, most: FILE_MAX_PAGES, isDetail: true, of: PAPERS },
  /** The paper of which this is the correction, sold apart. */
  correctionOf: { kind: 'paper', isDetail: true, of: PAPERS },
  aiUse: { kind: 'option', options: AI_USES, isDetail: true },
  price: { kind: 'amount', isNeeded: true },
  priceDiscount: { kind: 'amount' },
  file: { kind: 'upload', column: 'fileId', isNeeded: true, isReviewedAgain: true },
  cover: { kind: 'upload', column: 'coverPath' },
} as const satisfies Readonly<Record<string, FieldRule>>

type Rules = typeof DOCUMENT_FIELDS
export type DocumentField = keyof Rules
type FieldsThat<Has> = {
  [Field in DocumentField]: Rules[Field] extends Has ? Field : never
}[DocumentField]

export const FIELD_NAMES = Object.keys(DOCUMENT_FIELDS) as DocumentField[]

/** The rule of a field, with the properties that only some fields have. */
export const ruleOf = (field: DocumentField): FieldRule => DOCUMENT_FIELDS[field]

/** The fields that the document's form saves. */
export type WrittenField = Exclude<DocumentField, FieldsThat<{ kind: 'upload' }>>
export const WRITTEN_FIELDS = FIELD_NAMES.filter(
  (field): field is WrittenField => ruleOf(field).kind !== 'upload',
)

/** The names of written fields in forms and calls: `matiereId` of `matiere`. */
export type WrittenAs<Field extends WrittenField> = Field extends WrittenField
  ? Rules[Field] extends { id: infer Id extends string }
    ? Id
    : Field
  : never
export function writtenAs<Field extends WrittenField>(field: Field): WrittenAs<Field> {
  const rule = ruleOf(field)
  return ('id' in rule ? rule.id : field) as WrittenAs<Field>
}

/** The columns of the database in which fields are stored. */
type ColumnOf<Field extends DocumentField> = Field extends DocumentField
  ? Rules[Field] extends { column: infer Column extends string }
    ? Column
    : WrittenAs<Field & WrittenField>
  : never
export function columnOf<Field extends DocumentField>(field: Field): ColumnOf<Field> {
  const rule = ruleOf(field)
  const column = 'column' in rule ? rule.column : writtenAs(field as WrittenField)
  return column as ColumnOf<Field>
}

/**
 * The optional texts, numbers and choices among the facts of the page: everything about them follows
 * from the table. They have the same name everywhere but in lists, and are null where they are missing.
 */
export type Detail = FieldsThat<{ isDetail: true }>
export type Details = {
  [Name in Detail]: DetailValue<Rules[Name]> | null
}
type DetailValue<Rule> = Rule extends { kind: 'number' | 'year' | 'paper' }
  ? number
  : Rule extends { isOpen: true }
    ? string
    : Rule extends { options: readonly (infer Option)[] }
      ? Option
      : string

export const DETAILS = FIELD_NAMES.filter(
  (field): field is Detail => ruleOf(field).isDetail === true,
)

/** Whether documents of a category, by its code, may have a field; null for a shop's own category. */
export function fitsCategory(field: DocumentField, category: string | null): boolean {
  const { of } = ruleOf(field)
  return !of || category === null || of.includes(category)
}

/** The options of a choice for documents of a category. */
export function optionsFor(field: DocumentField, category: string | null): readonly string[] {
  const rule = ruleOf(field)
  if (rule.kind !== 'option') return []
  const kinds = Object.entries(KINDS_OF_CATEGORIES).find(([code]) => code === category)?.[1]
  return field === 'paperKind' && kinds ? kinds : rule.options
}

/** Whether documents of a category may have a value of a choice; any value of a field without options. */
export function isOptionFor(field: DocumentField, category: string | null, value: string): boolean {
  const options = optionsFor(field, category)
  return options.length === 0 || options.includes(value) || isOpenTo(ruleOf(field), value)
}

const isOpenTo = (rule: FieldRule, value: string): boolean =>
  rule.kind === 'option' && rule.isOpen === true && isOwnKind(value) && KIND_CODE.test(value)

export function detailsOf(document: Readonly<Details>): Details {
  return Object.fromEntries(DETAILS.map((name) => [name, document[name]])) as Details
}

export function givenDetails(document: Readonly<Partial<Details>>): [Detail, number | string][] {
  return DETAILS.flatMap((name) => {
    const value = document[name] ?? null
    return value === null ? [] : [[name, value]]
  })
}

/**
 * A detail as typed into a form or a cell: null where nothing was typed, undefined where its rule
 * does not allow it.
 */
export function readDetail<Name extends Detail>(
  name: Name,
  typed: string,
): Details[Name] | undefined {
  const rule = ruleOf(name)
  const value = readAs(rule.kind, typed)
  const given = isAllowed(rule, value) ? value : undefined
  return (isBlank(typed) ? null : given) as Details[Name] | undefined
}

function readAs(kind: FieldRule['kind'], typed: string): string | number {
  if (kind === 'number' || kind === 'paper') return wholeNumber(typed)
  if (kind === 'year') return firstYear(plainSigns(typed))
  // Spreadsheets begin cells with a capital.
  return kind === 'option' ? typed.trim().toLowerCase() : typed.trim()
}

/** The bounds of a number, or none. */
export function boundsOf(field: DocumentField): { least: number; most: number } | undefined {
  const rule = ruleOf(field)
  return 'least' in rule ? { least: rule.least, most: rule.most } : undefined
}

export function isAllowed(rule: FieldRule, value: string | number): boolean {
  if ('least' in rule) return rule.least <= Number(value) && Number(value) <= rule.most
  if (rule.kind === 'option') {
    return rule.options.includes(String(value)) || isOpenTo(rule, String(value))
  }
  if (rule.kind === 'paper') return Number(value) > 0
  return rule.kind !== 'text' || [...String(value)].length <= rule.most
}

function wholeNumber(typed: string): number {
  const plain = plainSigns(typed)
  return /^\d{1,9}$/.test(plain) ? Number(plain) : Number.NaN
}

type NeededColumn = ColumnOf<FieldsThat<{ isNeeded: true }>>

/** The columns of a document that publishing depends on; amounts in millimes. */
export type DocumentFacts = Readonly<
  Record<NeededColumn, string | number | null> & Record<'price' | 'priceDiscount', Millimes | null>
>

interface DocumentProblem {
  readonly field: DocumentField
  readonly reason: 'required' | 'min' | 'max'
}

export function documentProblems(facts: DocumentFacts): DocumentProblem[] {
  const reasonOf = (field: DocumentField): DocumentProblem['reason'] | null => {
    if (field === 'price') return priceProblem(facts.price)
    if (field === 'priceDiscount') return discountProblem(facts)
    if (!ruleOf(field).isNeeded) return null
    const value = facts[columnOf(field) as NeededColumn]
    return value === null || isBlank(String(value)) ? 'required' : null
  }
  return FIELD_NAMES.flatMap((field) => {
    const reason = reasonOf(field)
    return reason ? [{ field, reason }] : []
  })
}

/** The rule that a price breaks: it is 0, or from `DOCUMENT_PRICE_MIN` to `DOCUMENT_PRICE_MAX`. */
export function priceProblem(price: Millimes | null): DocumentProblem['reason'] | null {
  if (price === null) return 'required'
  if (price === 0) return null
  if (price < DOCUMENT_PRICE_MIN) return 'min'
  return price > DOCUMENT_PRICE_MAX ? 'max' : null
}

/** The rule that a discounted price breaks: it is a valid price above 0 and below the full one. */
export function discountProblem({
  price,
  priceDiscount,
}: Pick<DocumentFacts, 'price' | 'priceDiscount'>): DocumentProblem['reason'] | null {
  if (priceDiscount === null || price === null) return null
  if (priceDiscount < DOCUMENT_PRICE_MIN) return 'min'
  return isDiscounted({ price, priceDiscount }) ? null : 'max'
}
