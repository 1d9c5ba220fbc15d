/** The id of an address, or null if it cannot be one: such a page does not exist. */
export function pageId(text: string | undefined): number | null {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}
