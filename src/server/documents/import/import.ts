import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { coverPath } from '../../../rules/cover.ts'
import type { Schema } from '../../database/schema.ts'
import { transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { keyOf } from '../../files/files.ts'
import { type Covers, createRenderer } from '../../library/library.ts'
import { type CheckedFile, type CheckedFiles, checkFiles } from './check-files.ts'
import { checkRows, type ListedDocument } from './check-rows.ts'
import { readListIn } from './folder.ts'
import { stateProblem } from './known-problems.ts'
import { readKnown, readShop } from './known-shop.ts'
import { ImportRefused } from './problems.ts'
import { type Imported, type StoredDocument, writeList } from './write-list.ts'

/** A file of the folder was written to meanwhile; nothing was imported. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged'
}

/** How far an import is. */
export type ImportStep = 'checking' | 'storing' | 'writing'

export interface ImportOptions {
  /** Absolute; with `catalogue.csv` or `catalogue.json`, and the files that it names. */
  readonly folder: string
  /** Who, as the staff's log names them. */
  readonly actor: string
  readonly covers: Covers
  readonly progress?: (step: ImportStep, done: number, all: number) => void
}

/**
 * Imports the documents of a folder: all of them, or none. The list and every file are checked before
 * anything is written; the same folder again changes nothing; what an import that was killed had
 * stored is taken up by the next one, or cleaned up after a day. Throws `ImportRefused` with all that
 * is wrong, or `NoList`.
 */
export async function importFolder(
  deps: Pick<Deps, 'database' | 'files' | 'publisher'>,
  { folder, actor, covers, progress = () => {} }: ImportOptions,
): Promise<Imported> {
  const { kysely } = deps.database
  const { documents, problems } = checkRows(await readListIn(folder), await readShop(kysely))
  const known = await readKnown(
    kysely,
    documents.map(({ reference }) => reference),
  )
  for (const document of documents) {
    const problem = stateProblem(document, known.get(document.reference))
    if (problem) problems.push(problem)
  }
  const renderer = createRenderer()
  const checked = await checkFiles(documents, {
    folder,
    renderer,
    kysely,
    progress: (done, all) => progress('checking', done, all),
  }).finally(() => renderer.close())
  problems.push(...checked.problems)
  if (problems.length > 0) {
    throw new ImportRefused(problems.sort((one, other) => (one.row ?? 0) - (other.row ?? 0)))
  }
  const stored = await store(documents, checked)
  progress('writing', 0, documents.length)
  const imported = await transaction(deps.database, (tx) => writeList(tx, stored, actor))
  deps.publisher.changed(imported.tags)
  return imported

  async function store(
    listed: readonly ListedDocument[],
    { pdfs, covers: pictures }: CheckedFiles,
  ): Promise<StoredDocument[]> {
    const coverPaths = new Map<string, string>()
    const isStored = new Set<string>()
    const result: StoredDocument[] = []
    for (const [at, document] of listed.entries()) {
      progress('storing', at, listed.length)
      const pdf = pdfs.get(document.file)
      if (!pdf) throw new Error(`${document.file} was not checked`)
      const key = keyOf(pdf.sha256, 'pdf')
      if (!isStored.has(key)) {
        // Written again where it is there: a file is young for a day, and so not cleaned up meanwhile.
        await deps.files.putAs(key, piecesOf(pdf))
        isStored.add(key)
      }
      const cover = document.cover === null ? undefined : pictures.get(document.cover)
      if (cover && !coverPaths.has(cover.path)) {
        const bytes = await readFile(cover.path)
        coverPaths.set(
          cover.path,
          (await exportedCover(kysely, bytes)) ?? (await covers.put(bytes)),
        )
      }
      const { path: _, ...facts } = pdf
      result.push({
        ...document,
        pdf: { ...facts, key },
        coverPath: cover ? (coverPaths.get(cover.path) ?? null) : null,
      })
    }
    return result
  }
}

/** The address of a picture that this shop has exported: drawn anew it would be another one. */
async function exportedCover(kysely: Kysely<Schema>, bytes: Uint8Array): Promise<string | null> {
  const path = coverPath(createHash('sha256').update(bytes).digest('hex'))
  const used = await kysely
    .selectFrom('documents')
    .select('id')
    .where('coverPath', '=', path)
    .executeTakeFirst()
  return used ? path : null
}

/** The file's content, to its end only where it is still what was checked. */
async function* piecesOf({ path, sha256 }: CheckedFile): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) {
    hash.update(piece as Buffer)
    yield piece as Buffer
  }
  if (hash.digest('hex') !== sha256) throw new FileChanged(`${path} changed while it was imported.`)
}
