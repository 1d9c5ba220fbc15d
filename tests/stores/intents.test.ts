import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../src/client/api.ts'
import type { NewIntent } from '../../src/stores/payment/intents.ts'
import { emptyStorage, storage } from './browser.ts'

beforeEach(() => emptyStorage())

/** The store of a page that was just opened. */
async function openPage() {
  vi.resetModules()
  return import('../../src/stores/payment/intents.ts')
}

const aTopUp = { purpose: 'top_up', userId: 7, about: '20000', body: { amount: 20_000 } } as const
const refused = (status: number, error: string) => new ApiError(status, { error })

/** Tries once; returns the key it was sent under and the outcome. */
async function attempt(wanted: NewIntent<object> = aTopUp, failure?: Error) {
  const { withIntent } = await openPage()
  const sent: { key: string; body: object }[] = []
  const outcome = await withIntent(wanted, async (body, { idempotencyKey }) => {
    sent.push({ key: idempotencyKey, body })
    if (failure) throw failure
    return 'answered'
  }).catch((error: unknown) => error)
  return { ...sent[0], outcome }
}

describe('an intent', () => {
  test.each([
    ['no answer', refused(0, '')],
    ['an unreadable response', refused(200, '')],
    ['an overloaded shop', refused(503, 'unavailable')],
    ['too many requests', refused(429, 'too_many_requests')],
    ['a session that ended', refused(401, 'invalid_token')],
  ])('keeps its key and body across reloads after %s', async (_, failure) => {
    const first = await attempt(aTopUp, failure)
    expect(first.outcome).toBe(failure)
    // Saved in dinars, as before the page used millimes.
    expect(JSON.parse(storage.intents ?? '[]')).toMatchObject([{ body: { amount: 20 } }])
    const again = await attempt({ ...aTopUp, body: { amount: 20_000, returnTo: '/elsewhere' } })
    expect(again).toEqual({ key: first.key, body: { amount: 20_000 }, outcome: 'answered' })
    expect(storage.intents).toBeUndefined()
  })

  test.each([
    ['an answer', undefined],
    ['a refusal', refused(409, 'insufficient_balance')],
  ])('ends with %s: the same request is a new intent', async (_, failure) => {
    const first = await attempt(aTopUp, failure)
    expect((await attempt()).key).not.toBe(first.key)
  })

  test('is another one for another amount, user or purpose', async () => {
    const lost = refused(0, '')
    const wishes = [
      aTopUp,
      { ...aTopUp, about: '50000' },
      { ...aTopUp, userId: 8 },
      { ...aTopUp, purpose: 'direct_pay' as const },
    ]
    const keys = []
    for (const wish of wishes) keys.push((await attempt(wish, lost)).key)
    expect(new Set(keys).size).toBe(4)
    for (const [index, wish] of wishes.entries()) {
      expect((await attempt(wish)).key).toBe(keys[index])
    }
  })

  test('is repeated for a day, then forgotten', async () => {
    vi.useFakeTimers()
    const first = await attempt(aTopUp, refused(0, ''))
    vi.advanceTimersByTime(23 * 3_600_000)
    expect((await attempt(aTopUp, refused(0, ''))).key).toBe(first.key)
    vi.advanceTimersByTime(3_600_001)
    expect((await attempt()).key).not.toBe(first.key)
    vi.useRealTimers()
  })

  test.each(['x', '{}', '[null, 1, {"key":"short"}]', '[{"key":7}]'])(
    'that is corrupt is ignored: %s',
    async (text) => {
      storage.intents = text
      expect((await attempt()).key).toMatch(/^[\da-f]{32}$/)
    },
  )
})
