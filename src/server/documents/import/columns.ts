/** A column of an import's list, and what the template says of it. */
export interface ColumnHelp {
  readonly about: string
  readonly example: string
  readonly isRequired?: true
}

/** What a list of documents says of each; the same names in CSV and in JSON. */
export const COLUMNS = {
  reference: {
    about: 'your own name for it; the same one in a later list means the same document',
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
  teacher_first_name: { about: 'of a teacher whom the shop does not know yet', example: 'سلمى' },
  teacher_last_name: { about: 'of a teacher whom the shop does not know yet', example: 'بن عمر' },
  file: { about: 'the PDF, below the folder', example: 'files/math-7-001.pdf', isRequired: true },
  cover: {
    about: 'a PNG, JPEG or WebP picture below the folder; empty for a drawn cover',
    example: 'covers/math-7-001.png',
  },
  state: {
    about: 'published, unpublished or draft; published where it is empty',
    example: 'published',
  },
} as const satisfies Readonly<Record<string, ColumnHelp>>

export type Column = keyof typeof COLUMNS

export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[]

export const REQUIRED_COLUMNS = COLUMN_NAMES.filter((name) => 'isRequired' in COLUMNS[name])

/** The states that a list gives its documents; the first is meant where it says none. */
export const IMPORT_STATES = ['published', 'unpublished', 'draft'] as const

/** The same for a list of a teacher's, who publishes nothing without a review. */
export const OWN_STATES = ['draft', 'submitted'] as const

export type ImportState = (typeof IMPORT_STATES | typeof OWN_STATES)[number]

/** The columns of a teacher's list: whose documents they are is known. */
export const OWN_COLUMNS = COLUMN_NAMES.filter((name) => !name.startsWith('teacher_'))
