import { transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { createRenderer } from '../../library/library.ts'
import { checkFiles } from './check-files.ts'
import { checkRows } from './check-rows.ts'
import { readListIn } from './folder.ts'
import { stateProblem } from './known-problems.ts'
import { readKnown, readShop } from './known-shop.ts'
import { ImportRefused } from './problems.ts'
import { storeFiles } from './store-files.ts'
import { type Imported, writeList } from './write-list.ts'

/** How far an import is. */
export type ImportStep = 'checking' | 'storing' | 'writing'

export interface ImportOptions {
  /** Absolute; with `catalogue.csv` or `catalogue.json`, and the files that it names. */
  readonly folder: string
  /** Who, as the staff's log names them. */
  readonly actor: string
  readonly progress: (step: ImportStep, done: number, all: number) => void
}

/**
 * Imports the documents of a folder: all of them, or none. The list and every file are checked before
 * anything is written; the same folder again changes nothing; what an import that was killed had
 * stored is taken up by the next one, or cleaned up after a day. Throws `ImportRefused` with all that
 * is wrong, `NoList`, or `FileChanged`.
 */
export async function importFolder(
  { database, files, publisher }: Pick<Deps, 'database' | 'files' | 'publisher'>,
  { folder, actor, progress }: ImportOptions,
): Promise<Imported> {
  const { kysely } = database
  const rows = await readListIn(folder)
  const { documents, problems } = checkRows(rows, await readShop(kysely))
  const references = documents.map(({ reference }) => reference)
  const known = references.length > 0 ? await readKnown(kysely, references) : new Map()
  for (const document of documents) {
    const problem = stateProblem(document, known.get(document.reference))
    if (problem) problems.push(problem)
  }
  const renderer = createRenderer()
  try {
    const checked = await checkFiles(documents, {
      folder,
      renderer,
      kysely,
      progress: (done, all) => progress('checking', done, all),
    })
    problems.push(...checked.problems)
    if (problems.length > 0) {
      throw new ImportRefused(problems.sort((one, other) => (one.row ?? 0) - (other.row ?? 0)))
    }
    const stored = await storeFiles(documents, checked, {
      database,
      files,
      renderer,
      progress: (done, all) => progress('storing', done, all),
    })
    progress('writing', 0, documents.length)
    const imported = await transaction(database, (tx) => writeList(tx, stored, actor))
    publisher.changed(imported.tags)
    return imported
  } finally {
    await renderer.close()
  }
}
