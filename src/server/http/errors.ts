import { ALL_ERRORS } from '../../contract/all-errors.ts'
import {
  type DoneBefore,
  ErrorBody,
  type ErrorCode,
  type NewPrices,
  type OpenPayment,
} from '../../contract/errors.ts'
import { encode, type Reason } from '../../contract/values.ts'
import { DatabaseUnavailable } from '../database/unavailable.ts'
import { StorageUnavailable } from '../files/files.ts'
import { AccountBusy, WorkersBusy } from '../workers/workers.ts'

interface FaultExtra {
  /** The mistakes by field; only with status 400. */
  readonly fields?: Readonly<Record<string, Reason>>
  /** For `already_owned`, `already_ordered`: the titles of those documents. */
  readonly titles?: readonly string[]
  /** For `too_many_open_payments`: the open payments. */
  readonly payments?: readonly OpenPayment[]
  /** For `price_changed`: the current prices. */
  readonly prices?: NewPrices
  /** For `terms_not_accepted`: the terms in force. */
  readonly terms?: number
  /** For `done_before`: by whom, and when. */
  readonly done?: DoneBefore
  /** For `unavailable`: it is certain that no money has moved. */
  readonly nothingCharged?: true
  /** Replaces the sentence of the code. */
  readonly message?: string
  /** Seconds after which the caller may try again; becomes `Retry-After`. */
  readonly retryAfter?: number
}

/** An error that the caller receives, with its stable code. */
export class ApiFault extends Error {
  readonly code: ErrorCode
  readonly extra: FaultExtra

  constructor(code: ErrorCode, extra: FaultExtra = {}) {
    super(extra.message ?? ALL_ERRORS[code].message)
    this.name = 'ApiFault'
    this.code = code
    this.extra = extra
  }
}

export function fault(code: ErrorCode, extra?: FaultExtra): ApiFault {
  return new ApiFault(code, extra)
}

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** In the form of the API: money in dinars. */
  readonly body: ErrorBody
  /** Whether the error was unexpected, and must be logged. */
  readonly isUnexpected: boolean
}

/** The answer for any error; an unexpected one reveals nothing. */
export function answerTo(error: unknown): ErrorAnswer {
  const known = error instanceof ApiFault ? error : translate(error)
  const { code, message, extra } = known ?? fault('server_error')
  const { status } = ALL_ERRORS[code]
  const body: ErrorBody = { status, error: code, message }
  if (extra.fields) body.fields = { ...extra.fields }
  if (extra.titles) body.titles = [...extra.titles]
  if (extra.payments) body.payments = [...extra.payments]
  if (extra.prices) body.prices = extra.prices
  if (extra.done) body.done = extra.done
  if (extra.terms) body.terms = extra.terms
  if (extra.nothingCharged) body.nothingCharged = true
  const retryAfter = extra.retryAfter ?? (status === 503 || status === 429 ? 5 : null)
  return {
    status,
    headers: retryAfter === null ? {} : { 'retry-after': String(retryAfter) },
    body: encode(ErrorBody, body),
    isUnexpected: known === null,
  }
}

// Fastify's own errors, by code or otherwise by status.
const FRAMEWORK: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_UNDER_PRESSURE: 'unavailable',
}
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  503: 'unavailable',
}

function translate(error: unknown): ApiFault | null {
  if (error instanceof DatabaseUnavailable) {
    return fault('unavailable', error.wroteNothing ? { nothingCharged: true } : {})
  }
  // Not 503: buyers are told that the shop is at fault, not that it is busy.
  if (error instanceof StorageUnavailable) return fault('server_error')
  if (error instanceof AccountBusy) return fault('too_many_requests')
  if (error instanceof WorkersBusy) return fault('unavailable')
  if (typeof error !== 'object' || error === null) return null
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const byCode = typeof code === 'string' ? FRAMEWORK[code] : undefined
  if (byCode) return fault(byCode)
  if (typeof statusCode !== 'number' || statusCode < 400) return null
  const byStatus = BY_STATUS[statusCode]
  if (byStatus) return fault(byStatus)
  return statusCode < 500 ? fault('invalid_input') : null
}
