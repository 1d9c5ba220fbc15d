/** The default size of a page, and the largest size that a call may request. */
export const PAGE_SIZE = 12

export const PAGE_SIZE_MAX = 100

/** The last page number that a call may request. */
export const PAGE_NUMBER_MAX = 100_000

/** How many movements a page of the wallet's history shows. */
export const HISTORY_PAGE_SIZE = 10
type PagePosition = { number: number; totalPages: number }

export function hasPreviousPage({ number }: PagePosition): boolean {
  return number > 0
}

export function hasNextPage({ number, totalPages }: PagePosition): boolean {
  return number < totalPages - 1
}
