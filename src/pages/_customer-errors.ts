import { callsOf, errorCodesOf } from '../contract/call.ts'
import * as carts from '../contract/carts.ts'
import * as library from '../contract/library.ts'
import * as orders from '../contract/orders.ts'
import * as ratings from '../contract/ratings.ts'
import * as wallet from '../contract/wallet.ts'

/**
 * The error codes of customers' actions: buy, pay, read, rate and wish. The customers' pages
 * contain no other error sentences.
 */
export const CUSTOMER_ERRORS = errorCodesOf(
  ...[carts, library, orders, ratings, wallet].flatMap(callsOf),
)
