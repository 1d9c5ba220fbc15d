import type { Feature } from '../rules/features.ts'
import { type Api, createApi } from './api.ts'
import { httpTransport } from './http.ts'

// The API and the calls of the shop's stores, which load this module when they first need the
// backend.

/**
 * Opens the API; `onTime` hears the server's clock, as `HttpOptions` says, and `lacks` says which
 * features the backend does not have.
 */
export const openApi = (
  onTime: (said: number) => void,
  lacks: (feature: Feature) => boolean,
): Api => createApi(httpTransport('', { onTime }), lacks)

export * as accounts from '../contract/accounts.ts'
export * as carts from '../contract/carts.ts'
export * as wishlists from '../contract/carts.ts'
export * as catalogue from '../contract/catalogue.ts'
export * as chat from '../contract/chat.ts'
export * as corrections from '../contract/corrections.ts'
export * as discountCodes from '../contract/discount-codes.ts'
export * as following from '../contract/following.ts'
export * as invoices from '../contract/invoices.ts'
export * as library from '../contract/library.ts'
export * as shelves from '../contract/library.ts'
export * as marks from '../contract/marks.ts'
export * as orders from '../contract/orders.ts'
export * as ownAccount from '../contract/own-account.ts'
export * as ratings from '../contract/ratings.ts'
export * as reading from '../contract/reading.ts'
export * as reports from '../contract/reports.ts'
export * as wallet from '../contract/wallet.ts'
