/** The id in a path; null if it is not a valid id, so that the page does not exist. */
export function pageId(text: string | undefined): number | null {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}
