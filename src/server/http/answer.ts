import type { FastifyReply } from 'fastify'
import type { AnyCall, Caller, Input } from '../../contract/call.ts'
import { encode } from '../../contract/values.ts'
import type { Deps } from '../deps.ts'
import { fault } from './errors.ts'
import { readKey } from './idempotency.ts'
import type { Identity } from './identity.ts'
import { admit } from './policies.ts'
import type { Limits } from './rate-limits.ts'
import type { Route, UserOf } from './route.ts'
import { checkInput } from './validate.ts'

/** A request for a route, over HTTP or from a page of this process. */
export interface Incoming {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly identity: Identity
  readonly idempotencyKey: string | string[] | undefined
  readonly limits: Limits
  readonly reply: FastifyReply
}

/**
 * Identifies the caller, validates the input and calls the route. Returns its result in the form of
 * the API; throws errors.
 */
export async function answer(route: Route, deps: Deps, incoming: Incoming) {
  return encode(route.call.result, await resultOf(route, deps, incoming))
}

/** Like `answer`, with the result in the form that the route returns. */
export async function resultOf({ call, handler }: Route, deps: Deps, incoming: Incoming) {
  const user = admit(call, incoming.identity, deps.config)
  const key = call.idempotent ? readKey(incoming.idempotencyKey) : ''
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
