import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { boolean, is, nullable, type as object, string } from 'superstruct'
import { WebSocket } from 'ws'
import { SOCKET_PATH } from '../../../contract/chat.ts'
import { DAY_MS } from '../../../rules/durations.ts'
import { type Config, realBecause } from '../../config/config.ts'
import { SEEN_PATH, type Seen, signNonce } from '../../http/seen.ts'
import { knownAddress } from '../../shop-address.ts'
import {
  ANSWER_LIMIT_MS,
  attempt,
  type Finding,
  inTime,
  reasonOf,
  sound,
  wrong,
} from './finding.ts'

/** A certificate that ends within this time should have been renewed. */
const CERTIFICATE_LEAST_DAYS = 14

// The figures do not count programs that name themselves so.
const PROGRAM = 'karras-doctor-bot'

/** An address of documentation's (RFC 5737), claimed to see what the proxy does with claims. */
const CLAIMED = '192.0.2.1'

/**
 * Asks the shop at its public address, as a visitor on this machine would. `secret` is null where
 * this shop has none yet.
 */
export async function examineAddress(
  config: Config,
  secret: Uint8Array | null,
): Promise<readonly Finding[]> {
  const { hasSiteUrl, knowsAddress } = config
  const siteUrl = knownAddress(config)
  const isReal = realBecause(config) !== null
  if (!knowsAddress || (isReal && !siteUrl.startsWith('https:'))) {
    const found = hasSiteUrl ? `SITE_URL is ${siteUrl}` : 'SITE_URL is not set'
    const advice = 'set SITE_URL to the shop’s https address, which mails and the gateway need'
    return [wrong('address', found, advice)]
  }
  const isSecure = siteUrl.startsWith('https:')
  const [ofShop, ...others] = await Promise.all([
    examineShopAt(siteUrl, secret),
    examineCompression(siteUrl),
    examineUpgrades(siteUrl),
    ...(isSecure ? [examineCertificate(siteUrl), examineRedirect(siteUrl)] : []),
  ])
  // Another shop's address, or an empty one, says nothing about this shop.
  const [first] = ofShop
  if (first?.advice === undefined) return [...ofShop, ...others.flat()]
  return [...ofShop, ...others.flat().filter(({ check }) => check === 'certificate')]
}

const SeenAnswer = object({
  nonce: string(),
  peer: string(),
  isTrusted: boolean(),
  client: string(),
  forwardedFor: nullable(string()),
})

/** Whether this shop answers, and what arrives of a request through the proxy. */
function examineShopAt(siteUrl: string, secret: Uint8Array | null): Promise<readonly Finding[]> {
  const silent = 'start the shop, or look at the name in DNS, the firewall and the proxy'
  return attempt('address', silent, async () => {
    if (secret === null) {
      await askAddress(`${siteUrl}/healthz`)
      return [sound('address', `${siteUrl} answers; without a secret it cannot prove more`)]
    }
    const nonce = randomUUID()
    const authorization = `Bearer ${await signNonce(secret, nonce)}`
    const answer = await askAddress(siteUrl + SEEN_PATH, {
      authorization,
      'x-forwarded-for': CLAIMED,
    })
    if (answer.status >= 500 || answer.status === 429) {
      return [wrong('address', `${siteUrl} answers ${answer.status}`, 'see the shop’s log')]
    }
    const seen: unknown = await inTime(() => answer.json()).catch(() => null)
    if (!is(seen, SeenAnswer) || seen.nonce !== nonce) {
      const found = `${siteUrl} answers ${answer.status}, and is not this shop`
      const advice =
        'lead the name and the proxy to this shop, or give this command the shop’s JWT_SECRET or DATA_DIR'
      return [wrong('address', found, advice)]
    }
    return [sound('address', `${siteUrl} is this shop`), proxyFinding(siteUrl, seen)]
  })
}

function proxyFinding(siteUrl: string, seen: Seen): Finding {
  const { peer, isTrusted, client, forwardedFor } = seen
  // The shop speaks only http: an address with https has a proxy before it.
  const hasProxy = siteUrl.startsWith('https:')
  if (!hasProxy && forwardedFor === CLAIMED) return sound('proxy', `none before the shop (${peer})`)
  const set = 'have the proxy set X-Forwarded-For to the address that connects to it'
  if (forwardedFor === null) {
    return wrong('proxy', `${peer} does not name its clients, who share one allowance`, set)
  }
  if (forwardedFor === CLAIMED) {
    return wrong('proxy', `${peer} passes on whatever address a client claims`, set)
  }
  if (!isTrusted) {
    const found = `${peer} names its clients and is not trusted: they share one allowance`
    return wrong('proxy', found, TRUST)
  }
  return sound('proxy', `${peer} is trusted, and names its clients (this machine is ${client})`)
}

export const TRUST = 'add its address to TRUSTED_PROXIES, and start the shop again'

function examineCompression(siteUrl: string): Promise<readonly Finding[]> {
  const advice = 'have the proxy pass Accept-Encoding and compressed answers on unchanged'
  return attempt('compression', advice, async () => {
    const { status, headers } = await askAddress(`${siteUrl}/`, { 'accept-encoding': 'br, gzip' })
    const coding = headers.get('content-encoding') ?? 'no compression'
    const found = `the home page (${status}) comes with ${coding}`
    return [coding === 'br' ? sound('compression', found) : wrong('compression', found, advice)]
  })
}

/** A live connection without a token: an upgrade that arrives is refused as one. */
function examineUpgrades(siteUrl: string): Promise<readonly Finding[]> {
  const advice = `have the proxy pass upgrades of ${SOCKET_PATH} on (Upgrade, Connection)`
  return attempt('upgrades', advice, () =>
    inTime(async (signal) => {
      const socket = new WebSocket(siteUrl.replace('http', 'ws') + SOCKET_PATH, {
        handshakeTimeout: ANSWER_LIMIT_MS,
        headers: { 'user-agent': PROGRAM },
      })
      // Ending it before it is open is reported as an error as well.
      socket.on('error', () => {})
      try {
        const [, response] = await once(socket, 'unexpected-response', { signal })
        const status = response.statusCode as number
        return status === 401
          ? [sound('upgrades', `those of ${SOCKET_PATH} arrive`)]
          : [wrong('upgrades', `that of ${SOCKET_PATH} was answered with ${status}`, advice)]
      } finally {
        socket.terminate()
      }
    }),
  )
}

function examineCertificate(siteUrl: string): Promise<readonly Finding[]> {
  const { hostname, port } = new URL(siteUrl)
  const advice = 'renew it, and see why that did not happen by itself (certbot renew)'
  return attempt('certificate', advice, () =>
    inTime(async (signal) => {
      const host = hostname.replace(/^\[|\]$/g, '')
      const isName = /[a-z]/i.test(host) && !host.includes(':')
      const socket = connect({
        host,
        port: Number(port || 443),
        ...(isName && { servername: host }),
        // An invalid one is looked at as well.
        rejectUnauthorized: false,
      })
      try {
        await once(socket, 'secureConnect', { signal })
        const ends = new Date(socket.getPeerCertificate().valid_to)
        const days = Math.floor((ends.getTime() - Date.now()) / DAY_MS)
        const day = ends.toISOString().slice(0, 10)
        if (ends.getTime() < Date.now()) return [wrong('certificate', `it ended on ${day}`, advice)]
        if (!socket.authorized) {
          const found = `browsers refuse it (${socket.authorizationError}); it ends on ${day}`
          return [wrong('certificate', found, 'install one for this name, with its whole chain')]
        }
        const found = `it ends on ${day}, in ${days} days`
        return days < CERTIFICATE_LEAST_DAYS
          ? [wrong('certificate', found, advice)]
          : [sound('certificate', found)]
      } finally {
        socket.destroy()
      }
    }),
  )
}

/** Whether the same address without `https` leads to it; only asked where http has its usual port. */
async function examineRedirect(siteUrl: string): Promise<readonly Finding[]> {
  const { host, port } = new URL(siteUrl)
  if (port !== '') return []
  try {
    const { status, headers } = await askAddress(`http://${host}/`)
    const target = URL.parse(headers.get('location') ?? '')
    const found = `http://${host} answers ${status}`
    return status >= 300 && status < 400 && target?.origin === siteUrl
      ? [sound('redirect', `${found} and leads to https`)]
      : [wrong('redirect', found, 'have the proxy redirect http to https')]
  } catch (error) {
    return [sound('redirect', reasonOf(error))]
  }
}

async function askAddress(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const told = { 'user-agent': PROGRAM, ...headers }
  try {
    return await inTime((signal) => fetch(url, { headers: told, redirect: 'manual', signal }))
  } catch (error) {
    throw new Error(`${new URL(url).origin} does not answer (${reasonOf(error)})`)
  }
}
