import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { transaction } from '../../../src/server/database/transaction.ts'
import { canonicalJson, once } from '../../../src/server/http/idempotency.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

function tryOnce<T>(userId: number, key: string, request: unknown, run: () => Promise<T>) {
  return transaction(app.deps.database, (tx) => once(tx, { userId, key, request }, run))
}

describe('once', () => {
  test('runs the first time and gives the same response ever after', async () => {
    const { id } = await app.aCustomer()
    const run = vi.fn(async () => ({ status: 'SUCCESS', excludedDocuments: [] }))
    const first = await tryOnce(id, 'k', ['/pay', { a: 1, b: 2 }], run)
    expect(await tryOnce(id, 'k', ['/pay', { b: 2, a: 1 }], run)).toEqual(first)
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('runs once among twenty concurrent calls, and all get its response', async () => {
    const { id } = await app.aCustomer()
    let runs = 0
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tryOnce(id, 'k', 'same', async () => ({ run: ++runs }))),
    )
    expect(runs).toBe(1)
    expect(answers).toEqual(Array(20).fill({ run: 1 }))
  })

  test('refuses another request under the same key', async () => {
    const { id } = await app.aCustomer()
    await tryOnce(id, 'k', ['/pay', { documentIds: [1] }], async () => 'paid')
    for (const request of [
      ['/pay', { documentIds: [2] }],
      ['/other', { documentIds: [1] }],
    ]) {
      const another = tryOnce(id, 'k', request, async () => 'paid')
      await expect(another).rejects.toMatchObject({ code: 'idempotency_conflict' })
    }
  })

  test('scopes a key to its user', async () => {
    const [one, two] = [await app.aCustomer(), await app.aCustomer()]
    expect(await tryOnce(one.id, 'k', 'same', async () => 1)).toBe(1)
    expect(await tryOnce(two.id, 'k', 'same', async () => 2)).toBe(2)
  })

  test('frees the key of a failed request', async () => {
    const { id } = await app.aCustomer()
    const failing = tryOnce(id, 'k', 'same', () => Promise.reject(new Error('no money')))
    await expect(failing).rejects.toThrow('no money')
    expect(await tryOnce(id, 'k', 'another', async () => 'paid')).toBe('paid')
  })

  test('repeats an empty response as well', async () => {
    const { id } = await app.aCustomer()
    await tryOnce(id, 'k', 'same', async () => undefined)
    expect(await tryOnce(id, 'k', 'same', async () => 'again')).toBeNull()
  })
})

describe('canonicalJson', () => {
  test('is equal for equal values, and different for different ones', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
        const reordered = JSON.parse(JSON.stringify(one), (_, value) =>
          value && typeof value === 'object' && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).reverse())
            : value,
        )
        expect(canonicalJson(reordered)).toBe(canonicalJson(one))
        expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(one)))
        const asSent = (value: unknown) => JSON.parse(JSON.stringify(value))
        expect(canonicalJson(one) === canonicalJson(two)).toBe(
          isDeepStrictEqual(asSent(one), asSent(two)),
        )
      }),
    )
  })
})
