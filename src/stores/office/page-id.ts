/** The id in the page's URL, `?id=12`; null if there is no valid one. */
export function idInAddress(name = 'id'): number | null {
  const id = Number(new URLSearchParams(location.search).get(name))
  return Number.isSafeInteger(id) && id > 0 && id < 2 ** 31 ? id : null
}
