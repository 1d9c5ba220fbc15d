import * as earnings from '../../../contract/earnings.ts'
import * as officeDocuments from '../../../contract/office-documents.ts'
import type { OwnDocument, OwnDocumentPage } from '../../../contract/own-document.ts'
import * as references from '../../../contract/references.ts'
import { logOnly, Refusal } from '../../../stores/shared/problem.ts'
import { showOwnKinds } from '../../documents/kinds.ts'
import { ask } from '../../kit/backend.ts'
import type { Version } from '../../kit/forms/writing.ts'
import { idInAddress, resourceBy } from '../../kit/loader.ts'
import { documentText, type TextField, type TextValues, valuesOf } from './text.ts'

export interface References {
  matieres: readonly references.Listed[]
  classes: readonly references.ListedClass[]
  categories: readonly references.Listed[]
}

export interface Own extends OwnDocumentPage {
  references: References
  /** The teacher's share of a sale in whole percent; null if it could not be loaded. */
  sharePercent: number | null
}

export const ownDocument = resourceBy('own document', async (): Promise<Own> => {
  const id = idInAddress()
  if (id === null) throw new Refusal('document_not_found', 404)
  const [page, matieres, classes, categories, sharePercent] = await Promise.all([
    readPage(id),
    ask(references.listMatieres, {}),
    ask(references.listClasses, {}),
    ask(references.listCategories, {}),
    readShare(),
  ])
  showOwnKinds(page.kinds)
  return { ...page, references: { matieres, classes, categories }, sharePercent }
})

export function readPage(id: number): Promise<OwnDocumentPage> {
  return ask(officeDocuments.getOwnDocument, { params: { id } })
}

/** The document as it would be with these values. */
export function documentWith({ document, references }: Own, values: TextValues): OwnDocument {
  const { matiereId, niveauId, categoryId, chapterIds, ...text } = documentText(values)
  const find = <T extends { id: number }>(list: readonly T[], id: number | null) =>
    list.find((each) => each.id === id) ?? null
  return {
    ...document,
    ...text,
    matiere: find(references.matieres, matiereId),
    classe: find(references.classes, niveauId),
    categorie: find(references.categories, categoryId),
    chapters: chapterIds.flatMap((id) => chapterNamed(id, document) ?? []),
  }
}

/** The code of the chosen category: '' where none is chosen, null for one of the shop's own. */
export function categoryOf(
  { categories }: Pick<References, 'categories'>,
  { categoryId }: Pick<TextValues, 'categoryId'>,
): string | null {
  const chosen = categories.find(({ id }) => String(id) === categoryId)
  return chosen ? (chosen.code ?? null) : ''
}

/** Chapters by class and subject, once they were read. */
const chapterLists = new Map<string, readonly references.Named[]>()

/** The chapters that a class has of a subject; none where one of both is not chosen. */
export async function readChapters(
  niveauId: string,
  matiereId: string,
): Promise<readonly references.Named[]> {
  if (niveauId === '' || matiereId === '') return []
  const key = `${niveauId} ${matiereId}`
  const query = { niveauId: Number(niveauId), matiereId: Number(matiereId) }
  const read = chapterLists.get(key) ?? (await ask(references.listChapters, { query }))
  chapterLists.set(key, read)
  return read
}

/** A chapter that was read, or that the document has. */
export const chapterNamed = (id: number, { chapters }: OwnDocument) =>
  [...chapters, ...[...chapterLists.values()].flat()].find((each) => each.id === id)

async function readShare(): Promise<number | null> {
  try {
    const { sharePercent } = await ask(earnings.getEarningTerms, {})
    return sharePercent
  } catch (error) {
    logOnly('share')(error)
    return null
  }
}

/** Shows the document that a call returned, unless a newer revision is shown. */
function showDocument(document: OwnDocument): void {
  const own = ownDocument.value()
  if (!own || own.document.revision > document.revision) return
  ownDocument.show({ ...own, document })
}

const versionOf = (document: OwnDocument): Version<TextField> => ({
  revision: document.revision,
  values: valuesOf(document, '.'),
})

/** The text of the shown document, if it is this one; its other parts raise the revision too. */
export function shownText(id: number): Version<TextField> | null {
  const own = ownDocument.value()
  return own?.document.id === id ? versionOf(own.document) : null
}

/** Loads and shows the current document; returns its text. */
export async function readText(id: number): Promise<Version<TextField>> {
  const { document } = await readPage(id)
  showDocument(document)
  return versionOf(document)
}

export async function saveText(id: number, revision: number, values: TextValues): Promise<number> {
  const input = { params: { id }, body: { revision, ...documentText(values) } }
  const saved = await ask(officeDocuments.saveOwnDocument, input)
  showDocument(saved)
  return saved.revision
}

/** Shows the document that a call returned, and reloads its versions and history. */
export async function showChanged(document: OwnDocument): Promise<void> {
  showDocument(document)
  if (!ownDocument.value()) return
  const page = await readPage(document.id).catch(logOnly('own document'))
  const now = ownDocument.value()
  if (page && now) ownDocument.show({ ...now, ...page })
}

/** Makes a checked upload the file of the document; `note` says what changed. */
export async function takeFile(id: number, uploadId: string, note: string): Promise<void> {
  const trimmed = note.trim()
  const body = { uploadId, ...(trimmed && { note: trimmed }) }
  await showChanged(await ask(officeDocuments.setDocumentFile, { params: { id }, body }))
}

export async function saveNote(id: number, number: number, note: string): Promise<void> {
  const input = { params: { id, number }, body: { note: note.trim() } }
  await showChanged(await ask(officeDocuments.setVersionNote, input))
}

/** Makes a checked picture the cover of the document; null restores the generated cover. */
export async function takeCover(id: number, uploadId: string | null): Promise<void> {
  const input = { params: { id }, body: { uploadId } }
  showDocument(await ask(officeDocuments.setDocumentCover, input))
}
