import type { PurchasedDocument } from '../../contract/library.ts'
import { completed } from '../../rules/languages.ts'
import { presentMappingOf, searchedNames } from '../catalogue/catalogue.ts'
import type { PurchasedRow } from './purchases.ts'

export function presentPurchased(row: PurchasedRow): PurchasedDocument {
  return {
    documentId: row.documentId,
    documentTitle: row.title,
    amount: row.price,
    matiereName: row.matiereName,
    niveauName: row.niveauName,
    categoryName: row.categoryName,
    categoryId: row.categoryId,
    matiereId: row.matiereId,
    niveauId: row.niveauId,
    teacherId: row.teacherId,
    teacherName: `${row.firstName} ${row.lastName}`.trim(),
    ...(row.latinName && { teacherLatinName: row.latinName }),
    averageRating: Number(row.rating),
    salesCount: row.salesCount,
    purchaseDate: row.purchasedAt.toISOString(),
    fileType: row.fileType,
    matiereCode: row.matiereCode,
    niveauCode: row.niveauCode,
    categoryCode: row.categoryCode,
    ...(row.matiereNames && { matiereNames: completed(row.matiereNames, '') }),
    ...(row.niveauNames && { niveauNames: completed(row.niveauNames, '') }),
    ...(row.categoryNames && { categoryNames: completed(row.categoryNames, '') }),
    searchedNames: [
      ...searchedNames('subjects', entryOf(row, 'matiere')),
      ...searchedNames('kinds', entryOf(row, 'category')),
      ...searchedNames('classes', entryOf(row, 'niveau')),
    ].join(' '),
    pageCount: row.pageCount,
    fileSize: row.size,
    coverPath: row.coverPath,
    coverMapping: presentMappingOf(row),
    ownRating: row.ownRating,
  }
}

const entryOf = (row: PurchasedRow, list: 'matiere' | 'niveau' | 'category') => ({
  name: row[`${list}Name`],
  code: row[`${list}Code`],
  names: row[`${list}Names`],
})
