import type { Api, CallOptions } from '../../client/api.ts'
import type { AnyCall, Input, Result } from '../../contract/call.ts'
import { lacks } from './features.ts'
import { markLanguageSent, unsentLanguage } from './language.ts'
import { isTokenRefused, problemOf } from './problem.ts'
import { learnServerTime } from './server-clock.ts'
import { dropToken, tokenToSend } from './token.ts'

type Shop = Omit<typeof import('../../client/shop.ts'), 'openApi'> & { api: Api }

/**
 * `connect` loads the client and the contract; visitors who only browse, or fill a local cart,
 * never need them. `connectTo` is for tests.
 */
export const { connect, connectTo } = createConnection<Shop>(async () => {
  const { openApi, ...calls } = await import('../../client/shop.ts')
  return { ...calls, api: openApi(learnServerTime, lacks) }
})

/**
 * Sends a newly chosen language with the first call after the choice, for the language of mails.
 */
function sendLanguage({ api, accounts }: Shop, token: string): void {
  const locale = unsentLanguage()
  if (!locale) return
  markLanguageSent()
  // Ignored: only the language of e-mails depends on it.
  api(accounts.setLanguage, { body: { locale } }, { token }).catch(() => undefined)
}

/**
 * Sends a call with the visitor's token ('' without one). If the server no longer accepts the
 * token, the session ends here too.
 */
export async function withToken<T>(send: (shop: Shop, token: string) => Promise<T>): Promise<T> {
  const loaded = await connect()
  const token = tokenToSend()
  if (token) sendLanguage(loaded, token)
  try {
    return await send(loaded, token)
  } catch (error) {
    if (token && isTokenRefused(problemOf(error))) dropToken(token)
    throw error
  }
}

/**
 * Makes a call of the contract with the visitor's token: `ask(({ carts }) => carts.getCart, …)`.
 */
export function ask<C extends AnyCall>(
  choose: (shop: Shop) => C,
  input: Input<C>,
  options: Omit<CallOptions, 'token'> = {},
): Promise<Result<C>> {
  return withToken((shop, token) => shop.api(choose(shop), input, { ...options, token }))
}

/**
 * Creates a connection that loads the client and the calls once, when a store first needs the
 * backend.
 */
function createConnection<Client extends { api: Api }>(load: () => Promise<Client>) {
  let client: Promise<Client> | undefined
  return {
    connect(): Promise<Client> {
      client ??= load().catch((error: unknown) => {
        client = undefined // probably offline; the next call tries again
        throw error
      })
      return client
    },
    /** Replaces the browser's API; for tests. */
    connectTo(api: Api): void {
      client = load().then((loaded) => ({ ...loaded, api }))
    },
  }
}
