import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { fillText } from '../../../i18n/format.ts'
import { LOCALES } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { boundsOf, DETAILS, type Detail, ruleOf } from '../../../rules/document-fields.ts'
import { isReviewed } from '../../../rules/document-life.ts'
import { IMPORT_MAX_DOCUMENTS } from '../../../rules/imports.ts'
import type { Language } from '../../../rules/languages.ts'
import { inDinars } from '../../../rules/money.ts'
import { sha256OfCover } from '../../../rules/pictures.ts'
import { AUDIENCES } from '../../../rules/price-bands.ts'
import { pagesOfPaper, sampleProblem, TYPED_PAGES } from '../../../rules/reading.ts'
import type { Database } from '../../database/pool.ts'
import type { Deps } from '../../deps.ts'
import { keyOf, writeWhole } from '../../files/files.ts'
import type { ListEntry } from './check-rows.ts'
import {
  COLUMN_NAMES,
  COLUMNS,
  type Column,
  columnOf,
  type FieldColumn,
  type ImportState,
  OWN_COLUMNS,
  OWN_STATES,
} from './columns.ts'
import { readShop } from './known.ts'
import { LIST_NAMES } from './sources.ts'

type RowCells = Readonly<Record<Column, string>>

interface Exported {
  readonly documents: number
  /** How many drafts are left out because they lack what a list requires. */
  readonly incomplete: number
  /** The ids of documents whose files are missing. */
  readonly missing: readonly number[]
}

/**
 * Writes all documents with their files into a new folder, in the form that `importFolder` reads.
 * The folder gets its name when it is complete; an error while writing leaves nothing behind.
 */
export async function exportFolder(
  { database, files }: Pick<Deps, 'database' | 'files'>,
  {
    folder,
    progress = () => {},
  }: { folder: string; progress?: (done: number, all: number) => void },
): Promise<Exported> {
  const rows = await readDocuments(database)
  const half = `${folder}.part`
  const listed: RowCells[] = []
  const missing: number[] = []
  try {
    await mkdir(half)
    for (const [at, row] of rows.entries()) {
      progress(at, rows.length)
      const file = `files/${row.id}.pdf`
      const pdf = row.storageKey === null ? null : await files.read(row.storageKey)
      if (!pdf) {
        missing.push(row.id)
        continue
      }
      await writeWhole(join(half, file), (handle) => handle.writeFile(pdf), { flush: false })
      const sha256 = row.coverPath === null ? null : sha256OfCover(row.coverPath)
      const picture = sha256 && (await files.read(keyOf(sha256, 'webp')))
      const cover = picture ? `covers/${sha256}.webp` : ''
      if (picture) {
        await writeWhole(join(half, cover), (handle) => handle.writeFile(picture), { flush: false })
      }
      listed.push(listedAs(row, { file, cover }))
    }
    await writeWhole(join(half, 'catalogue.csv'), csvOf(listed))
    await rename(half, folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      await rm(half, { recursive: true, force: true })
    throw error
  }
  const all = await database.kysely
    .selectFrom('documents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { documents: listed.length, incomplete: Number(all.count) - rows.length, missing }
}

/** The mark by which spreadsheets recognise UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** A list as spreadsheets open it: UTF-8 with a byte order mark, semicolons, and no formulas. */
export function csvOf(
  rows: readonly RowCells[],
  columns: readonly Column[] = COLUMN_NAMES,
): string {
  return stringify([...rows], {
    header: true,
    columns: [...columns],
    delimiter: ';',
    bom: true,
    record_delimiter: 'windows',
    escape_formulas: true,
  })
}

type ExportedDocument = Awaited<ReturnType<typeof readDocuments>>[number]

/** The documents that have all that a list requires, oldest first. */
function readDocuments({ kysely }: Deps['database']) {
  return kysely
    .selectFrom('documents as d')
    .innerJoin('teachers as t', 't.id', 'd.teacherId')
    .innerJoin('matieres as m', 'm.id', 'd.matiereId')
    .innerJoin('niveaux as n', 'n.id', 'd.niveauId')
    .innerJoin('categories as c', 'c.id', 'd.categoryId')
    .innerJoin('files as f', 'f.id', 'd.fileId')
    .selectAll('d')
    .select([
      't.email',
      't.firstName',
      't.lastName',
      'm.name as subject',
      'm.code as subjectCode',
      'n.name as schoolClass',
      'n.code as classCode',
      'c.name as category',
      'c.code as categoryCode',
      'f.storageKey',
      'f.pageCount',
      sql<string>`(
        SELECT coalesce(string_agg(coalesce(nullif(name_ar, ''), name_fr), ' | '
          ORDER BY position, id), '')
        FROM chapters WHERE id = ANY (d.chapter_ids))`.as('chapters'),
    ])
    .where('d.title', '<>', '')
    .where('d.price', 'is not', null)
    .where('d.audience', 'is not', null)
    .orderBy('d.id')
    .execute()
}

function listedAs(
  row: ExportedDocument,
  { file, cover }: { file: string; cover: string },
): RowCells {
  const [students] = AUDIENCES
  return {
    reference: row.reference,
    title: row.title,
    description: row.description,
    price: String(inDinars(row.price ?? 0)),
    discount_price: row.priceDiscount === null ? '' : String(inDinars(row.priceDiscount)),
    subject: row.subjectCode ?? row.subject,
    class: row.classCode ?? row.schoolClass,
    category: row.categoryCode ?? row.category,
    chapters: row.chapters,
    audience: row.audience === students ? 'students' : 'teachers',
    ...(Object.fromEntries(
      DETAILS.map((name) => [columnOf(name), String(row[name] ?? '')]),
    ) as Record<FieldColumn<Detail>, string>),
    teacher_email: row.email,
    teacher_first_name: row.firstName,
    teacher_last_name: row.lastName,
    file,
    cover,
    sample: sampleOf(row),
    state: stateOf(row.state),
  }
}

/**
 * Spells the pages of the sample; leaves out a choice that was made for an earlier file and does
 * not fit this one.
 */
const sampleOf = ({ samplePages, pageCount, correctionPage }: ExportedDocument): string =>
  samplePages && !sampleProblem(samplePages, pagesOfPaper(pageCount ?? 0, correctionPage))
    ? samplePages.join(', ')
    : ''

const stateOf = (state: ExportedDocument['state']): ImportState =>
  isReviewed(state) ? state : 'draft'

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
  readonly nameOf: (entry: ListEntry) => string
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
  chapters:
    'names of chapters of this class and subject, separated by bars (|); empty leaves them as they are',
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
  const options = rule.kind === 'option' && { options: rule.options.join(', ') }
  const values = { ...boundsOf(name), ...options }
  return fillText(TEXTS[locale]['office-documents'].columns[name], values)
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

/** A column of a teacher's list that is no detail. */
type OwnColumn = Exclude<Column, FieldColumn<Detail> | `teacher_${string}`>

/**
 * The template for a teacher's list in a language, with the byte order mark that spreadsheets need.
 */
export async function ownTemplateOf(
  { kysely }: Pick<Database, 'kysely'>,
  locale: Language,
): Promise<string> {
  const { template } = TEXTS[locale]['office-import']
  const columns: Readonly<Record<OwnColumn, string>> = template.columns
  const words: Words = {
    columns: OWN_COLUMNS,
    intro: fillText(template.intro, { name: LIST_NAMES[0], most: IMPORT_MAX_DOCUMENTS }),
    optional: ` ${template.optional}`,
    about: (column) =>
      aboutDetail(locale, column) ??
      fillText(columns[column as OwnColumn], { example: TYPED_PAGES }),
    lists: template.lists,
    comma: template.comma,
    nameOf: ({ inLanguages }) => inLanguages[LOCALES.indexOf(locale)] ?? '',
    state: OWN_STATES[0],
  }
  return BYTE_ORDER_MARK + written(await readShop(kysely), words)
}

function written({ subjects, classes, categories, kinds }: Shop, words: Words): string {
  const lists = [
    ['subject', subjects],
    ['class', classes],
    ['category', categories],
    ...(kinds.length > 0 ? ([['kind', kinds]] as const) : []),
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
