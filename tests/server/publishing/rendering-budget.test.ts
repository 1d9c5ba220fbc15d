import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Representation } from '../../../src/server/publishing/answers/representation.ts'
import {
  createRenderingBudget,
  createThrottle,
  TooManyRenderings,
  VISITORS,
} from '../../../src/server/publishing/rendering/rendering-budget.ts'
import { publishPages } from '../../../src/server/publishing/serving/published-pages.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { PATIENCE } from '../../support/patience.ts'
import { clientFor, openStore, renderInto } from './support.ts'

const aPage = (text: string) =>
  new Representation({ hash: text, headers: {}, bodies: { identity: Buffer.from(text) } })

const WORK = async () => 'done'

/**
 * A publisher that counts its renders; an attacker can vary the shop's searches. With `held`, those
 * take until it resolves.
 */
async function attacked(held: Promise<void> = Promise.resolve()) {
  let rendered = 0
  let atOnce = 0
  let most = 0
  const store = openStore(temporaryDirectory())
  const publisher = publishPages({
    store,
    files: () => false,
    unthrottled: { max: 100_000, windowMs: 10_000 },
    prerendered: new Map(['/busy', '/fr/busy'].map((path) => [path, aPage(path)])),
    isPage: (path) => /^(\/fr)?\/(shop|busy|shop-details\/\d+|payment\/.*)?$/.test(path),
    render: renderInto(store, async ({ path, search }) => {
      rendered++
      most = Math.max(most, ++atOnce)
      await new Promise(setImmediate)
      if (search) await held
      atOnce--
      const tags = path.startsWith('/payment/') ? [] : ['catalogue']
      return { status: 200, body: Buffer.from(`${path}${search}`), headers: {}, tags }
    }),
  })
  onTestFinished(() => publisher.stop())
  await publisher.renderAll(() => ['/'])
  const get = await clientFor((req, res) => publisher.handle(req, res))
  const from = (address: string, path: string) => get(path, { 'x-forwarded-for': address })
  const count = () => ({ rendered, most })
  return { publisher, from, count }
}

describe('visitors’ renders', () => {
  test('an address with ever new requests gets its share, then 429 in its language', async () => {
    const { from, count } = await attacked()
    const before = count().rendered
    const answers = []
    for (let n = 0; n < 300; n++) {
      answers.push(await from('198.51.100.7', `/fr/shop?search=${n}`))
    }
    const refused = answers.filter(({ status }) => status === 429)
    const { max } = VISITORS.allowance
    expect(count().rendered - before).toBeLessThanOrEqual(2 * max)
    expect(refused.length).toBeGreaterThanOrEqual(300 - 2 * max)
    expect(refused[0]?.headers).toMatchObject({ 'retry-after': '10', 'cache-control': 'no-store' })
    expect(refused[0]?.body.toString()).toBe('/fr/busy')
    // Stored pages are free for all, and others have a share of their own.
    expect((await from('198.51.100.7', '/?x=1')).status).toBe(200)
    expect((await from('203.0.113.1', '/shop?search=mine')).status).toBe(200)
  })

  test('let a school see a change of every page: its address has many at once', async () => {
    const { publisher, from } = await attacked()
    const paths = Array.from({ length: 60 }, (_, n) => `/shop-details/${n}1`)
    await publisher.renderAll(() => paths)
    await publisher.everythingChanged()
    const answers = await Promise.all(paths.map((path) => from('198.51.100.7', path)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('are limited less strictly per /64 network than per address', async () => {
    const { from } = await attacked()
    let refused = 0
    for (let n = 0; n < 200; n++) {
      const { status } = await from(`2001:db8::${n.toString(16)}`, `/shop?search=${n}`)
      if (status === 429) refused++
    }
    expect(refused).toBeGreaterThanOrEqual(200 - 2 * VISITORS.allowance.max)
    expect((await from('2001:db8:0:1::1', '/shop?search=other')).status).toBe(200)
  })

  test('are limited in concurrency, and so is their queue', async () => {
    const { from, count } = await attacked()
    const statuses = await Promise.all(
      Array.from({ length: 400 }, async (_, n) => {
        const { status } = await from(`203.0.113.${n % 250}`, `/shop?search=${n}`)
        return status
      }),
    )
    expect(count().most).toBeLessThanOrEqual(VISITORS.atOnce)
    expect(new Set(statuses)).toContain(200)
    expect([200, 429]).toEqual(expect.arrayContaining([...new Set(statuses)]))
  })

  test('keep a reserve for payment steps, while everybody else is refused', async () => {
    const held = Promise.withResolvers<void>()
    const { from } = await attacked(held.promise)
    const flood = Array.from({ length: VISITORS.atOnce + VISITORS.waiting + 50 }, (_, n) =>
      from(`203.0.${n >> 8}.${n & 255}`, `/shop?search=${n}`),
    )
    expect((await Promise.race(flood)).status).toBe(429)
    const visitor = await from('198.51.100.1', '/shop?search=mine')
    expect(visitor.status).toBe(429)
    const paying = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        from(`198.51.100.${n}`, `/payment/transfer/KR-0000-000${n % 10}`),
      ),
    )
    expect(new Set(paying.map(({ status }) => status))).toEqual(new Set([200]))
    held.resolve()
    await Promise.all(flood)
  })
})

test('an address with more requests than people make is delayed, others are not', async () => {
  let now = 0
  const slowDown = createThrottle({ max: 3, windowMs: 1000 }, () => now)
  for (let n = 0; n < 3; n++) expect(slowDown('a')).toBeUndefined()
  const held = slowDown('a')
  expect(held).toBeInstanceOf(Promise)
  expect(slowDown('b')).toBeUndefined()
  await held
  now = 1001
  expect(slowDown('a')).toBeUndefined()
  // The queue is no longer than its memory is worth.
  for (let n = 0; n < 2; n++) slowDown('a')
  const waits = Array.from({ length: 5000 }, () => slowDown('a'))
  expect(waits.filter(Boolean)).toHaveLength(1000)
  await Promise.all(waits)
})

describe('a budget', () => {
  const bounds = { atOnce: 2, waiting: 3, waitingOfOne: 2, allowance: { max: 4, windowMs: 1000 } }

  test('starts an address afresh when its window is over', async () => {
    let now = 0
    const budget = createRenderingBudget(bounds, () => now)
    for (let n = 0; n < 4; n++) expect(await budget.run('a', WORK)).toBe('done')
    await expect(budget.run('a', WORK)).rejects.toThrow(TooManyRenderings)
    expect(await budget.run('b', WORK)).toBe('done')
    now = 1001
    expect(await budget.run('a', WORK)).toBe('done')
  })

  test('gives addresses their turns one after the other', async () => {
    const budget = createRenderingBudget({ ...bounds, waiting: 10, waitingOfOne: 10 })
    const begun: string[] = []
    const run = (address: string) => budget.run(address, async () => void begun.push(address))
    await Promise.all([...Array.from({ length: 4 }, () => run('a')), run('b'), run('c')])
    expect(begun.join('')).toBe('aaabca')
  })

  test('bounds the queue, in total and per address, and forgets failed ones', async () => {
    const budget = createRenderingBudget(bounds)
    const ends: (() => void)[] = []
    const held = () => new Promise<string>((_, fail) => ends.push(() => fail(new Error('broken'))))
    const runs = ['a', 'a', 'b', 'c', 'd'].map((address) => budget.run(address, held))
    const failed = Promise.allSettled(runs)
    await expect(budget.run('a', WORK)).rejects.toThrow(TooManyRenderings)
    await expect(budget.run('e', WORK)).rejects.toThrow(TooManyRenderings)
    await expect(budget.run(null, WORK)).rejects.toThrow(TooManyRenderings)
    for (let n = 0; n < 5; n++) {
      await vi.waitFor(() => expect(ends).not.toEqual([]), PATIENCE)
      ends.shift()?.()
    }
    await failed
    expect(budget.isIdle()).toBe(true)
    expect(await budget.run('a', WORK)).toBe('done')
  })
})
