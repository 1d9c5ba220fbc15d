import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillDataDir } from '../support/filled-shop.ts'
import { refusedStart, type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { aDataDir, api, deleteDataDirs, logIn } from '../support/started-shop.ts'
import { uiText } from '../support/texts.ts'

afterAll(deleteDataDirs)

describe('npm start', () => {
  let dataDir: string
  let shop: ShopProcess
  /** Output of shops that are stopped again. */
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

  test('a shop with another DATA_DIR runs beside it; npm passes SIGTERM on, and it exits with 0', async () => {
    const started = await spawnShop(plain, { command: ['npm', 'start'] })
    expect((await api(started, '/documents/1')).status).toBe(404)
    expect((await api(shop, '/documents/1')).status).toBe(200)
    expect(await started.stop()).toBe(0)
    expect(started.output()).toContain('Stopping …')
    await expect(fetch(started.url)).rejects.toThrow()
  })

  test('a port in use is reported in one clear line', async () => {
    const { port } = new URL(shop.url)
    const { code, output } = await refusedStart({ ...plain, PORT: port })
    expect(code).toBe(1)
    expect(output.trim().split('\n').at(-1)).toBe(
      `PORT ${port} on 127.0.0.1 is in use; give this shop another one, such as PORT=${Number(port) + 1}.`,
    )
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
      // Its office pages say that the office is elsewhere; calls to that office are forwarded too.
      const office = await fetch(`${front.url}/office/documents`)
      expect(office.headers.get('cache-control')).toBe('no-store')
      expect(await office.text()).toContain(uiText('ar', 'office:elsewhere.text'))
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

  test('in production there is no sandbox', async () => {
    const { code, output } = await refusedStart({
      ...{ NODE_ENV: 'production', SITE_URL: 'https://shop.example', PAYMENT_PROVIDER: 'sandbox' },
      DATA_DIR: await aDataDir(),
    })
    expect(code).toBe(1)
    expect(output.trim()).toMatch(
      /^PAYMENT_PROVIDER is "sandbox".*allowed is none or konnect, since NODE_ENV is production\.$/,
    )
  })

  test.each([
    [{ PORT: 'many' }, /^PORT is "many"; allowed is .*$/],
    [{ DATA_DIR: '/dev/null' }, /\/dev\/null/],
  ])('a wrong environment %o stops it with one line', async (env, line) => {
    const { code, output } = await refusedStart(env)
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(output.trim()).toMatch(line)
  })
})
