import { expect, test } from 'vitest'
import { RELATIVE_TIME_MAX_MS } from '../../src/i18n/relative.ts'
import { LOADER_FADE_OUT_MS, LOADER_MIN_DURATION_MS } from '../../src/rules/durations.ts'
import { CART_PREVIEW_ITEMS } from '../../src/rules/opened-cart.ts'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '../../src/rules/pager.ts'
import { PASSWORD_MIN_LENGTH } from '../../src/rules/password-strength.ts'
import {
  BANK_TRANSFER_ABOVE,
  DIRECT_PAYMENT_METHODS,
  MAX_TOP_UP,
  MIN_TOP_UP,
  SMALL_PURCHASE_BELOW,
  TOP_UP_PRESETS,
} from '../../src/rules/payment-methods.ts'
import { CHAT_PREVIEW_LENGTH } from '../../src/rules/preview-text.ts'
import { DEFAULT_RETURN_TO } from '../../src/rules/return-to.ts'
import { CHAT_MESSAGE_MAX_LENGTH, CHAT_RECONNECT_MS } from '../../src/rules/room.ts'
import * as savedKeys from '../../src/rules/storage-keys.ts'
import { SUGGESTIONS_MAX } from '../../src/rules/suggestions.ts'

test('the limits match what the shop promises', () => {
  expect({
    MAX_TOP_UP,
    MIN_TOP_UP,
    TOP_UP_PRESETS,
    SMALL_PURCHASE_BELOW,
    BANK_TRANSFER_ABOVE,
    DIRECT_PAYMENT_METHODS,
    PAGE_SIZE,
    PAGE_SIZE_MAX,
    CART_PREVIEW_ITEMS,
    SUGGESTIONS_MAX,
    PASSWORD_MIN_LENGTH,
    CHAT_PREVIEW_LENGTH,
    CHAT_RECONNECT_MS,
    CHAT_MESSAGE_MAX_LENGTH,
    RELATIVE_TIME_MAX_MS,
    DEFAULT_RETURN_TO,
    LOADER_FADE_OUT_MS,
    LOADER_MIN_DURATION_MS,
  }).toEqual({
    MIN_TOP_UP: 10_000,
    MAX_TOP_UP: 2_000_000,
    TOP_UP_PRESETS: [10_000, 20_000, 50_000, 100_000, 200_000],
    SMALL_PURCHASE_BELOW: 10_000,
    BANK_TRANSFER_ABOVE: 10_000,
    PAGE_SIZE: 12,
    PAGE_SIZE_MAX: 100,
    CART_PREVIEW_ITEMS: 3,
    SUGGESTIONS_MAX: 5,
    LOADER_MIN_DURATION_MS: 100,
    LOADER_FADE_OUT_MS: 200,
    PASSWORD_MIN_LENGTH: 6,
    CHAT_PREVIEW_LENGTH: 30,
    CHAT_RECONNECT_MS: 5000,
    CHAT_MESSAGE_MAX_LENGTH: 4000,
    RELATIVE_TIME_MAX_MS: 604_800_000,
    DEFAULT_RETURN_TO: '/shop',
    DIRECT_PAYMENT_METHODS: { home: 'direct', shop: 'direct', details: 'card' },
  })
  expect(Object.values(savedKeys)).toEqual(
    expect.arrayContaining(['token', 'anonymous_cart', 'session_id', 'static_cart']),
  )
})
