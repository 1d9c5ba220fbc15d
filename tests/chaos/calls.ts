import { randomInt, randomUUID } from 'node:crypto'
import { readToken } from '../../src/rules/token.ts'

/** A request of an attacker or a customer. */
export interface Call {
  path: string
  method?: 'POST'
  headers?: Record<string, string>
  body?: string
}

export const JSON_TYPE = { 'content-type': 'application/json' }
/** The password of the accounts that attackers and customers register. */
export const PASSWORD = 'karras-chaos'

/** The nth address of one IPv6 /48: the next one is in another /64, of which there are 65 536. */
export function addressOfNetwork(n: number): string {
  return `2001:db8:1:${(n % 0x10000).toString(16)}::${((n >> 16) + 1).toString(16)}`
}

/** A call that logs in. */
export function logInCall(username: string, password: string): Call {
  const body = JSON.stringify({ username, password })
  return { path: '/api/auth/login', method: 'POST', headers: JSON_TYPE, body }
}

/** Registers a customer from an address; resolves to the e-mail, the password being `PASSWORD`. */
export async function registerAt(url: string, address: string): Promise<string> {
  const email = `${randomUUID()}@karras.test`
  await answerOf(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { ...JSON_TYPE, 'x-forwarded-for': address },
    body: JSON.stringify({
      username: 'Chaos',
      firstName: 'Chaos',
      lastName: 'Customer',
      email,
      phone: String(randomInt(40_000_000, 49_999_999)),
      password: PASSWORD,
      gender: 'female',
    }),
  })
  return email
}

/** A call that starts a top-up, a different one each time. */
export function topUp(token: string): Call {
  return {
    path: '/api/wallet/recharge/initiate',
    method: 'POST',
    headers: {
      ...JSON_TYPE,
      authorization: `Bearer ${token}`,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ userId: readToken(token, Date.now())?.userId, amount: 20 }),
  }
}

/** Sends a call that must succeed; resolves to its JSON. */
export async function answerOf(url: string, call: RequestInit): Promise<Record<string, string>> {
  const answer = await fetch(url, call)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`)
  return answer.json()
}
