import { expect, test } from 'vitest'
import * as limits from '../../src/rules/limits.ts'
import * as savedKeys from '../../src/rules/saved-keys.ts'

test('the constants are those of section 9 of the specification', () => {
  expect(limits).toMatchObject({
    MIN_TOP_UP: 10_000,
    MAX_TOP_UP: 2_000_000,
    TOP_UP_PRESETS: [10_000, 20_000, 50_000, 100_000, 200_000],
    SMALL_PURCHASE_BELOW: 10_000,
    BANK_TRANSFER_ABOVE: 10_000,
    PAGE_SIZE: 12,
    PAGE_SIZE_MAX: 100,
    BESTSELLERS_SHOWN: 3,
    RELATED_DOCUMENTS: 3,
    TEACHER_BOOKS_STEP: 5,
    CART_PREVIEW_ITEMS: 3,
    SUGGESTIONS_MAX: 5,
    SEARCH_DEBOUNCE_MS: 300,
    CART_TOAST_MS: 5000,
    LOADER_MIN_DURATION_MS: 100,
    LOADER_FADE_OUT_MS: 200,
    LOADER_Z_INDEX: 9999,
    PASSWORD_MIN_LENGTH: 6,
    RESET_REDIRECT_MS: 3000,
    CHAT_PREVIEW_LENGTH: 30,
    CHAT_RECONNECT_MS: 5000,
    CHAT_MESSAGE_MAX_LENGTH: 4000,
    CHAT_MESSAGES_PER_MINUTE: 30,
    RELATIVE_TIME_MAX_MS: 604_800_000,
    MOBILE_BREAKPOINT: 768,
    BREAKPOINTS: [640, 768, 1024, 1280],
    SLIDER_INTERVAL_MS: 3000,
    FEATURED_SLIDER_INTERVAL_MS: 4000,
    DEFAULT_RETURN_TO: '/shop',
    DIRECT_PAYMENT_METHODS: { home: 'direct', shop: 'direct', details: 'card' },
    UNKNOWN_AUTHOR: 'Unknown Author',
  })
  expect(Object.values(savedKeys)).toEqual(
    expect.arrayContaining(['token', 'anonymous_cart', 'session_id', 'static_cart']),
  )
})
