import type * as s from 'superstruct'
import type { Feature } from '../rules/features.ts'
import type { ErrorCode } from './errors.ts'

/**
 * The callers that may make a call: `anyone`; a `user` with a valid token, who must match a `userId` in the
 * input; or `staff`, that is a `teacher` or an `admin`, with a token from the office's log-in. A
 * token from the shop's log-in is not accepted by the office's calls; for staff who need a second
 * factor, it is only accepted by the log-out.
 */
export type Caller = 'anyone' | 'user' | 'staff' | 'teacher' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

// biome-ignore lint/suspicious/noExplicitAny: the inner schema does not matter here
type AnyStruct<T> = s.Struct<T, any>

/** What a call takes and returns; `defineCall` adds its address and its callers. */
interface CallParts<Params, Query, Body, Result> {
  /** What it belongs to, if the specification does not have it: other backends may lack it. */
  readonly feature?: Feature
  /** Whether staff may make it before they have set up a required second factor. */
  readonly beforeSecondFactor?: boolean
  /** Whether it moves money and so needs an `Idempotency-Key` header. */
  readonly idempotent?: boolean
  /** The form of the body; JSON by default. */
  readonly takes?: 'json' | 'bytes'
  /** The largest body in bytes, where it differs from the general limit. */
  readonly takesAtMost?: number
  readonly params?: AnyStruct<Params>
  readonly query?: AnyStruct<Query>
  readonly body?: AnyStruct<Body>
  /**
   * The form of the answer; JSON by default. `redirect` is for a browser returning from a gateway.
   */
  readonly answers?: 'json' | 'text' | 'file' | 'redirect'
  readonly result: AnyStruct<Result>
  /** The errors besides those that every call can return (`call-errors.ts`). */
  readonly errors?: readonly ErrorCode[]
}

/** One call of the API: its input, its result and its callers. Paths are below `/api`. */
export interface Call<
  Params = undefined,
  Query = undefined,
  Body = undefined,
  Result = unknown,
  By extends Caller = Caller,
> extends CallParts<Params, Query, Body, Result> {
  readonly method: Method
  readonly path: `/${string}`
  readonly caller: By
}

// biome-ignore lint/suspicious/noExplicitAny: stands for a call of any shape
export type AnyCall = Call<any, any, any, any>

type Part<Name extends string, T> = [T] extends [undefined] ? unknown : { [K in Name]: T }

/** The input of a call: `params`, `query` and `body`, each only if the call has it. */
export type Input<C> =
  C extends Call<infer P, infer Q, infer B, infer _R>
    ? Part<'params', P> & Part<'query', Q> & Part<'body', B>
    : never

/** The result of a call. */
export type Result<C> = C extends Call<infer _P, infer _Q, infer _B, infer R> ? R : never

/** Declares a call by its method and path, such as `GET /carts/:id`, and by its callers. */
export function defineCall<
  P = undefined,
  Q = undefined,
  B = undefined,
  R = unknown,
  By extends Caller = Caller,
>(address: `${Method} /${string}`, caller: By, parts: CallParts<P, Q, B, R>): Call<P, Q, B, R, By> {
  const [method, path] = address.split(' ') as [Method, `/${string}`]
  return { method, path, caller, ...parts }
}

const OF_EVERY_CALL: readonly ErrorCode[] = ['invalid_input', 'too_many_requests', 'unavailable']

const OF_A_TOKEN: readonly ErrorCode[] = ['authentication_required', 'invalid_token']

const OF_THE_OFFICE: readonly ErrorCode[] = [
  ...OF_A_TOKEN,
  'office_log_in_required',
  'wrong_role',
  'second_factor_missing',
]

const OF_CALLERS: Readonly<Record<Caller, readonly ErrorCode[]>> = {
  anyone: [],
  user: OF_A_TOKEN,
  staff: OF_THE_OFFICE,
  teacher: OF_THE_OFFICE,
  admin: OF_THE_OFFICE,
}

const OF_A_KEY: readonly ErrorCode[] = ['idempotency_key_required', 'idempotency_conflict']

/**
 * The codes of the errors that these calls may return for a well-formed request, except unexpected
 * ones.
 */
export function errorCodesOf(...calls: readonly AnyCall[]): Set<ErrorCode> {
  return new Set(
    calls.flatMap(({ caller, idempotent, errors = [] }) => [
      ...OF_EVERY_CALL,
      ...OF_CALLERS[caller],
      ...(idempotent ? OF_A_KEY : []),
      ...errors,
    ]),
  )
}

/** The calls in a file of the contract. */
export const callsOf = (contract: object): AnyCall[] => Object.values(callsIn(contract))

/** The calls among the exports of the contract, by name. */
export function callsIn(contract: object): Record<string, AnyCall> {
  return Object.fromEntries(Object.entries(contract).filter(([, each]) => 'method' in Object(each)))
}
