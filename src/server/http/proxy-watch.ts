import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { Deps } from '../deps.ts'
import { noteTrouble, noteWorking } from '../troubles/troubles.ts'

/** Where an operator's own proxies are; a stranger on the internet may send any header. */
const OWN_NETWORKS = ['linklocal', 'uniquelocal']

/**
 * Returns a function that notes, once, a proxy of the operator that names its clients without being
 * trusted: all visitors behind it share one allowance. The trouble of an earlier start is over.
 */
export function proxyWatch(
  deps: Pick<Deps, 'config' | 'database' | 'now' | 'report'>,
): (request: IncomingMessage) => void {
  const { trustedProxies, production } = deps.config
  if (!production) return () => {}
  const isTrusted = proxyAddress.compile([...trustedProxies])
  const isOwn = proxyAddress.compile(OWN_NETWORKS)
  const isOver = noteWorking(deps, 'proxy')
  let isNoted = false
  return ({ headers, socket: { remoteAddress } }) => {
    if (isNoted || headers['x-forwarded-for'] === undefined || !remoteAddress) return
    if (isTrusted(remoteAddress, 0) || !isOwn(remoteAddress, 0)) return
    isNoted = true
    const reason = `${remoteAddress} names its clients, but is not in TRUSTED_PROXIES`
    void isOver.then(() => noteTrouble(deps, 'proxy', reason))
  }
}
