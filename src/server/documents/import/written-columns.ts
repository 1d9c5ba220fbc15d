import { searchText } from '../../catalogue/catalogue.ts'
import type { ListedDocument } from './check-rows.ts'
import type { KnownDocument } from './known-shop.ts'
import type { StoredDocument } from './store-files.ts'

/** The columns of a document that a list writes, besides its file and its state. */
export type Columns = Pick<
  KnownDocument,
  'title' | 'description' | 'coverPath' | 'teacherId' | 'priceDiscount'
> & {
  readonly price: number
  readonly categoryId: number
  readonly matiereId: number
  readonly niveauId: number
  readonly level: ListedDocument['level']
  readonly audience: ListedDocument['audience']
  readonly searchText: string
}

/** The columns of a listed document, whose teacher has these names. */
export function columnsOf(
  document: StoredDocument,
  teacher: { id: number; names: string },
): Columns {
  return {
    teacherId: teacher.id,
    title: document.title,
    description: document.description,
    price: document.price,
    priceDiscount: document.priceDiscount,
    categoryId: document.categoryId,
    matiereId: document.matiereId,
    niveauId: document.niveauId,
    level: document.level,
    audience: document.audience,
    coverPath: document.coverPath,
    searchText: searchText({ title: document.title, teacher: teacher.names }),
  }
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
