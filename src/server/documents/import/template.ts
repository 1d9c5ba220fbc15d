import { fillText } from '../../../i18n/format.ts'
import { LOCALES } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { DETAILS, type Detail, ruleOf } from '../../../rules/document-fields.ts'
import { IMPORT_MAX_DOCUMENTS } from '../../../rules/imports.ts'
import type { Language } from '../../../rules/languages.ts'
import { TYPED_PAGES } from '../../../rules/reading.ts'
import type { Database } from '../../database/pool.ts'
import type { Listed } from './check-rows.ts'
import {
  COLUMN_NAMES,
  COLUMNS,
  type Column,
  columnOf,
  type FieldColumn,
  OWN_COLUMNS,
  OWN_STATES,
} from './columns.ts'
import { BYTE_ORDER_MARK, csvOf } from './export.ts'
import { LIST_NAMES } from './folder.ts'
import { readShop } from './known-shop.ts'

type Shop = Awaited<ReturnType<typeof readShop>>

/** The texts of a template around the names of its columns. */
interface Words {
  readonly columns: readonly Column[]
  readonly intro: string
  /** The text after the name of a column that may be empty. */
  readonly optional: string
  readonly about: (column: Column) => string
  readonly lists: string
  /** Separates the entries of a list. */
  readonly comma: string
  readonly nameOf: (entry: Listed) => string
  readonly state: string
}

/** What the operator's template says of each column that is no detail. */
const ABOUT: Readonly<Record<Exclude<Column, FieldColumn<Detail>>, string>> = {
  reference: 'your own name for the document, by which a later list finds it again',
  title: 'as buyers see it',
  description: 'as buyers see it',
  price: 'in dinars, 0 for free',
  discount_price: 'in dinars, what it costs now; empty for no discount',
  subject: 'a code or a name',
  class: 'a code or a name',
  category: 'a code or a name',
  audience: 'students or teachers; students where it is empty',
  teacher_email: 'whose document it is',
  teacher_first_name: 'of a teacher who is new to the shop',
  teacher_last_name: 'of a teacher who is new to the shop',
  file: 'the PDF, below the folder',
  cover: 'a PNG, JPEG or WebP picture below the folder; empty for a drawn cover',
  sample: `the pages that everybody may look at, such as ${TYPED_PAGES}, a third at most; none for the first ones; empty leaves it as it is`,
  state: 'published, unpublished or draft; published where it is empty',
}

/** What a template says of a detail's column; undefined for other columns. */
function aboutDetail(locale: Language, column: Column): string | undefined {
  const name = DETAILS.find((each) => columnOf(each) === column)
  if (!name) return undefined
  const rule = ruleOf(name)
  const limits: Readonly<Record<string, number>> =
    rule.kind === 'number' ? { least: rule.least, most: rule.most } : {}
  return fillText(TEXTS[locale]['office-documents'].columns[name], limits)
}

const ENGLISH: Words = {
  columns: COLUMN_NAMES,
  intro: `Save this as ${LIST_NAMES[0]} (UTF-8) in a folder with the files that it names; lines that begin with # above the names of the columns are not read.`,
  optional: ' (may be empty)',
  about: (column) => aboutDetail('en', column) ?? ABOUT[column as keyof typeof ABOUT],
  lists: 'What this shop has:',
  comma: ', ',
  nameOf: ({ code, names: [name = ''] }) => code ?? name,
  state: COLUMNS.state.example,
}

/** A list with one example, and comments that explain every column and list the shop's entries. */
export async function templateOf({ kysely }: Pick<Database, 'kysely'>): Promise<string> {
  return written(await readShop(kysely), ENGLISH)
}

/**
 * The template for a teacher's list in a language, with the byte order mark that spreadsheets need.
 */
export async function ownTemplateOf(
  { kysely }: Pick<Database, 'kysely'>,
  locale: Language,
): Promise<string> {
  const { template } = TEXTS[locale]['office-import']
  const words: Words = {
    columns: OWN_COLUMNS,
    intro: fillText(template.intro, { name: LIST_NAMES[0], most: IMPORT_MAX_DOCUMENTS }),
    optional: ` ${template.optional}`,
    about: (column) =>
      aboutDetail(locale, column) ??
      fillText(template.columns[column as keyof typeof template.columns], {
        example: TYPED_PAGES,
      }),
    lists: template.lists,
    comma: template.comma,
    nameOf: ({ inLanguages }) => inLanguages[LOCALES.indexOf(locale)] ?? '',
    state: OWN_STATES[0],
  }
  return BYTE_ORDER_MARK + written(await readShop(kysely), words)
}

function written({ subjects, classes, categories }: Shop, words: Words): string {
  const lists = [
    ['subject', subjects],
    ['class', classes],
    ['category', categories],
  ] as const
  const example = Object.fromEntries(
    words.columns.map((name) => [name, name === 'state' ? words.state : COLUMNS[name].example]),
  ) as Record<Column, string>
  return [
    `# ${words.intro}`,
    ...words.columns.map((name) => {
      const needed = COLUMNS[name].isRequired ? '' : words.optional
      return `# ${name}${needed}: ${words.about(name)}`
    }),
    `# ${words.lists}`,
    ...lists.map(([column, entries]) => {
      const offered = entries.filter(({ isRetired }) => !isRetired)
      return `# ${column}: ${offered.map(words.nameOf).join(words.comma)}`
    }),
    csvOf([example], words.columns).slice(BYTE_ORDER_MARK.length).trimEnd(),
    '',
  ].join('\r\n')
}
