import { setTimeout as delay } from 'node:timers/promises'
import { DEMO_PASSWORD } from '../../../src/server/demo/demo.ts'
import { loggedIn, newVisitor, type Visitor, type VisitorOptions } from '../browser.ts'
import { OWNED } from './samples.ts'
import type { Cast, Scene } from './scene.ts'

/** A successful response; a shop that is too busy right after its start is asked again. */
async function answered(ask: () => Promise<Response>, tries = 10): Promise<Response> {
  const response = await ask()
  if (response.ok) return response
  if (response.status !== 503 || tries === 0) {
    throw new Error(`${response.url}: ${await response.text()}`)
  }
  await delay(1000)
  return answered(ask, tries - 1)
}

/** Logs both customers in over HTTP and fills their carts. */
export async function logInCast(shopUrl: string): Promise<Cast> {
  const enter = async (username: string, cart: number[]) => {
    const logIn = await answered(() =>
      fetch(`${shopUrl}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: DEMO_PASSWORD }),
      }),
    )
    const { accessToken } = (await logIn.json()) as { accessToken: string }
    const { userId } = JSON.parse(
      Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString(),
    ) as { userId: number }
    for (const documentId of cart) {
      await answered(() =>
        fetch(`${shopUrl}/api/carts/add?userId=${userId}&documentId=${documentId}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${accessToken}` },
        }),
      )
    }
    return accessToken
  }
  return {
    parent: await enter('parent@karras.test', [69, 66, OWNED]),
    poor: await enter('parent2@karras.test', [65]),
  }
}

/** A visitor for a scene, logged in if the scene requires it. */
export async function visitorOf(
  { as }: Scene,
  cast: Cast,
  shopUrl: string,
  options: VisitorOptions,
): Promise<Visitor> {
  return as ? loggedIn(shopUrl, { token: cast[as] }, options) : newVisitor(shopUrl, options)
}
