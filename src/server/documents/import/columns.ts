import { ENTRY_NAME_MAX_LENGTH } from '../../../rules/catalogue-lists.ts'
import { CHAPTER_NAME_MAX_LENGTH } from '../../../rules/chapters.ts'
import {
  DOCUMENT_CHAPTERS_MAX,
  type DocumentField,
  FIELD_NAMES,
  ruleOf,
} from '../../../rules/document-fields.ts'
import { REVIEWED_STATES } from '../../../rules/document-life.ts'
import { FILE_PATH_MAX_LENGTH } from '../../../rules/imports.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../../rules/validators.ts'

interface ColumnRule {
  readonly example: string
  readonly isRequired?: true
  /** The longest text, in characters, with marks and spaces that may not count. */
  readonly most: number
}

/** The column of each field in lists and exports; `hasDefault`: empty means the first choice. */
const FIELD_COLUMNS = {
  title: { name: 'title', example: 'تمارين في الكسور' },
  description: { name: 'description', example: 'عشرون تمرينا مع الإصلاح' },
  matiere: { name: 'subject', example: 'mathematics' },
  classe: { name: 'class', example: 'primary-6' },
  categorie: { name: 'category', example: 'exercises' },
  type: { name: 'audience', example: 'students', hasDefault: true },
  chapters: { name: 'chapters', example: '' },
  paperKind: { name: 'kind', example: 'control' },
  paperNumber: { name: 'number', example: '1' },
  trimester: { name: 'trimester', example: 't1' },
  schoolYear: { name: 'year', example: '2024/25' },
  minutes: { name: 'minutes', example: '60' },
  school: { name: 'school', example: 'إعدادية ابن رشيق' },
  paperAuthor: { name: 'written_by', example: 'سلمى بن عمر' },
  exerciseCount: { name: 'exercises', example: '20' },
  exercisePoints: { name: 'points', example: '6 + 7 + 7' },
  correctionPage: { name: 'correction_from', example: '3' },
  // Any number would be that of some other paper.
  correctionOf: { name: 'correction_of', example: '' },
  aiUse: { name: 'ai', example: 'none' },
  price: { name: 'price', example: '12.5' },
  priceDiscount: { name: 'discount_price', example: '9.9' },
  file: { name: 'file', example: 'files/math-7-001.pdf' },
  cover: { name: 'cover', example: 'covers/math-7-001.png' },
} as const satisfies Readonly<
  Record<DocumentField, { name: string; example: string; hasDefault?: true }>
>

export type FieldColumn<Field extends DocumentField> = (typeof FIELD_COLUMNS)[Field]['name']

export function columnOf<Field extends DocumentField>(field: Field): FieldColumn<Field> {
  return FIELD_COLUMNS[field].name
}

/** The longest name or amount, and a cell that means one of a few words, in characters. */
const SHORT_MAX_LENGTH = 50

function ruleOfColumn(field: DocumentField): ColumnRule {
  const rule = ruleOf(field)
  const longest = {
    text: rule.kind === 'text' ? rule.most : SHORT_MAX_LENGTH,
    number: SHORT_MAX_LENGTH,
    year: SHORT_MAX_LENGTH,
    option: 2 * ENTRY_NAME_MAX_LENGTH,
    paper: SHORT_MAX_LENGTH,
    amount: SHORT_MAX_LENGTH,
    choice: SHORT_MAX_LENGTH,
    entry: 2 * ENTRY_NAME_MAX_LENGTH,
    entries: DOCUMENT_CHAPTERS_MAX * 2 * CHAPTER_NAME_MAX_LENGTH,
    upload: FILE_PATH_MAX_LENGTH,
  }
  const column = FIELD_COLUMNS[field]
  const isRequired = rule.isNeeded && !('hasDefault' in column)
  return { example: column.example, most: longest[rule.kind], ...(isRequired && { isRequired }) }
}

type ColumnRules<Name extends string> = Readonly<Record<Name, ColumnRule>>

const columnsOf = (fields: readonly DocumentField[]) =>
  Object.fromEntries(fields.map((field) => [columnOf(field), ruleOfColumn(field)]))
const isUpload = (field: DocumentField) => ruleOf(field).kind === 'upload'

const OTHER_COLUMNS = {
  reference: { example: 'MATH-7-001', isRequired: true, most: 100 },
  teacher_email: { example: 'salma@mail.example', isRequired: true, most: EMAIL_MAX_LENGTH },
  teacher_first_name: { example: 'سلمى', most: NAME_MAX_LENGTH },
  teacher_last_name: { example: 'بن عمر', most: NAME_MAX_LENGTH },
  sample: { example: 'none', most: 300 },
  state: { example: 'published', most: SHORT_MAX_LENGTH },
} as const satisfies ColumnRules<string>

export type Column = FieldColumn<DocumentField> | keyof typeof OTHER_COLUMNS

const { reference, sample, state, ...teacher } = OTHER_COLUMNS

/** The columns of a list, in the order of templates and exports; CSV and JSON use the same names. */
export const COLUMNS = {
  reference,
  ...columnsOf(FIELD_NAMES.filter((field) => !isUpload(field))),
  ...teacher,
  ...columnsOf(FIELD_NAMES.filter(isUpload)),
  sample,
  state,
} as ColumnRules<Column>

export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[]

export const REQUIRED_COLUMNS = COLUMN_NAMES.filter((name) => COLUMNS[name].isRequired)

/** The columns of running text, and of files, which are found by the names that they have. */
export const AS_WRITTEN: readonly Column[] = FIELD_NAMES.filter((field) =>
  ['text', 'upload'].includes(ruleOf(field).kind),
).map(columnOf)

/** The states that a list may give its documents; the first is the default. */
export const IMPORT_STATES = [...REVIEWED_STATES, 'draft'] as const

/** The states that a teacher's own list may give: teachers publish nothing without a review. */
export const OWN_STATES = ['draft', 'submitted'] as const

export type ImportState = (typeof IMPORT_STATES | typeof OWN_STATES)[number]

/** The columns of a teacher's own list, which need not name the teacher. */
export const OWN_COLUMNS = COLUMN_NAMES.filter((name) => !name.startsWith('teacher_'))
