import { createSecretKey } from 'node:crypto'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import type { Deps } from '../deps.ts'
import { fault } from './errors.ts'

/** Where the shop tells `office doctor` what arrived of its request through the proxy. */
export const SEEN_PATH = '/api/seen'

/** What arrived of a request. */
export interface Seen {
  /** The one-time value of the request's token. */
  readonly nonce: string
  /** The address that connected: the proxy's, if there is one. */
  readonly peer: string
  /** Whether the shop believes what that address says about its clients. */
  readonly isTrusted: boolean
  /** The address by which the shop counts the request. */
  readonly client: string
  /** `X-Forwarded-For` as it arrived. */
  readonly forwardedFor: string | null
}

const AUDIENCE = 'doctor'
const ALGORITHM = 'HS256'
const LIFETIME = '1 minute'

/** A token that nobody without the shop’s secret can make; it opens `SEEN_PATH` and nothing else. */
export function signNonce(secret: Uint8Array, nonce: string): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM })
    .setAudience(AUDIENCE)
    .setJti(nonce)
    .setExpirationTime(LIFETIME)
    .sign(createSecretKey(secret))
}

/** Tells a caller with the shop's secret what arrived of the request; refuses all others. */
export async function seenRequest(
  server: FastifyInstance,
  { config, secret }: Pick<Deps, 'config' | 'secret'>,
): Promise<void> {
  const isTrusted = proxyAddress.compile([...config.trustedProxies])
  const key = createSecretKey(secret)
  server.get(SEEN_PATH, async ({ headers, ip, socket }): Promise<Seen> => {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
      requiredClaims: ['exp', 'jti'],
    }).catch(() => {
      throw fault('invalid_token')
    })
    const peer = socket.remoteAddress ?? ''
    const forwardedFor = headers['x-forwarded-for']
    return {
      nonce: String(payload.jti),
      peer,
      isTrusted: isTrusted(peer, 0),
      client: ip,
      forwardedFor: forwardedFor === undefined ? null : String(forwardedFor),
    }
  })
}
