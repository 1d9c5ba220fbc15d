/** What the page's address names: `?id=12`; null if it names nothing. */
export function idInAddress(): number | null {
  const id = Number(new URLSearchParams(location.search).get('id'))
  return Number.isSafeInteger(id) && id > 0 && id < 2 ** 31 ? id : null
}
