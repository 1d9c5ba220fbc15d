/** An id that the page's address names, `?id=12`; null if it names none. */
export function idInAddress(name = 'id'): number | null {
  const id = Number(new URLSearchParams(location.search).get(name))
  return Number.isSafeInteger(id) && id > 0 && id < 2 ** 31 ? id : null
}
