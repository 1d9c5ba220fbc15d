import { OFFICE_TOKEN_KEY } from '../../../src/rules/storage-keys.ts'
import { DEMO_PASSWORD } from '../../../src/server/demo/demo.ts'
import { newVisitor, type Visitor, type VisitorOptions } from '../browser.ts'
import type { OfficeCast, OfficeScene } from './scene.ts'

/** Logs both in over HTTP. */
export async function logInOfficeCast(shopUrl: string): Promise<OfficeCast> {
  const enter = async (username: string) => {
    const answer = await fetch(`${shopUrl}/api/office/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: DEMO_PASSWORD }),
    })
    if (!answer.ok) throw new Error(`${username}: ${await answer.text()}`)
    return ((await answer.json()) as { accessToken: string }).accessToken
  }
  return {
    teacher: await enter('teacher@karras.test'),
    administrator: await enter('admin@karras.test'),
  }
}

/** A visitor for a scene, logged in if the scene requires it. */
export async function officeVisitor(
  { as }: OfficeScene,
  cast: OfficeCast,
  shopUrl: string,
  options: VisitorOptions,
): Promise<Visitor> {
  const visitor = await newVisitor(shopUrl, options)
  if (as) {
    await visitor.context.addInitScript(([key, token]) => localStorage.setItem(key, token), [
      OFFICE_TOKEN_KEY,
      cast[as],
    ] as const)
  }
  return visitor
}
