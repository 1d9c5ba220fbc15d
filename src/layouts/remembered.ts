// What this browser remembers of the visitor, for the scripts in the head. Saved data may be of any
// shape, and storage may be forbidden: then it knows nobody.
import { SERVER_CART_KEY, STATIC_CART_KEY, TOKEN_KEY } from '../rules/storage-keys.ts'

export const root = document.documentElement

export const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return
  }
}

export const saved = (key: string) => attempt(() => JSON.parse(localStorage[key]))

const idsIn = (key: string): unknown[] =>
  attempt(() => saved(key).items.map((item: { documentId: unknown }) => item.documentId)) ?? []

/** Checks the token as `readToken` does, in fewer bytes, and removes one that cannot be used. */
export const isLoggedIn = () =>
  !!attempt(() => {
    const token = JSON.parse(
      atob(localStorage[TOKEN_KEY].split('.')[1].replaceAll('-', '+').replaceAll('_', '/')),
    )
    return token.userId > 0 && token.authorities.map && token.exp * 1000 > Date.now()
  }) || void attempt(() => delete localStorage[TOKEN_KEY])

/** The ids of the documents in the cart. */
export const cartIds = (isIn: unknown) =>
  new Set([...idsIn(STATIC_CART_KEY), ...(isIn ? idsIn(SERVER_CART_KEY) : [])])
