import type { ApiError, ProblemCode } from '../../client/api.ts'
import type { DoneBefore, NewPrices, OpenPayment } from '../../contract/errors.ts'

export type { ProblemCode } from '../../client/api.ts'

/** The failure of a call, in the form that the interface translates. */
export interface Problem {
  code: ProblemCode
  /** The HTTP status; 0 without an answer. */
  status: number
  message: string
  /** The broken rules by field, only with status 400. */
  fields: Readonly<Record<string, string>>
  /** With `already_owned` and `already_ordered`: the titles of those documents. */
  titles?: readonly string[]
  /** With `too_many_open_payments`: the open payments. */
  payments?: readonly OpenPayment[]
  /** With `price_changed`: the current prices, where the backend says them. */
  prices?: NewPrices
  /** With `terms_not_accepted`: the number of the terms in force. */
  terms?: number
  /** With `done_before`: who did it, and when. */
  done?: DoneBefore
  /** With `unavailable`: it is certain that the call has moved no money. */
  nothingCharged?: boolean
}

/**
 * The problem behind anything that a call throws. An API error is recognised by its shape, so that
 * stores need not load the client; anything else means that the client could not be loaded, so
 * there is no network.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof Error && error.name === 'ApiError') {
    const { code, status, message, fields, titles, payments, prices, terms, done } =
      error as ApiError
    const { nothingCharged } = error as ApiError
    return {
      code,
      status,
      message,
      fields,
      ...(titles.length > 0 && { titles }),
      ...(payments && payments.length > 0 && { payments }),
      ...(code === 'price_changed' && prices && { prices }),
      ...(code === 'terms_not_accepted' && typeof terms === 'number' && { terms }),
      ...(code === 'done_before' && { done: done as DoneBefore }),
      ...(nothingCharged && { nothingCharged }),
    }
  }
  return { code: 'network', status: 0, message: String(error), fields: {} }
}

/** A refusal by the page itself, in the form of a server's refusal. */
export class Refusal extends Error implements Problem {
  override readonly name = 'ApiError'
  readonly code: ProblemCode
  readonly status: number
  readonly fields = {}
  readonly titles = []

  constructor(code: ProblemCode, status: number) {
    super(code)
    this.code = code
    this.status = status
  }
}

/**
 * Whether the server has definitely decided about the request. Without an answer, the request may
 * still have been carried out; after "not now" or "log in first" it may be repeated unchanged.
 */
export function isDecided({ status }: Problem): boolean {
  return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)
}

/** Logs a failure that need not be shown. */
export function logOnly(what: string): (error: unknown) => void {
  return (error) => console.warn(`${what}:`, problemOf(error).message)
}

/**
 * Any 401, even of another backend, except for a wrong password, which says nothing about the
 * token.
 */
export function isTokenRefused({ status, code }: Problem): boolean {
  return status === 401 && code !== 'wrong_credentials'
}

/** Why a preview or download failed; each problem has a sentence of its own. */
export type ReadingProblem =
  | 'not_logged_in'
  | 'preview_failed'
  | 'preview_not_loaded'
  | 'preview_empty'
  | 'download_failed'
  | 'download_forbidden'
  | 'download_not_found'
  | 'download_server_error'
  | 'download_file_missing'
