import type { PurchasedDocument } from '../../contract/library.ts'
import { inDinars } from '../../rules/money.ts'
import type { PurchasedRow } from './library.ts'

export function presentPurchased(row: PurchasedRow): PurchasedDocument {
  return {
    documentId: row.document_id,
    documentTitle: row.title,
    amount: inDinars(row.price),
    matiereName: row.matiere_name,
    niveauName: row.niveau_name,
    categoryName: row.category_name,
    categoryId: row.category_id,
    matiereId: row.matiere_id,
    niveauId: row.niveau_id,
    teacherId: row.teacher_id,
    teacherName: `${row.teacher_first_name} ${row.teacher_last_name}`.trim(),
    averageRating: Number(row.rating),
    salesCount: row.sales_count,
    purchaseDate: row.purchased_at.toISOString(),
    fileType: row.file_type,
    matiereCode: row.matiere_code,
    niveauCode: row.niveau_code,
    categoryCode: row.category_code,
    pageCount: row.page_count,
  }
}
