import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { AnyCall, Caller, Input, Result } from '../../contract/call.ts'
import type { Deps } from '../deps.ts'
import type { User } from './identity.ts'
import type { Limits } from './rate-limits.ts'

export type { User } from './identity.ts'

/**
 * The caller of a route, by the policy of its call; always a teacher with a public page for
 * `teacher` calls.
 */
export type UserOf<By extends Caller> = By extends 'anyone'
  ? User | null
  : By extends 'teacher'
    ? User & { readonly teacherId: number }
    : User

export interface RouteContext<C extends AnyCall> {
  /** Checked against the contract. */
  readonly input: Input<C>
  /** Null only for `anyone` calls without a valid token. */
  readonly user: UserOf<C['caller']>
  /** The `Idempotency-Key`, for calls that declare `idempotent`; else ''. */
  readonly key: string
  readonly deps: Deps
  /** For actions that must not be tried too often, such as entering passwords. */
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
   * For an address to which browsers are redirected: returns the page that they go to if anything
   * fails (bad input, limits, overload), from the raw query. Browsers are never shown JSON.
   */
  readonly landing?: (query: unknown) => string
}

export function route<C extends AnyCall>(
  call: C,
  handler: Handler<C>,
  landing?: Route['landing'],
): Route {
  return { call, handler: handler as unknown as Handler<AnyCall>, ...(landing && { landing }) }
}

/** From where a request comes; both are '' for the command line, and for pages of this process. */
export interface Origin {
  readonly userAgent: string
  readonly address: string
}

export const originOf = ({ request }: FastifyReply): Origin => ({
  userAgent: request?.headers['user-agent'] ?? '',
  address: request?.ip ?? '',
})

export function pageOf<T>(
  content: T[],
  { total, page, size }: { total: number; page: number; size: number },
) {
  return {
    content,
    totalElements: total,
    totalPages: Math.ceil(total / size),
    number: page,
    size,
  }
}

export function csvFile(reply: FastifyReply, name: string, csv: string | Readable): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'private, no-store')
    .send(csv)
}
