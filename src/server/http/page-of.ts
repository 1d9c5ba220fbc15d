/** A page of a list, as the contract's `pageOf` has it. */
export function pageOf<T>(
  content: T[],
  { total, page, size }: { total: number; page: number; size: number },
) {
  return {
    content,
    totalElements: total,
    totalPages: Math.ceil(total / size),
    number: page,
    size,
  }
}
