import type { ApiResponse } from '../../src/client/api.ts'
import { ALL_ERRORS } from '../../src/contract/all-errors.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'

export const titleOf = (id: number) => `Document ${id}`

export const refusal = (code: ErrorCode): ApiResponse => ({
  status: ALL_ERRORS[code].status,
  body: { ...ALL_ERRORS[code], error: code },
})

/** A wishlist entry as the API returns it. */
export function wishEntry(id: number) {
  return {
    createdAt: '2026-03-05T10:00:00Z',
    document: {
      id,
      title: titleOf(id),
      price: 5,
      filePath: null,
      coverMapping: null,
      teacher: { username: 'Teacher' },
    },
  }
}

/** A bought document as the API returns it. */
export function purchased(id: number) {
  return {
    documentId: id,
    documentTitle: titleOf(id),
    amount: 5,
    matiereName: `Subject ${id % 2}`,
    niveauName: 'Level',
    categoryName: `Category ${id % 3}`,
    categoryId: (id % 3) + 1,
    matiereId: (id % 2) + 1,
    niveauId: 1,
    teacherId: 1,
    teacherName: 'Teacher',
    averageRating: 4.5,
    salesCount: 3,
    purchaseDate: '2026-03-05T10:00:00Z',
    fileType: 'pdf',
  }
}
