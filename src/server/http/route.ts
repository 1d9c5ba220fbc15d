import type { FastifyReply } from 'fastify'
import type { AnyCall, Input, Result } from '../../contract/call.ts'
import type { AccountRole } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import type { Limits } from './rate-limits.ts'

/** Who the token says is calling; nothing else in a request is believed about it. */
export interface User {
  readonly id: number
  readonly role: AccountRole
  /** The token itself, so that logging out can end it. */
  readonly tokenId: string
  /** Seconds since 1970. */
  readonly tokenExpiry: number
}

export interface RouteContext<C extends AnyCall> {
  /** Checked against the contract. */
  readonly input: Input<C>
  /** Always there for `user` calls; for `anyone` calls only when a valid token came along. */
  readonly user: C['caller'] extends 'user' ? User : User | null
  /** The `Idempotency-Key`, for calls that declare `idempotent`; else ''. */
  readonly key: string
  readonly deps: Deps
  /** For what must not be tried too often, such as passwords. */
  readonly limits: Limits
  /** For files and their headers; JSON answers are returned instead. */
  readonly reply: FastifyReply
}

export type Handler<C extends AnyCall> = (
  context: RouteContext<C>,
) => Promise<Result<C> | FastifyReply>

export interface Route {
  readonly call: AnyCall
  readonly handler: Handler<AnyCall>
  /**
   * For an address that browsers are sent to: the page of the site that they go on to when anything
   * fails (bad input, limits, overload), from the query as it came. They are never shown JSON.
   */
  readonly landing?: (query: unknown) => string
}

/** Binds a call of the contract to what answers it. */
export function route<C extends AnyCall>(
  call: C,
  handler: Handler<C>,
  landing?: Route['landing'],
): Route {
  return { call, handler: handler as unknown as Handler<AnyCall>, ...(landing && { landing }) }
}
