import { beforeEach, describe, expect, test } from 'vitest'
import { emptyBrowser, type openPage } from './browser.ts'
import { openCharging } from './charging-page.ts'

beforeEach(emptyBrowser)

describe('the history', () => {
  const entry = (id: number) => ({
    id,
    createdAt: '2026-03-05T10:00:00Z',
    kind: 'top_up',
    amount: 10,
    balanceAfter: 10 * id,
    orderId: null,
    documents: [],
  })
  const idsOf = ({ history }: Awaited<ReturnType<typeof openPage>>) => {
    const list = history.$walletHistory.get()
    return list.phase === 'ready' ? list.value.entries.map(({ id }) => id) : list.phase
  }

  test('loads in pages, and shows no movement twice', async () => {
    const { shop, page } = await openCharging()
    shop.history = Array.from({ length: 23 }, (_, at) => entry(23 - at))
    await page.history.loadHistory()
    expect(idsOf(page)).toHaveLength(10)
    shop.history.unshift(entry(24))
    await page.history.loadOlder()
    await page.history.loadOlder()
    expect(idsOf(page)).toEqual(Array.from({ length: 23 }, (_, at) => 23 - at))
    expect(page.history.$walletHistory.get()).toMatchObject({ value: { next: null } })
  })

  test('keeps the loaded movements when older ones fail to load', async () => {
    const { shop, page } = await openCharging()
    shop.history = Array.from({ length: 12 }, (_, at) => entry(12 - at))
    await page.history.loadHistory()
    shop.fault = () => 'network'
    await page.history.loadOlder()
    expect(page.history.$walletHistory.get()).toMatchObject({
      value: { older: { code: 'network' } },
    })
    shop.fault = () => undefined
    await page.history.loadOlder()
    expect(idsOf(page)).toHaveLength(12)
  })

  test('reports a failure to load', async () => {
    const { shop, page } = await openCharging()
    shop.fault = () => 'server_error'
    await page.history.loadHistory()
    expect(page.history.$walletHistory.get()).toMatchObject({ phase: 'failed' })
    shop.fault = () => undefined
    await page.history.loadHistory()
    expect(idsOf(page)).toEqual([])
  })
})
