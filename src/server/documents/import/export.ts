import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { DETAILS, type Detail } from '../../../rules/document-fields.ts'
import { isReviewed } from '../../../rules/document-life.ts'
import { inDinars } from '../../../rules/money.ts'
import { sha256OfCover } from '../../../rules/pictures.ts'
import { AUDIENCES } from '../../../rules/price-bands.ts'
import { sampleProblem } from '../../../rules/reading.ts'
import type { Deps } from '../../deps.ts'
import { keyOf, writeWhole } from '../../files/files.ts'
import {
  COLUMN_NAMES,
  type Column,
  columnOf,
  type FieldColumn,
  type ImportState,
} from './columns.ts'

type Listed = Readonly<Record<Column, string>>

export interface Exported {
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
  const listed: Listed[] = []
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
export function csvOf(rows: readonly Listed[], columns: readonly Column[] = COLUMN_NAMES): string {
  return stringify([...rows], {
    header: true,
    columns: [...columns],
    delimiter: ';',
    bom: true,
    record_delimiter: 'windows',
    escape_formulas: true,
  })
}

type DocumentRow = Awaited<ReturnType<typeof readDocuments>>[number]

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
    ])
    .where('d.title', '<>', '')
    .where('d.price', 'is not', null)
    .where('d.audience', 'is not', null)
    .orderBy('d.id')
    .execute()
}

function listedAs(row: DocumentRow, { file, cover }: { file: string; cover: string }): Listed {
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
const sampleOf = ({ samplePages, pageCount }: DocumentRow): string =>
  samplePages && !sampleProblem(samplePages, pageCount ?? 0) ? samplePages.join(', ') : ''

const stateOf = (state: DocumentRow['state']): ImportState => (isReviewed(state) ? state : 'draft')
