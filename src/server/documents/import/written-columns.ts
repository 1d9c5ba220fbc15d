import { searchText } from '../../catalogue/catalogue.ts'
import type { ListedDocument } from './check-rows.ts'
import type { KnownDocument } from './known-shop.ts'
import type { StoredDocument } from './store-files.ts'

/** The columns of a document that a list writes, besides its file, its sample and its state. */
export type Columns = ReturnType<typeof columnsOf>

/** The columns of a listed document, whose teacher has these names. */
export function columnsOf(document: StoredDocument, { id, names }: { id: number; names: string }) {
  const { row, reference, teacher, file, cover, pdf, samplePages, state, ...columns } = document
  const { title } = document
  return { ...columns, teacherId: id, searchText: searchText({ title, teacher: names }) }
}

/** Whether a list differs from the shop in any of a document's columns. */
export function isTextChanged(before: KnownDocument, columns: Columns): boolean {
  // These two columns derive from the others.
  const { searchText: _, level: __, ...compared } = columns
  return (Object.keys(compared) as (keyof typeof compared)[]).some(
    (name) => before[name] !== compared[name],
  )
}

/** Whether a list chooses other pages for the sample. */
export function isSampleChanged(
  { samplePages }: Pick<ListedDocument, 'samplePages'>,
  before: Pick<KnownDocument, 'samplePages'>,
): boolean {
  return samplePages !== undefined && String(samplePages) !== String(before.samplePages)
}
