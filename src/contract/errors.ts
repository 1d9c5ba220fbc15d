import {
  array,
  boolean,
  type Infer,
  nullable,
  number,
  optional,
  record,
  string,
  type,
} from 'superstruct'
import type { OfficeErrorCode } from './office-errors.ts'
import { dinarAmount, moment } from './values.ts'

/**
 * All errors that the shop's calls return, by stable code: the HTTP status and the sentence in
 * `message`. The interface translates by code. Errors that only the office uses are in
 * `OFFICE_ERRORS`.
 */
export const ERRORS = {
  invalid_input: { status: 400, message: 'The request is not valid.' },
  malformed_json: { status: 400, message: 'The request body is not valid JSON.' },
  idempotency_key_required: { status: 400, message: 'An Idempotency-Key header is required.' },
  authentication_required: { status: 401, message: 'Authentication token is required' },
  invalid_token: { status: 401, message: 'Authentication failed. Please log in again.' },
  wrong_credentials: { status: 401, message: 'Login failed' },
  forbidden: { status: 403, message: 'You may not do this for somebody else.' },
  account_blocked: {
    status: 403,
    message: 'This account is blocked. Please contact the shop.',
  },
  account_merged: {
    status: 403,
    message: 'This account was merged with another account of your family: log in with that one.',
  },
  not_permitted: {
    status: 403,
    message: 'You do not have permission to download this document.',
  },
  link_expired: { status: 403, message: 'Failed to load document preview.' },
  not_found: { status: 404, message: 'Not found.' },
  document_not_found: { status: 404, message: 'Document not found.' },
  teacher_not_found: { status: 404, message: 'Teacher not found.' },
  order_not_found: { status: 404, message: 'Order not found.' },
  payment_not_found: { status: 404, message: 'Payment not found.' },
  room_not_found: { status: 404, message: 'Conversation not found.' },
  user_not_found: { status: 404, message: 'User not found.' },
  method_not_allowed: { status: 405, message: 'This address does not take this method.' },
  registration_failed: { status: 409, message: 'Registration failed.' },
  insufficient_balance: {
    status: 409,
    message: 'wallet balance insufficient, please charge first',
  },
  already_owned: { status: 409, message: 'Some of these documents are already yours.' },
  already_ordered: {
    status: 409,
    message: 'Some of these documents are in an order that is waiting for payment.',
  },
  price_changed: { status: 409, message: 'The price has changed. Please check it again.' },
  method_not_offered: {
    status: 409,
    message: 'This payment method is not offered for this amount.',
  },
  no_gateway: {
    status: 409,
    message: 'The shop does not accept cards. Pay from the wallet, by bank transfer or by D17.',
  },
  no_account: {
    status: 409,
    message: 'This shop does not take transfers of this kind. Please pay another way.',
  },
  order_closed: { status: 409, message: 'This order can no longer be paid.' },
  order_paid: { status: 409, message: 'This order is paid and cannot be cancelled.' },
  nothing_to_pay: {
    status: 409,
    message: 'You already own all the documents of this order: there is nothing to pay.',
  },
  too_many_open_payments: {
    status: 409,
    message:
      'Several of your transfers have not arrived yet. Complete or cancel one of them first.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used for another request.',
  },
  cart_full: { status: 409, message: 'The cart is full.' },
  shelf_not_found: { status: 404, message: 'Shelf not found.' },
  shelf_name_taken: { status: 409, message: 'You already have a shelf with this name.' },
  shelves_full: { status: 409, message: 'There is no room for another shelf.' },
  wishlist_full: { status: 409, message: 'The wishlist is full.' },
  version_not_offered: {
    status: 410,
    message: 'This version of the document is no longer offered.',
  },
  payload_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'The request body must be JSON.' },
  range_not_satisfiable: { status: 416, message: 'The file ends before that.' },
  document_unreadable: {
    status: 422,
    message: 'The pages of this document cannot be shown. It can still be downloaded.',
  },
  too_many_requests: { status: 429, message: 'Too many requests. Please wait a moment.' },
  server_error: { status: 500, message: 'Server error. Please try again later.' },
  file_missing: {
    status: 500,
    message: 'Server error occurred. The file might be missing or inaccessible on the server.',
  },
  invalid_reset_token: {
    status: 400,
    message: 'Error resetting password. The token might be invalid or expired.',
  },
  invalid_confirmation_token: {
    status: 400,
    message: 'This link is not valid or has expired.',
  },
  gateway_unavailable: {
    status: 503,
    message: 'The payment could not be started. Please try again.',
  },
  unavailable: { status: 503, message: 'The shop is busy. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS | OfficeErrorCode

/** An open payment, as a refusal describes it; dates in ISO 8601. */
export const OpenPayment = type({
  paymentRef: string(),
  purpose: string(),
  method: string(),
  amount: dinarAmount(),
  orderId: nullable(number()),
  paymentUrl: nullable(string()),
  expiresAt: string(),
})
export type OpenPayment = Infer<typeof OpenPayment>

/** What the documents of a payment cost now, for a buyer who saw another total. */
export const NewPrices = type({
  /** What the call would charge now: the final prices of the documents that are not owned. */
  total: dinarAmount(),
  documents: array(
    type({
      id: number(),
      title: string(),
      price: dinarAmount(),
      /** The reduced price where one applies now. */
      priceDiscount: nullable(dinarAmount()),
      /** Whether the buyer owns it, so that it costs nothing. */
      isOwned: boolean(),
    }),
  ),
})
export type NewPrices = Infer<typeof NewPrices>

/** Which member of staff did it first, and when. */
export const DoneBefore = type({ by: string(), at: moment() })
export type DoneBefore = Infer<typeof DoneBefore>

/** The body of every error response. `fields` only with status 400: name → `Reason`. */
export const ErrorBody = type({
  status: number(),
  error: string(),
  message: string(),
  fields: optional(record(string(), string())),
  /** With `already_owned` and `already_ordered`: the titles that the buyer owns or has ordered. */
  titles: optional(array(string())),
  /** With `too_many_open_payments`: the open payments. */
  payments: optional(array(OpenPayment)),
  /** With `price_changed`: the prices of now. */
  prices: optional(NewPrices),
  /** With `done_before`: who did it, and when. */
  done: optional(DoneBefore),
})
export type ErrorBody = Infer<typeof ErrorBody>
