import type { IncomingMessage } from 'node:http'
import { SOCKET_TOKEN } from '../../contract/chat.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { requireUser } from '../http/identity.ts'
import { requireSecondFactor } from '../http/policies.ts'
import type { User } from '../http/route.ts'
import { isOwnOrigin } from '../http/upgrade.ts'

/**
 * Identifies the user of a new live connection. Throws `forbidden`, `authentication_required`,
 * `invalid_token`, `second_factor_missing`.
 */
export async function admit(
  deps: Deps,
  request: IncomingMessage,
): Promise<{ user: User; token: string }> {
  if (!isOwnOrigin(request, deps.config.siteUrl)) throw fault('forbidden')
  const query = new URLSearchParams(request.url?.split('?', 2)[1])
  const [token = '', ...others] = query.getAll(SOCKET_TOKEN)
  if (token === '') throw fault('authentication_required')
  if (others.length > 0) throw fault('invalid_token')
  const user = requireUser(await deps.identify(`Bearer ${token}`))
  requireSecondFactor(user, deps.config)
  return { user, token }
}
