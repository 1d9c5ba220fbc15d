/**
 * The pages that a pager lists, from 0: the first, the last, and those around the current one; null
 * is a gap.
 */
export function pageNumbers(current: number, total: number): (number | null)[] {
  const near = [0, current - 1, current, current + 1, total - 1]
  const shown = [...new Set(near)].filter((page) => page >= 0 && page < total).sort((a, b) => a - b)
  return shown.flatMap((page, index) => {
    const before = shown[index - 1]
    if (before === undefined || page === before + 1) return [page]
    // Replace a gap of one page by that page, since the gap would save no space.
    return page === before + 2 ? [page - 1, page] : [null, page]
  })
}
