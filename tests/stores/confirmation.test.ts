import { beforeEach, expect, test } from 'vitest'
import { aToken, emptyStorage, openPage, storage } from './browser.ts'
import { type FakeShop, fakeShop } from './fake-shop.ts'

let shop: FakeShop
beforeEach(() => {
  emptyStorage()
  shop = fakeShop()
})

test('a token alone confirms an address, and a second use says that it is confirmed already', async () => {
  const { confirmation } = await openPage(shop)
  expect(await confirmation.confirmAddress('fresh')).toEqual({ kind: 'confirmed' })
  expect(await confirmation.confirmAddress('used')).toEqual({ kind: 'already' })
  for (const code of ['invalid_confirmation_token', 'too_many_requests', 'network'] as const) {
    shop.fault = () => code
    expect(await confirmation.confirmAddress('x')).toEqual({ kind: 'refused', code })
  }
})

test('a logged-in user can request the link again', async () => {
  storage.token = aToken()
  const { confirmation } = await openPage(shop)
  expect(await confirmation.askForConfirmationLink()).toBe('sent')
  expect(shop.requests[0]?.headers.authorization).toMatch(/^Bearer /)
  shop.isConfirmed = true
  expect(await confirmation.askForConfirmationLink()).toBe('already')
  for (const [code, outcome] of [
    ['too_many_requests', 'tooMany'],
    ['unavailable', 'failed'],
    ['network', 'failed'],
  ] as const) {
    shop.fault = () => code
    expect(await confirmation.askForConfirmationLink()).toBe(outcome)
  }
})
