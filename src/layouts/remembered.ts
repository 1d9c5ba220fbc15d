// What this browser remembers of the visitor, for the scripts in the head. Saved data may be of any
// shape, and storage may be forbidden: then it knows nobody.
import { SERVER_CART_KEY, STATIC_CART_KEY, TOKEN_KEY } from '../rules/storage-keys.ts'
import type { Early } from '../rules/taps.ts'

export const root = document.documentElement

/** One for both scripts: the painting one in the head, and the page's. */
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

/** What is saved as a list, or nothing. */
export const listIn = (read: () => unknown[]): unknown[] => attempt(() => [...read()]) ?? []

/** Saves a value where the stores find it, also those that are there already. */
export const save = (key: string, value: unknown) => {
  const newValue = JSON.stringify(value)
  delete early.kept[key]
  if (!attempt(() => (localStorage[key] = newValue))) early.kept[key] = newValue
  dispatchEvent(new StorageEvent('storage', { key, newValue }))
}

/** Checks the token as `readToken` does, in fewer bytes, and removes one that cannot be used. */
export const isLoggedIn = () =>
  attempt(() => {
    const [, payload = ''] = text(TOKEN_KEY).split('.')
    const token = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return token.userId > 0 && token.authorities.map && token.exp * 1000 > Date.now()
  }) || void attempt(() => delete localStorage[TOKEN_KEY])

const idsIn = (key: string) =>
  listIn(() => saved(key).items.map((item: { documentId: unknown }) => item.documentId))

/** The ids of the documents in the cart. */
export const cartIds = (isIn: unknown) =>
  new Set([...idsIn(STATIC_CART_KEY), ...(isIn ? idsIn(SERVER_CART_KEY) : [])])
