import type { AnyCall, Caller } from './call.ts'
import type { ErrorCode } from './errors.ts'

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
export function callsOf(contract: object): AnyCall[] {
  return Object.values(contract).filter((each): each is AnyCall => 'method' in Object(each))
}
