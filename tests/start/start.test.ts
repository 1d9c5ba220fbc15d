import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { amount } from '../support/amount.ts'
import { fillDataDir } from '../support/filled-shop.ts'
import { PATIENCE } from '../support/patience.ts'
import { refusedStart, type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { said } from '../support/texts.ts'

const KILLS = amount('START_KILLS', { usual: 2, long: 20 })

const directories: string[] = []

async function aDataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'karras-start-'))
  directories.push(directory)
  return directory
}

afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

/**
 * A call; a shop that is too busy just after its start is asked again, as a browser does. Fails at
 * once where the shop is gone.
 */
async function api(shop: ShopProcess, path: string, init: RequestInit = {}) {
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

async function logIn(shop: ShopProcess, username: string) {
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

describe('npm start', () => {
  let dataDir: string
  let shop: ShopProcess
  /** Of shops that are stopped again. */
  let plain: { DATA_DIR: string; DEMO: string }

  beforeAll(async () => {
    dataDir = await aDataDir()
    plain = { DATA_DIR: await aDataDir(), DEMO: '0' }
    await fillDataDir(dataDir)
    shop = await spawnShop({ DATA_DIR: dataDir })
  })
  afterAll(() => shop.stop())

  test('prints the address and the demo accounts, which work', async () => {
    for (const [email, role] of [
      ['parent@karras.test', 'PARENT'],
      ['parent2@karras.test', 'PARENT'],
      ['admin@karras.test', 'ADMIN'],
      ['admin2@karras.test', 'ADMIN'],
      ['teacher@karras.test', 'TEACHER'],
    ] as const) {
      expect(shop.output()).toContain(email)
      const { token } = await logIn(shop, email)
      expect(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).toContain(role)
    }
    const parent = await logIn(shop, 'parent@karras.test')
    const authorization = `Bearer ${parent.token}`
    const balance = await api(shop, `/wallet/balance?userId=${parent.userId}`, {
      headers: { authorization },
    })
    expect(balance.body).toEqual({ balance: 60 })
    const owned = await api(shop, '/purchaseddocuments/user/purchased', {
      headers: { authorization },
    })
    expect(owned.body).toHaveLength(2)
  })

  test('a second shop on the same DATA_DIR is refused with one clear line', async () => {
    const { code, output } = await refusedStart({ DATA_DIR: dataDir, PORT: '0' })
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(output).toContain(dataDir)
    expect((await api(shop, '/documents/1')).status).toBe(200)
  })

  test('npm start passes a SIGTERM on, and the shop stops with 0', async () => {
    const started = await spawnShop(plain, { command: ['npm', 'start'] })
    expect((await api(started, '/documents')).status).toBe(200)
    expect(await started.stop()).toBe(0)
    expect(started.output()).toContain('Stopping …')
    await expect(fetch(started.url)).rejects.toThrow()
  })

  test('a port in use is one clear line', async () => {
    const { port } = new URL(shop.url)
    const { code, output } = await refusedStart({ ...plain, PORT: port })
    expect(code).toBe(1)
    expect(output.trim().split('\n').at(-1)).toBe(
      `PORT ${port} on 127.0.0.1 is in use; give this shop another one, such as PORT=${Number(port) + 1}.`,
    )
  })

  test('two shops with different DATA_DIR run side by side', async () => {
    const other = await spawnShop(plain)
    try {
      expect(other.url).not.toBe(shop.url)
      expect((await api(other, '/documents/1')).status).toBe(404)
      expect((await api(shop, '/documents/1')).status).toBe(200)
    } finally {
      expect(await other.stop()).toBe(0)
    }
  })

  test('in front of another backend it forwards calls and starts no database', async () => {
    const directory = await aDataDir()
    const front = await spawnShop({ DATA_DIR: directory, API_ORIGIN: shop.url })
    try {
      const parent = await logIn(front, 'parent@karras.test')
      const { body } = await api(front, `/wallet/balance?userId=${parent.userId}`, {
        headers: { authorization: `Bearer ${parent.token}` },
      })
      expect(body).toEqual({ balance: 60 })
      expect((await api(front, '/documents/999999')).body).toMatchObject({
        error: 'document_not_found',
      })
      const title = ((await api(shop, '/documents/1')).body as { title: string }).title
      const page = await fetch(`${front.url}/shop-details/1`)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain(title)
      // Its pages of the office say that it is elsewhere; that office's calls are forwarded, too.
      const office = await fetch(`${front.url}/office/documents`)
      expect(office.headers.get('cache-control')).toBe('no-store')
      expect(await office.text()).toContain(said('ar', 'office:elsewhere.text'))
      const entered = await api(front, '/office/login', {
        method: 'POST',
        body: JSON.stringify({
          username: 'teacher@karras.test',
          password: 'karras-demo',
          code: null,
          locale: 'ar',
        }),
      })
      const authorization = `Bearer ${(entered.body as { accessToken: string }).accessToken}`
      const part = new Uint8Array(300_000)
      const opened = await api(front, '/office/uploads', {
        method: 'POST',
        headers: { authorization },
        body: JSON.stringify({ name: 'a.pdf', size: part.length, purpose: 'document' }),
      })
      const { id } = opened.body as { id: string }
      const sent = await api(front, `/office/uploads/${id}/part?offset=0`, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'application/octet-stream' },
        body: part,
      })
      expect(sent).toMatchObject({ status: 200, body: { received: part.length } })
      expect(await readdir(directory)).not.toContain('postgres')
      const ready = await fetch(`${front.url}/readyz`)
      expect([ready.status, await ready.json()]).toEqual([
        200,
        { status: 'ready', checks: { backend: 'ok' } },
      ])
    } finally {
      expect(await front.stop()).toBe(0)
    }
  })

  test('for others it opens with SITE_URL and DATA_DIR alone: no sandbox, no demo', async () => {
    const real = {
      NODE_ENV: 'production',
      DATA_DIR: await aDataDir(),
      SITE_URL: 'https://shop.example',
    }
    const refused = await refusedStart({ ...real, PAYMENT_PROVIDER: 'sandbox' })
    expect(refused.code).toBe(1)
    expect(refused.output.trim()).toMatch(
      /^PAYMENT_PROVIDER is "sandbox".*allowed is none or konnect, since NODE_ENV is production\.$/,
    )
    const opened = await spawnShop(real)
    try {
      expect(opened.output()).not.toContain('demo account')
      expect((await api(opened, '/documents/1')).status).toBe(404)
      const page = await (await fetch(`${opened.url}/charging`)).text()
      expect(page).toContain('value="d17"')
      expect(page).not.toContain('value="gateway"')
      expect((await fetch(`${opened.url}/api/payments/sandbox/abc`)).status).toBe(404)
    } finally {
      expect(await opened.stop()).toBe(0)
    }
  })

  test.each([
    [{ PORT: 'many' }, /^PORT is "many"; allowed is .*$/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL is .*$/],
    [{ DATA_DIR: '/dev/null' }, /\/dev\/null/],
  ])('a wrong environment %o stops it with one line', async (env, line) => {
    const { code, output } = await refusedStart(env)
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(output.trim()).toMatch(line)
  })
})

describe('a demo shop', () => {
  let env: { DATA_DIR: string; DEMO: string }
  const realShops: [env: Record<string, string>, line: RegExp][] = [
    [{ HOST: '0.0.0.0' }, /^HOST is "0\.0\.0\.0".*$/],
    [{ SITE_URL: 'https://shop.example' }, /^SITE_URL is "https:\/\/shop\.example".*$/],
  ]

  beforeAll(async () => {
    env = { DATA_DIR: await aDataDir(), DEMO: '1' }
  })

  async function expectRefused(more: Record<string, string>, line: RegExp, advice: string) {
    const { code, output } = await refusedStart({ ...env, PORT: '0', ...more })
    expect(code).toBe(1)
    expect(output.trim()).toMatch(line)
    expect(output).toContain(advice)
  }

  test('does not open for others, and is refused while still empty', async () => {
    for (const [real, line] of realShops) await expectRefused(real, line, 'DEMO=0')
    await fillDataDir(env.DATA_DIR)
  })

  // So the shop came about that the tests of this run copy.
  test('opens before its pages are rendered, and goes on with them after a stop and a kill', async () => {
    const starts = inject('filledShopStarts')
    const [stopped, killed, left] = starts
    expect(stopped?.opening).toContain('Filled the empty shop')
    expect(killed?.opening).not.toMatch(/Filled|Built/)
    expect(left?.output).not.toMatch(/Filled|Built/)
    expect(left?.output).toMatch(/^Rendered \d+ pages/m)
    expect(killed?.output).not.toContain('Rendered')
    expect(starts.map(({ code }) => code)).toEqual([0, null, 0])
    for (const { opening, status } of starts) {
      expect(opening).not.toContain('Rendered')
      expect(status).toBe(200)
    }
    expect(await readdir(join(env.DATA_DIR, 'pages'))).toContain('most-wanted.json')

    // Nothing is left to do, and nothing is said.
    const later = await spawnShop(env)
    expect((await fetch(`${later.url}/busy`)).status).toBe(200)
    expect(await later.stop()).toBe(0)
    expect(later.output()).not.toMatch(/Rendered|Filled|Built/)
  })

  test('does not open for others once it is filled', async () => {
    for (const [real, line] of realShops) {
      await expectRefused({ ...real, DEMO: '0' }, line, 'another DATA_DIR')
    }
  })
})

describe('a purchase that was acknowledged', () => {
  test(
    `is there after kill -9, ${KILLS} times over`,
    async () => {
      const dataDir = await aDataDir()
      await fillDataDir(dataDir)
      let shop = await spawnShop({ DATA_DIR: dataDir })
      const before = await ownedBy(shop)
      const acknowledged = new Set<number>()
      const pay = async (documentId: number, key: string) => {
        const { token, userId } = await logIn(shop, 'parent@karras.test')
        return api(shop, '/wallet/pay', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
          body: JSON.stringify({ userId, documentIds: [documentId] }),
        })
      }
      for (let loop = 1; loop <= KILLS; loop++) {
        const found = await api(shop, '/documents/paginated?maxPrice=3&size=100')
        const cheap = found.body as { content: { id: number }[] }
        const owned = await ownedBy(shop)
        for (const id of acknowledged) expect(owned).toContain(id)
        const next = cheap.content.find(({ id }) => !owned.includes(id))
        const documentId = next?.id ?? before[0] ?? 1
        // The answer and the kill race; whatever was answered must last, and the retry charges once.
        const answer = pay(documentId, `loop-${loop}`).catch(() => null)
        if (loop % 2 === 0) await answer
        await shop.kill()
        if ((await answer)?.status === 200) acknowledged.add(documentId)
        shop = await spawnShop({ DATA_DIR: dataDir })
        expect((await pay(documentId, `loop-${loop}`)).status).toBe(200)
        acknowledged.add(documentId)
      }
      expect(acknowledged.size).toBeGreaterThan(KILLS / 2)
      expect(await ledgerFaults(shop, acknowledged, before)).toEqual([])
      expect(await shop.stop()).toBe(0)
      // Two minutes a start, also on a slow machine.
    },
    (KILLS + 1) * 120_000,
  )
})

async function ownedBy(shop: ShopProcess): Promise<number[]> {
  const { token } = await logIn(shop, 'parent@karras.test')
  const { body } = await api(shop, '/purchaseddocuments/user/purchased', {
    headers: { authorization: `Bearer ${token}` },
  })
  return (body as { documentId: number }[]).map(({ documentId }) => documentId)
}

/** What was paid for is owned once, and the wallet holds what the prices left. */
async function ledgerFaults(
  shop: ShopProcess,
  acknowledged: Set<number>,
  before: readonly number[],
): Promise<string[]> {
  const faults: string[] = []
  const { token, userId } = await logIn(shop, 'parent@karras.test')
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await api(shop, '/purchaseddocuments/user/purchased', { headers })
  const owned = body as { documentId: number; amount: number }[]
  const ids = owned.map(({ documentId }) => documentId)
  if (new Set(ids).size !== ids.length) faults.push(`granted twice: ${ids}`)
  for (const id of acknowledged) if (!ids.includes(id)) faults.push(`lost: ${id}`)
  const { body: wallet } = await api(shop, `/wallet/balance?userId=${userId}`, { headers })
  const spent = owned
    .filter(({ documentId }) => !before.includes(documentId))
    .reduce((sum, { amount }) => sum + amount, 0)
  const left = (wallet as { balance: number }).balance
  if (Math.abs(60 - spent - left) > 0.001) faults.push(`60 − ${spent} is not ${left}`)
  return faults
}
