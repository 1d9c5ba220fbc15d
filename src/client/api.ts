import { array, create, type Struct, StructError, validate } from 'superstruct'
import type { AnyCall, Input, Result } from '../contract/call.ts'
import { type ErrorCode, NewPrices, OpenPayment } from '../contract/errors.ts'
import { encode } from '../contract/values.ts'
import type { Feature } from '../rules/features.ts'

export interface ApiRequest {
  method: AnyCall['method']
  /** Path and query, below `/api`. */
  path: string
  headers: Record<string, string>
  body?: string
  bytes?: Uint8Array<ArrayBuffer>
  /** Aborts the request when its result is no longer needed; the call then throws the reason. */
  signal?: AbortSignal
}

export interface ApiResponse {
  status: number
  body: unknown
}

/** Carries a request to a backend. */
export type Transport = (request: ApiRequest) => Promise<ApiResponse>

export interface CallOptions {
  token?: string | null
  /** The key of a call that moves money; a repeated call returns the stored result. */
  idempotencyKey?: string
  signal?: AbortSignal
}

/** Makes a call of the contract with its input checked, and its result; or throws an `ApiError`. */
export type Api = <C extends AnyCall>(
  call: C,
  input: Input<C>,
  options?: CallOptions,
) => Promise<Result<C>>

/**
 * The code of a failed call: one of the API's codes, or an unknown one of a newer API; `network`
 * when no answer came in time; `bad_answer` when the status is good but the body does not match the
 * contract; `unknown` when the answer has no code.
 */
export type ProblemCode = ErrorCode | 'network' | 'bad_answer' | 'unknown'

/** A failed call, with a stable code. The status is 0 when no answer came. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ProblemCode
  readonly fields: Record<string, string>
  /** `already_owned`, `already_ordered`: the titles that the buyer owns or has ordered. */
  readonly titles: readonly string[]
  /** `too_many_open_payments`: the open payments. */
  readonly payments: readonly OpenPayment[]
  /** `price_changed`: the current prices; undefined from a backend that does not say them. */
  readonly prices: NewPrices | undefined
  /** `terms_not_accepted`: the number of the terms in force. */
  readonly terms: unknown
  /** `done_before`: the contract's `DoneBefore`. */
  readonly done: unknown
  /** `unavailable`: whether it is certain that the call has moved no money. */
  readonly nothingCharged: boolean

  constructor(status: number, body: unknown) {
    const answer =
      typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
    super(typeof answer.message === 'string' ? answer.message : '')
    this.name = 'ApiError'
    this.status = status
    this.code = codeOf(status, answer.error)
    this.fields =
      typeof answer.fields === 'object' && answer.fields !== null
        ? (answer.fields as Record<string, string>)
        : {}
    this.titles = Array.isArray(answer.titles) ? answer.titles.map(String) : []
    const [, payments = []] = validate(answer.payments, array(OpenPayment), { coerce: true })
    this.payments = payments
    const [, prices] = validate(answer.prices, NewPrices, { coerce: true })
    this.prices = prices
    this.terms = answer.terms
    this.done = answer.done
    this.nothingCharged = answer.nothingCharged === true
  }
}

/**
 * The form of a code. Checking against the list of codes would load two kilobytes of sentences into
 * every browser.
 */
const CODE = /^[a-z]+(_[a-z]+)*$/

function codeOf(status: number, code: unknown): ProblemCode {
  if (status === 0) return 'network'
  if (status >= 200 && status <= 299) return 'bad_answer'
  return typeof code === 'string' && CODE.test(code) ? (code as ErrorCode) : 'unknown'
}

export type Loose = { params?: object; query?: object; body?: unknown }

export function requestFor(call: AnyCall, input: Loose, options: CallOptions = {}): ApiRequest {
  const params = input.params as Record<string, unknown> | undefined
  let path: string = call.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(encode(call.query, input.query) ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  if (query.size > 0) path += `?${query}`

  const headers: Record<string, string> = { accept: 'application/json' }
  if (options.token) headers.authorization = `Bearer ${options.token}`
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey
  const request: ApiRequest = { method: call.method, path, headers }
  if (call.takes === 'bytes') {
    headers['content-type'] = 'application/octet-stream'
    request.bytes = input.body as Uint8Array<ArrayBuffer>
  } else if (input.body !== undefined) {
    headers['content-type'] = 'application/json'
    request.body = JSON.stringify(encode(call.body, input.body))
  }
  if (options.signal) request.signal = options.signal
  return request
}

/** `lacks` says which features the backend does not have; their calls fail without being made. */
export function createApi(transport: Transport, lacks?: (feature: Feature) => boolean): Api {
  return async (call, input, options) => {
    if (call.feature && lacks?.(call.feature)) throw new ApiError(404, { error: 'not_found' })
    const response = await transport(requestFor(call, input as Loose, options))
    if (response.status < 200 || response.status > 299) {
      throw new ApiError(response.status, response.body)
    }
    try {
      return create(response.body, call.result as Struct<unknown>) as Result<typeof call>
    } catch (error) {
      if (!(error instanceof StructError)) throw error
      throw new ApiError(response.status, { message: `${call.path}: ${error.message}` })
    }
  }
}
