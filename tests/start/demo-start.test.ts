import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { amount } from '../support/amount.ts'
import { fillDataDir } from '../support/filled-shop.ts'
import { refusedStart, type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { aDataDir, api, deleteDataDirs, logIn } from '../support/started-shop.ts'

const KILLS = amount('START_KILLS', { usual: 2, long: 20 })

afterAll(deleteDataDirs)

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

  test('does not open in production, and is refused while still empty', async () => {
    for (const [real, line] of realShops) await expectRefused(real, line, 'DEMO=0')
    await fillDataDir(env.DATA_DIR)
  })

  // The shop that the tests of this run copy was started that way.
  test('opens before its pages are rendered, and resumes rendering after a stop and a kill', async () => {
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

    // Nothing is left to do, and nothing is printed.
    const later = await spawnShop(env)
    expect((await fetch(`${later.url}/busy`)).status).toBe(200)
    expect(await later.stop()).toBe(0)
    expect(later.output()).not.toMatch(/Rendered|Filled|Built/)
  })

  test('does not open in production once it is filled', async () => {
    for (const [real, line] of realShops) {
      await expectRefused({ ...real, DEMO: '0' }, line, 'another DATA_DIR')
    }
  })
})

describe('an acknowledged purchase', () => {
  test(
    `survives kill -9, ${KILLS} times in a row`,
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
        // The response and the kill race: a purchase that was answered must last, and the retry
        // charges once.
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
      // Two minutes per start, also on a slow machine.
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

/** Every paid document is owned once, and the wallet holds the balance minus the prices. */
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
