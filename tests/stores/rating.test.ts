import { beforeEach, describe, expect, test } from 'vitest'
import { aToken, emptyStorage, openPage, storage } from './browser.ts'
import { type FakeShop, fakeShop } from './fake-shop.ts'

let shop: FakeShop
beforeEach(() => {
  emptyStorage()
  shop = fakeShop()
})

const document = { kind: 'document', id: 12 } as const
const teacher = { kind: 'teacher', id: 2 } as const

describe('a rating', () => {
  test('is sent with user, subject, stars, comment and time, and with the token', async () => {
    storage.token = aToken()
    const { rating } = await openPage(shop)
    expect(await rating.submitRating(document, 4, 'Bien')).toMatchObject({
      kind: 'taken',
      rating: { rating: 4 },
    })
    expect(await rating.submitRating(teacher, 5, '')).toMatchObject({ kind: 'taken' })
    expect(shop.rated).toEqual([
      {
        user: { id: 7 },
        document: { id: 12 },
        rating: 4,
        comment: 'Bien',
        createdAt: expect.any(String),
      },
      {
        user: { id: 7 },
        teacher: { id: 2 },
        rating: 5,
        comment: '',
        createdAt: expect.any(String),
      },
    ])
    expect(shop.requests[0]?.headers.authorization).toMatch(/^Bearer /)
  })

  test('needs a log-in, then stars', async () => {
    const { rating } = await openPage(shop)
    expect(await rating.submitRating(document, 4, '')).toEqual({
      kind: 'refused',
      problem: 'logInToSubmit',
    })
    storage.token = aToken()
    const { rating: later } = await openPage(shop)
    for (const stars of [0, 6, 2.5]) {
      expect(await later.submitRating(document, stars, '')).toEqual({
        kind: 'refused',
        problem: 'noStars',
      })
    }
    expect(shop.requests).toEqual([])
  })

  test('reports what went wrong', async () => {
    storage.token = aToken()
    const { rating } = await openPage(shop)
    shop.unsold.add(12)
    expect(await rating.submitRating(document, 4, '')).toEqual({
      kind: 'refused',
      problem: 'notFound',
    })
    for (const [fault, problem] of [
      ['network', 'failed'],
      ['server_error', 'failed'],
      ['too_many_requests', 'failed'],
      ['invalid_token', 'logInToSubmit'],
    ] as const) {
      shop.fault = () => fault
      expect(await rating.submitRating(document, 4, '')).toEqual({ kind: 'refused', problem })
    }
  })

  test('is deleted; one that is already gone counts as deleted', async () => {
    storage.token = aToken()
    const { rating } = await openPage(shop)
    expect(await rating.removeRating(3)).toBe(true)
    expect(shop.requestsTo('DELETE /ratings/3')).toHaveLength(1)
    for (const [fault, isRemoved] of [
      ['network', false],
      ['server_error', false],
      ['not_found', true],
    ] as const) {
      shop.fault = () => fault
      expect(await rating.removeRating(3)).toBe(isRemoved)
    }
  })

  test('is not loaded while logged out, and a failure to load it is only logged', async () => {
    const { rating } = await openPage(shop)
    expect(await rating.readOwnRating(document)).toBeNull()
    storage.token = aToken()
    const { rating: later } = await openPage(shop)
    shop.fault = () => 'unavailable'
    expect(await later.readOwnRating(document)).toBeNull()
    expect(await later.readAverage(teacher)).toBeNull()
  })
})
