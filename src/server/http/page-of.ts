/** A page of a list, in the form of the contract's `pageOf`. */
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
