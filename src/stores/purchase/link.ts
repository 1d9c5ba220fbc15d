import { LINK_LASTS_MS, LINK_NAME_MAX_LENGTH } from '../../rules/link-visits.ts'
import { LINK_KEY } from '../../rules/storage-keys.ts'

/** The teacher's link by which the visitor came in this tab within the day, for the calls of a purchase. */
export function linkNow(): { link?: string } {
  try {
    const [link, at] = JSON.parse(sessionStorage.getItem(LINK_KEY) ?? '[]')
    return link.length <= LINK_NAME_MAX_LENGTH && Date.now() - at < LINK_LASTS_MS ? { link } : {}
  } catch {
    return {}
  }
}
