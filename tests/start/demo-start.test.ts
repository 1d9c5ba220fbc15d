import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fillDataDir } from '../support/filled-shop.ts'
import { refusedStart, spawnShop } from '../support/shop-process.ts'
import { aDataDir, deleteDataDirs } from '../support/started-shop.ts'

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
