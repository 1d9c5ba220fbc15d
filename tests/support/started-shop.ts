import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { PATIENCE } from './patience.ts'
import type { ShopProcess } from './shop-process.ts'

const directories: string[] = []

export async function aDataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'karras-start-'))
  directories.push(directory)
  return directory
}

export async function deleteDataDirs(): Promise<void> {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
}

/**
 * Makes a call; a shop that is too busy just after its start is asked again, as a browser does.
 * Fails at once if the shop has exited.
 */
export async function api(shop: ShopProcess, path: string, init: RequestInit = {}) {
  const response = await vi.waitFor(async () => {
    const answer = await fetch(`${shop.url}/api${path}`, {
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    }).catch((gone: Error) => gone)
    if (answer instanceof Response && answer.status === 503) throw new Error(await answer.text())
    return answer
  }, PATIENCE)
  if (response instanceof Error) throw response
  return { status: response.status, body: await response.json() }
}

export async function logIn(shop: ShopProcess, username: string) {
  const { body } = await api(shop, '/auth/login', {
    method: 'POST',
    body: JSON.stringify({ username, password: 'karras-demo' }),
  })
  const { accessToken } = body as { accessToken: string }
  const { userId } = JSON.parse(
    Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString(),
  ) as { userId: number }
  return { token: accessToken, userId }
}
