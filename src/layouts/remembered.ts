// What this browser remembers of the visitor, for the layout's scripts. Saved data may have any
// shape, and storage may be forbidden: then the visitor counts as unknown.
import { CLOCK_KEY, SERVER_CART_KEY, STATIC_CART_KEY, TOKEN_KEY } from '../rules/storage-keys.ts'
import type { Early } from '../rules/taps.ts'
import { serverTime } from '../rules/token.ts'

export const root = document.documentElement

/** Shared by the paint script in the head and the intent script. */
window.early ??= { kept: {}, held: [] }
export const early: Early = window.early

export const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return
  }
}

const text = (key: string): string => early.kept[key] ?? localStorage[key]

export const saved = (key: string) => attempt(() => JSON.parse(text(key)))

/** The saved list, or an empty one. */
export const listIn = (read: () => unknown[]): unknown[] => attempt(() => [...read()]) ?? []

/** Saves a value where the stores find it, including those that are already loaded. */
export const save = (key: string, value: unknown) => {
  const newValue = JSON.stringify(value)
  delete early.kept[key]
  if (!attempt(() => (localStorage[key] = newValue))) early.kept[key] = newValue
  dispatchEvent(new StorageEvent('storage', { key, newValue }))
}

/** Checks the token as `readToken` does, in fewer bytes, and removes an unusable one. */
export const isLoggedIn = () =>
  attempt(() => {
    const [, payload = ''] = text(TOKEN_KEY).split('.')
    const token = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return (
      token.userId > 0 &&
      token.authorities.map &&
      token.exp * 1000 > serverTime(Date.now(), text(CLOCK_KEY))
    )
  }) || void attempt(() => delete localStorage[TOKEN_KEY])

const idsIn = (key: string) =>
  listIn(() => saved(key).items.map((item: { documentId: unknown }) => item.documentId))

/** The ids of the documents in the cart. */
export const cartIds = (isIn: unknown) =>
  new Set([...idsIn(STATIC_CART_KEY), ...(isIn ? idsIn(SERVER_CART_KEY) : [])])
