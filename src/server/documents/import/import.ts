import type { ImportStep } from '../../../rules/imports.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { changePages } from '../../publishing/publishing.ts'
import { tasksOf, UnreadableFile } from '../../workers/workers.ts'
import { checkRows, type ListedDocument } from './check-rows.ts'
import { checkFiles, type FoundFiles, type ListedFiles, storeFiles } from './files.ts'
import {
  correctionProblem,
  draftsProblem,
  knownProblem,
  readKnown,
  readShop,
  retiredProblems,
  samplePagesProblem,
} from './known.ts'
import { asOwn, customerOf, type ListOwner, limitsFor, withKeptReferences } from './owner.ts'
import { type ImportNote, ImportRefused, problemOfList } from './problems.ts'
import type { ReadList } from './read-list.ts'
import type { ListSource } from './sources.ts'
import { folderSource } from './sources.ts'
import { type Imported, writeList } from './write-list.ts'

const task = tasksOf<typeof import('./read-list.ts')>(new URL('./read-list.ts', import.meta.url))
const READ_LIST = task('readListFile')

interface ImportOptions {
  readonly source: ListSource
  readonly owner: ListOwner
  /**
   * The files that passed a check: one check adds them, and the next trusts them and opens none of
   * them again.
   */
  readonly found?: FoundFiles
  /** May throw to cancel the import. */
  readonly progress: (step: ImportStep, done: number, all: number) => void
}

interface CheckedList {
  readonly documents: readonly ListedDocument[]
  readonly files: ListedFiles
  /** How many documents are new to the shop. */
  readonly created: number
  readonly notes: readonly ImportNote[]
}

type ImportDeps = Pick<Deps, 'database' | 'files' | 'publisher' | 'workers'>

/** Checks a list and every file that it names. Throws `ImportRefused` with all problems. */
export async function checkList(
  { database: { kysely }, workers }: Pick<ImportDeps, 'database' | 'workers'>,
  { source, owner, found, progress }: ImportOptions,
): Promise<CheckedList> {
  const limits = limitsFor(owner)
  const { path, format } = await source.findList()
  const read = await workers
    .run(READ_LIST, { path, format, limits }, customerOf(owner))
    .catch((error: unknown): ReadList => {
      if (!(error instanceof UnreadableFile)) throw error
      return { rows: [], problems: [problemOfList('not_readable')], notes: [] }
    })
  if (read.problems.length > 0) throw new ImportRefused(read.problems, read.notes)
  const own = asOwn(read.rows, owner)
  const shop = await readShop(kysely)
  const checked = checkRows(own.rows, shop, limits.states)
  const documents = await withKeptReferences(kysely, checked.documents, owner)
  const references = documents.map(({ reference }) => reference)
  const known = references.length > 0 ? await readKnown(kysely, references) : new Map()
  const files = await checkFiles(documents, {
    source,
    workers,
    customer: customerOf(owner),
    kysely,
    found,
    progress: (done, all) => progress('checking', done, all),
  })
  const notes = [...read.notes, ...files.notes]
  const problems = [...own.problems, ...checked.problems, ...files.problems]
  for (const document of documents) {
    const file = files.pdfs.get(document.file)
    for (const problem of [
      knownProblem(document, known.get(document.reference), owner, file),
      file ? samplePagesProblem(document, file.pageCount ?? 0) : null,
      file ? correctionProblem(document, file.pageCount) : null,
    ]) {
      if (problem) problems.push(problem)
    }
    problems.push(...retiredProblems(document, known.get(document.reference), shop))
  }
  const created = documents.length - known.size
  const drafts = await draftsProblem(kysely, created, owner)
  if (drafts) problems.push(drafts)
  if (problems.length > 0) {
    const byRow = problems.sort((one, other) => (one.row ?? 0) - (other.row ?? 0))
    throw new ImportRefused(byRow, notes)
  }
  return { documents, files, created, notes }
}

/**
 * Imports the documents of a list: all of them, or none. The list and every file are checked before
 * anything is written; the same list again changes nothing; files that a killed import has stored
 * are used by the next one, or cleaned up after a day. `within` runs in the transaction that
 * writes. Throws `ImportRefused` with all problems, or `FileChanged`.
 */
export async function importList(
  deps: ImportDeps,
  options: ImportOptions,
  within?: (tx: Tx, imported: Imported) => Promise<void>,
): Promise<Imported & Pick<CheckedList, 'notes'>> {
  const { database, files } = deps
  const { owner, progress } = options
  const checked = await checkList(deps, options)
  const { documents } = checked
  const stored = await storeFiles(documents, checked.files, {
    database,
    files,
    workers: deps.workers,
    customer: customerOf(owner),
    progress: (done, all) => progress('storing', done, all),
  })
  progress('writing', 0, documents.length)
  return await changePages(deps, async (tx, markStale) => {
    const written = await writeList(tx, stored, owner)
    await within?.(tx, written)
    markStale(written.tags)
    return { ...written, notes: checked.notes }
  })
}

/**
 * Imports a folder (absolute path) with a list and its files, like `importList`; throws `NoList` as
 * well.
 */
export function importFolder(
  deps: ImportDeps,
  { folder, actor, progress }: Pick<ImportOptions, 'progress'> & { folder: string; actor: string },
): ReturnType<typeof importList> {
  const owner = { actor, teacher: null }
  return importList(deps, { source: folderSource(folder), owner, progress })
}
