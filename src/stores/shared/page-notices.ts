import { NOTICE_KEY } from '../../rules/storage-keys.ts'

/** A notice that a page leaves for the next page, to which it sends the visitor. */
export type PageNotice =
  | { kind: 'registered'; email: string }
  /** A code is on its way to this number. */
  | { kind: 'code_sent'; phone: string }
  | { kind: 'phone_confirmed'; phone: string }
  | { kind: 'password_set'; phone: string }
  /** `ids`: the documents that were bought; `titles`: those that were left out. */
  | { kind: 'purchased'; ids: readonly number[] }
  | { kind: 'partly_purchased'; ids: readonly number[]; titles: readonly string[] }

/** Leaves a notice for the next page of this tab; without storage it is not shown. */
export function leaveNotice(notice: PageNotice): void {
  try {
    sessionStorage.setItem(NOTICE_KEY, JSON.stringify(notice))
  } catch {}
}

/** The notice of one of these kinds that the previous page left; taking it removes it. */
export function takeNotice<K extends PageNotice['kind']>(
  kinds: readonly K[],
): Extract<PageNotice, { kind: K }> | null {
  try {
    const notice: unknown = JSON.parse(sessionStorage.getItem(NOTICE_KEY) ?? 'null')
    if (!isPageNotice(notice) || !kinds.includes(notice.kind as K)) return null
    sessionStorage.removeItem(NOTICE_KEY)
    return notice as Extract<PageNotice, { kind: K }>
  } catch {
    return null
  }
}

const WITH_PHONE = ['code_sent', 'phone_confirmed', 'password_set']

function isPageNotice(value: unknown): value is PageNotice {
  if (typeof value !== 'object' || value === null) return false
  const { kind, ids, titles, email, phone } = value as Record<string, unknown>
  if (WITH_PHONE.includes(kind as string)) return typeof phone === 'string'
  if (kind === 'registered') return typeof email === 'string'
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'number')) return false
  const areTexts = Array.isArray(titles) && titles.every((title) => typeof title === 'string')
  return kind === 'purchased' || (kind === 'partly_purchased' && areTexts)
}
