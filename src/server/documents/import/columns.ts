import { ENTRY_NAME_MAX_LENGTH } from '../../../rules/catalogue-lists.ts'
import {
  DOCUMENT_DESCRIPTION_MAX_LENGTH,
  REVIEWED_STATES,
  TITLE_MAX_LENGTH,
} from '../../../rules/document-life.ts'
import { FILE_PATH_MAX_LENGTH } from '../../../rules/imports.ts'
import { TYPED_PAGES } from '../../../rules/reading.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../../rules/validators.ts'

/** The template's help for a column of a list. */
export interface ColumnHelp {
  readonly about: string
  readonly example: string
  readonly isRequired?: true
}

/** The columns of a list; CSV and JSON use the same names. */
export const COLUMNS = {
  reference: {
    about: 'your own name for the document, by which a later list finds it again',
    example: 'MATH-7-001',
    isRequired: true,
  },
  title: { about: 'as buyers see it', example: 'تمارين في الكسور', isRequired: true },
  description: { about: 'as buyers see it', example: 'عشرون تمرينا مع الإصلاح' },
  price: { about: 'in dinars, 0 for free', example: '12.5', isRequired: true },
  discount_price: { about: 'in dinars, what it costs now; empty for no discount', example: '9.9' },
  subject: { about: 'a code or a name', example: 'mathematics', isRequired: true },
  class: { about: 'a code or a name', example: 'primary-6', isRequired: true },
  category: { about: 'a code or a name', example: 'exercises', isRequired: true },
  audience: { about: 'students or teachers; students where it is empty', example: 'students' },
  teacher_email: { about: 'whose document it is', example: 'salma@mail.example', isRequired: true },
  teacher_first_name: { about: 'of a teacher who is new to the shop', example: 'سلمى' },
  teacher_last_name: { about: 'of a teacher who is new to the shop', example: 'بن عمر' },
  file: { about: 'the PDF, below the folder', example: 'files/math-7-001.pdf', isRequired: true },
  cover: {
    about: 'a PNG, JPEG or WebP picture below the folder; empty for a drawn cover',
    example: 'covers/math-7-001.png',
  },
  sample: {
    about: `the pages that everybody may look at, such as ${TYPED_PAGES}, a third at most; none for the first ones; empty leaves it as it is`,
    example: 'none',
  },
  state: {
    about: 'published, unpublished or draft; published where it is empty',
    example: 'published',
  },
} as const satisfies Readonly<Record<string, ColumnHelp>>

export type Column = keyof typeof COLUMNS

export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[]

export const REQUIRED_COLUMNS = COLUMN_NAMES.filter((name) => 'isRequired' in COLUMNS[name])

/** The states that a list may give its documents; the first is the default. */
export const IMPORT_STATES = [...REVIEWED_STATES, 'draft'] as const

/** The states that a teacher's own list may give: teachers publish nothing without a review. */
export const OWN_STATES = ['draft', 'submitted'] as const

export type ImportState = (typeof IMPORT_STATES | typeof OWN_STATES)[number]

/** The columns of a teacher's own list, which need not name the teacher. */
export const OWN_COLUMNS = COLUMN_NAMES.filter((name) => !name.startsWith('teacher_'))

/**
 * The longest text of each column, in characters. A name or an amount may be written with marks and
 * spaces that do not count.
 */
export const LONGEST: Readonly<Record<Column, number>> = {
  reference: 100,
  title: TITLE_MAX_LENGTH,
  description: DOCUMENT_DESCRIPTION_MAX_LENGTH,
  price: 50,
  discount_price: 50,
  subject: 2 * ENTRY_NAME_MAX_LENGTH,
  class: 2 * ENTRY_NAME_MAX_LENGTH,
  category: 2 * ENTRY_NAME_MAX_LENGTH,
  audience: 50,
  teacher_email: EMAIL_MAX_LENGTH,
  teacher_first_name: NAME_MAX_LENGTH,
  teacher_last_name: NAME_MAX_LENGTH,
  file: FILE_PATH_MAX_LENGTH,
  cover: FILE_PATH_MAX_LENGTH,
  sample: 300,
  state: 50,
}
