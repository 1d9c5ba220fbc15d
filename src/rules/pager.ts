/** A page of a paginated result: its number from 0, and how many there are. */
export type PagePosition = { number: number; totalPages: number }

/** Whether 'previous' works: not on page 0 (section 4). */
export function hasPreviousPage({ number }: PagePosition): boolean {
  return number > 0
}

/** Whether 'next' works: not on the last page (section 4). */
export function hasNextPage({ number, totalPages }: PagePosition): boolean {
  return number < totalPages - 1
}
