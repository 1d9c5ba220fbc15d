import { setTimeout as delay } from 'node:timers/promises'
import { DEMO_PASSWORD } from '../../../src/server/demo/demo.ts'
import { atOffice, loggedIn, newVisitor, type Visitor, type VisitorOptions } from '../browser.ts'
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

/** Logs everybody in over HTTP, and fills the customers' carts. */
export async function logInCast(shopUrl: string): Promise<Cast> {
  const enter = async (door: 'auth' | 'office', username: string) => {
    const logIn = await answered(() =>
      fetch(`${shopUrl}/api/${door}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: DEMO_PASSWORD }),
      }),
    )
    return ((await logIn.json()) as { accessToken: string }).accessToken
  }
  const enterWith = async (username: string, cart: readonly number[]) => {
    const token = await enter('auth', username)
    const { userId } = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { userId: number }
    for (const documentId of cart) {
      await answered(() =>
        fetch(`${shopUrl}/api/carts/add?userId=${userId}&documentId=${documentId}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
        }),
      )
    }
    return token
  }
  return {
    parent: await enterWith('parent@karras.test', [69, 66, OWNED]),
    poor: await enterWith('parent2@karras.test', [65]),
    teacher: await enter('office', 'teacher@karras.test'),
    administrator: await enter('office', 'admin@karras.test'),
  }
}

/** A visitor for a scene, logged in if the scene requires it. */
export async function visitorOf(
  { as }: Pick<Scene, 'as'>,
  cast: Cast,
  shopUrl: string,
  options: VisitorOptions,
): Promise<Visitor> {
  if (!as) return newVisitor(shopUrl, options)
  const enter = as === 'teacher' || as === 'administrator' ? atOffice : loggedIn
  return enter(shopUrl, { token: cast[as] }, options)
}
