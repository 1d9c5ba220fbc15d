import type { CartItem } from '../../rules/cart.ts'
import * as rules from '../../rules/cart.ts'
import { ask } from '../shared/backend.ts'
import { randomId } from '../shared/browser.ts'
import { lacks } from '../shared/features.ts'
import { logOnly, problemOf } from '../shared/problem.ts'
import { $anonymousCopy, $sessionId } from '../user-data/kept-cart.ts'

/** The prefix of the id of an anonymous session. */
const SESSION_ID_PREFIX = 'anon-'

// The anonymous cart on the server. It is filled only to bring a cart into a new account
// (`sessionId` of the registration); until then a visitor's cart stays in the browser.

/**
 * Whether a text has the form of a session id in the contract; a stored id of another form is
 * ignored.
 */
export function isSessionId(text: unknown): text is string {
  return typeof text === 'string' && /^anon-[A-Za-z0-9-]{16,64}$/.test(text)
}

/**
 * Copies the anonymous cart into the user's cart with `copy`, then clears it on the server and
 * forgets the session id. Throws if a document could not be copied or the cart could not be read;
 * then everything is kept for the next try.
 */
export async function takeAnonymousCart(
  copy: (item: Pick<CartItem, 'documentId' | 'bundle'>) => Promise<void>,
) {
  const sessionId = $sessionId.get()
  const items = new Map($anonymousCopy.get().items.map((item) => [item.documentId, item.bundle]))
  if (isSessionId(sessionId)) {
    const input = { params: { sessionId } }
    const entries = await ask(({ carts }) => carts.getAnonymousCart, input).catch(emptyIfUnknown)
    for (const { document } of entries) items.set(document.id, document.bundle)
  }
  for (const [documentId, bundle] of items) await copy({ documentId, ...(bundle && { bundle }) })
  if (isSessionId(sessionId)) {
    const input = { params: { sessionId } }
    // Everything is in the user's cart, so it does no harm if the anonymous cart stays on the
    // server.
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
 * Copies the local cart into an anonymous cart on the server and returns its session id, with which
 * a new account gets the cart on any device; null for an empty cart, and where the backend has no
 * such carts: the cart then stays in this browser until the log-in. Failures are only logged.
 */
export async function shareCart(items: readonly CartItem[]): Promise<string | null> {
  const saved = $sessionId.get()
  if (items.length === 0 || lacks('carts')) return isSessionId(saved) ? saved : null
  const sessionId = isSessionId(saved) ? saved : SESSION_ID_PREFIX + randomId()
  if (sessionId !== saved) $sessionId.set(sessionId)
  const missing = items.filter(({ documentId }) => !rules.has($anonymousCopy.get(), documentId))
  const share = async (item: CartItem) => {
    const { documentId, bundle } = item
    const input = { query: { sessionId, documentId, ...(bundle && { bundleId: bundle.id }) } }
    await ask(({ carts }) => carts.addToCart, input)
    $anonymousCopy.set(rules.addToCart($anonymousCopy.get(), item))
  }
  await Promise.all(missing.map((item) => share(item).catch(logOnly('anonymous cart'))))
  return sessionId
}
