import type { FastifyReply } from 'fastify'
import { type Failure, mask, type Struct, StructError } from 'superstruct'
import type { AnyCall, Caller, Input } from '../../contract/call.ts'
import { REASONS, type Reason } from '../../contract/values.ts'
import type { Deps } from '../deps.ts'
import { fault } from './errors.ts'
import { readKey } from './idempotency.ts'
import type { Limits } from './rate-limits.ts'
import type { Route, User, UserOf } from './route.ts'

export interface Incoming {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  /** The caller, as `admit` returned them. */
  readonly user: User | null
  readonly idempotencyKey: string | string[] | undefined
  readonly limits: Limits
  readonly reply: FastifyReply
}

/** Validates the input of an admitted caller, and calls the route; throws errors. */
export async function resultOf({ call, handler }: Route, deps: Deps, incoming: Incoming) {
  const { user } = incoming
  const key = call.idempotent ? readKey(incoming.idempotencyKey) : ''
  if (key && user && call.caller === 'user') incoming.limits.bound('payment', user.id)
  return handler({
    input: readInput(call, incoming),
    user: user as UserOf<Caller>,
    key,
    deps,
    limits: incoming.limits,
    reply: incoming.reply,
  })
}

function readInput<C extends AnyCall>(call: C, { params, query, body }: Incoming): Input<C> {
  const input: { params?: unknown; query?: unknown; body?: unknown } = {}
  if (call.params) input.params = checkInput(params, call.params, 'params')
  if (call.query) input.query = checkInput(query, call.query, 'query')
  if (call.body) {
    input.body = call.takes === 'bytes' ? readBytes(body) : checkInput(body, call.body, 'body')
  }
  return input as Input<C>
}

function readBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  throw fault('invalid_input', { fields: { body: 'required' } })
}

/** A part of a request; names the field if the whole value is wrong. */
export type Place = 'params' | 'query' | 'body'

const DEEPEST = 20
const MOST_FIELDS = 20

/**
 * Validates a part of a request against the contract: drops unknown keys, and converts digits to
 * numbers. Throws `invalid_input` with a reason for each field.
 */
export function checkInput<T>(value: unknown, struct: Struct<T>, place: Place): T {
  refuseUnstorable(value, place)
  try {
    return mask(place === 'query' ? withoutEmpty(value) : value, struct)
  } catch (error) {
    // superstruct prints the wrong value, which itself throws for `{"toString": 1}`.
    const failures = error instanceof StructError ? readFailures(error) : []
    throw fault('invalid_input', { fields: reasons(failures, place) })
  }
}

function readFailures(error: StructError): Failure[] {
  try {
    return error.failures().slice(0, MOST_FIELDS)
  } catch {
    return []
  }
}

function reasons(failures: readonly Failure[], place: Place): Record<string, Reason> {
  if (failures.length === 0) return { [place]: 'invalid' }
  const byField = new Map<string, Reason>()
  for (const failure of failures) {
    const field = failure.path.join('.').slice(0, 64) || place
    // The first broken rule counts, as in the forms.
    if (!byField.has(field)) byField.set(field, reasonOf(failure))
  }
  return Object.fromEntries(byField)
}

/**
 * The reason for a failure: our own rules put it into the message (`checked` of the contract);
 * those of superstruct are recognised by name.
 */
function reasonOf({ value, refinement, message }: Failure): Reason {
  if (value === undefined || value === null) return 'required'
  if (refinement === 'checked') return REASONS.find((reason) => reason === message) ?? 'invalid'
  return REASONS.find((reason) => reason === refinement) ?? 'invalid'
}

/** Removes empty fields, which a form sends as `?minPrice=`. */
function withoutEmpty(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

/** Refuses NUL, which PostgreSQL cannot store, and deep nesting, which no valid input has. */
function refuseUnstorable(value: unknown, place: Place): void {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    if ((typeof value === 'string' && value.includes('\0')) || depth > DEEPEST) {
      throw fault('invalid_input', { fields: { [place]: 'invalid' } })
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      waiting.push({ value: key, depth }, { value: inner, depth: depth + 1 })
    }
  }
}
