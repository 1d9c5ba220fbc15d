import type { CartItem } from '../../rules/cart.ts'
import * as rules from '../../rules/cart.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'
import { randomId } from '../shared/random-id.ts'
import { $anonymousCopy, $sessionId } from './kept-cart.ts'

/** What the id of an anonymous session begins with. */
export const SESSION_ID_PREFIX = 'anon-'

// The anonymous cart at the server. It is filled only to bring a cart along into a new account
// (`sessionId` of the registration); until then a visitor's cart stays in the visitor's browser.

/** The contract's form of a session id; a saved one of another form is as good as none. */
const SESSION_ID = new RegExp(`^${SESSION_ID_PREFIX}[A-Za-z0-9-]{16,64}$`)

/** Whether a text has the form of a session id. */
export function isSessionId(text: unknown): text is string {
  return typeof text === 'string' && SESSION_ID.test(text)
}

/**
 * Copies the anonymous cart into the user's by `copy`, then clears it at the server and forgets the
 * session id. Throws where a document could not be copied or the cart not be read: everything is
 * kept for the next time.
 */
export async function takeAnonymousCart(copy: (documentId: number) => Promise<void>) {
  const sessionId = $sessionId.get()
  const ids = new Set($anonymousCopy.get().items.map(({ documentId }) => documentId))
  if (isSessionId(sessionId)) {
    const input = { params: { sessionId } }
    const entries = await ask(({ carts }) => carts.getAnonymousCart, input).catch(emptyIfUnknown)
    for (const { document } of entries) ids.add(document.id)
  }
  for (const id of ids) await copy(id)
  if (isSessionId(sessionId)) {
    const input = { params: { sessionId } }
    // Everything is in the user's cart: a rest at the server harms nobody.
    await ask(({ carts }) => carts.clearAnonymousCart, input).catch(logOnly('anonymous cart'))
  }
  if ($sessionId.get() === sessionId) {
    if (sessionId) $sessionId.set('')
    if ($anonymousCopy.get() !== rules.emptyCart) $anonymousCopy.set(rules.emptyCart)
  }
}

function emptyIfUnknown(error: unknown): never[] {
  if (problemOf(error).status === 404) return []
  throw error
}

/**
 * Puts the local cart into an anonymous cart at the server and gives its session id, so that a new
 * account finds it on any device; null where there is nothing to bring. Failures are only logged.
 */
export async function shareCart(items: readonly CartItem[]): Promise<string | null> {
  const saved = $sessionId.get()
  if (items.length === 0) return isSessionId(saved) ? saved : null
  const sessionId = isSessionId(saved) ? saved : SESSION_ID_PREFIX + randomId()
  if (sessionId !== saved) $sessionId.set(sessionId)
  const missing = items.filter(({ documentId }) => !rules.has($anonymousCopy.get(), documentId))
  const share = async (item: CartItem) => {
    const input = { query: { sessionId, documentId: item.documentId } }
    await ask(({ carts }) => carts.addToCart, input)
    $anonymousCopy.set(rules.addToCart($anonymousCopy.get(), item))
  }
  await Promise.all(missing.map((item) => share(item).catch(logOnly('anonymous cart'))))
  return sessionId
}
