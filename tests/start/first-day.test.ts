import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEVELS } from '../../src/rules/price-bands.ts'
import { runCommandLine } from '../../src/server/command-line/run.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'

// Follows "Setting up a shop" of docs/operating.md, step by step.
const SITE_URL = 'https://shop.example'

const dataDir = temporaryDirectory()
let shop: ShopProcess

beforeAll(async () => {
  shop = await spawnShop({ NODE_ENV: 'production', DATA_DIR: dataDir, SITE_URL })
})
afterAll(async () => {
  await shop.stop()
})

async function office(...typed: string[]) {
  const out: string[] = []
  const env = { NODE_ENV: 'production', DATA_DIR: dataDir, SITE_URL }
  const exit = await runCommandLine([...typed, '--json'], env, {
    out: (line) => void out.push(line),
    err: () => {},
  })
  return { exit, out: out.join('\n'), json: () => JSON.parse(out.join('')) }
}

async function call(method: string, path: string, body?: unknown, token?: string) {
  const response = await fetch(`${shop.url}/api${path}`, {
    method,
    headers: {
      // As nginx forwards it.
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'content-type': 'application/json',
      'idempotency-key': 'the only one',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function logIn(username: string, password: string) {
  const { status, body } = await call('POST', '/auth/login', { username, password })
  expect(status).toBe(200)
  const payload = JSON.parse(
    Buffer.from(body.accessToken.split('.')[1], 'base64url').toString(),
  ) as { userId: number; authorities: string[] }
  return { token: body.accessToken as string, ...payload }
}

describe('the first day of a real shop', () => {
  test('has no documents yet, and the categories, subjects and classes of Tunisian schools', async () => {
    const { body: documents } = await call('GET', '/documents/paginated')
    const [categories, subjects, classes] = await Promise.all(
      ['/category', '/matieres', '/niveaux'].map(async (path) => (await call('GET', path)).body),
    )
    expect(documents.totalElements).toBe(0)
    expect(categories.length).toBeGreaterThan(3)
    expect(subjects.length).toBeGreaterThan(8)
    expect(classes.map(({ level }: { level: string }) => level)).toEqual(
      expect.arrayContaining([...LEVELS]),
    )
  })

  test('has a first administrator, by a link on the public address', async () => {
    const { exit, json } = await office('create-admin', 'owner@shop.example', '--name', 'Karras')
    expect(exit).toBe(0)
    const link = new URL(json().link)
    expect(link.origin).toBe(SITE_URL)
    expect((await fetch(shop.url + link.pathname)).status).toBe(200)
    const token = link.searchParams.get('token')
    const choice = { token, firstName: 'Karras', lastName: 'Owner', password: 'the owner’s own' }
    expect((await call('POST', '/office/invitation/accept', choice)).status).toBe(200)
    expect((await call('POST', '/office/invitation/accept', choice)).body.error).toBe(
      'invalid_invitation',
    )
    const { authorities } = await logIn('owner@shop.example', 'the owner’s own')
    expect(authorities).toEqual(['ADMIN'])
  })

  test('has a first customer, whose first top-up by transfer is confirmed', async () => {
    const registered = await call('POST', '/auth/register', {
      username: 'amal',
      firstName: 'Amal',
      lastName: 'Ben Salah',
      phone: '98000000',
      gender: 'female',
      email: 'amal@mail.example',
      password: 'amal’s own',
      role: ['PARENT'],
    })
    expect(registered.status).toBe(200)
    const { token, userId } = await logIn('amal@mail.example', 'amal’s own')

    const wish = { userId, amount: 25, paymentMethod: 'sandbox' }
    const refused = await call('POST', '/wallet/recharge/initiate', wish, token)
    expect([refused.status, refused.body.error]).toEqual([409, 'no_gateway'])
    const topUp = { ...wish, paymentMethod: 'D17' }
    const early = await call('POST', '/wallet/recharge/initiate', topUp, token)
    expect([early.status, early.body.error]).toEqual([409, 'no_account'])
    const account = ['value.phone=98123456', 'value.holder=Librairie', '--yes']
    expect((await office('call', 'saveD17', 'revision=0', ...account)).exit).toBe(0)
    const started = await call('POST', '/wallet/recharge/initiate', topUp, token)
    expect(started.body.paymentUrl).toMatch(/^https:\/\/shop\.example\/payment\/transfer/)

    const [waiting, ...others] = (await office('call', 'listTransfers')).json().content
    expect(others).toEqual([])
    expect(waiting).toMatchObject({ amount: 25, payer: { email: 'amal@mail.example' } })
    expect((await office('confirm', waiting.paymentRef)).exit).toBe(0)
    const balance = await call('GET', `/wallet/balance?userId=${userId}`, undefined, token)
    expect(balance.body).toEqual({ balance: 25 })
    expect((await office('ledger', 'check')).json()).toMatchObject({ sound: true })
    const wallet = (await office('call', 'getCustomerWallet', `id=${userId}`)).json()
    expect(wallet).toMatchObject({ balance: 25, customer: { email: 'amal@mail.example' } })
  })
})
