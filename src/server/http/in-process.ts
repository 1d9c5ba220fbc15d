import type { FastifyReply } from 'fastify'
import { type Api, ApiError, type Loose } from '../../client/api.ts'
import type { AnyCall, Result } from '../../contract/call.ts'
import { encode } from '../../contract/values.ts'
import type { Deps } from '../deps.ts'
import { type Incoming, resultOf } from './answer.ts'
import { answerTo } from './errors.ts'
import { type Identity, NOBODY } from './identity.ts'
import { admit } from './policies.ts'
import { ALLOWANCES, type Limits } from './rate-limits.ts'
import type { Route, User } from './route.ts'

/** Answers a call by its route, in this process: as over HTTP, without limits and JSON. */
function inProcess(routes: readonly Route[], deps: Deps, identity: Identity) {
  // Built pages bring their own copies of the calls.
  const byName = new Map(routes.map((route) => [nameOf(route.call), route]))
  return async (call: AnyCall, input: Omit<Incoming, 'user' | 'limits'>) => {
    const route = byName.get(nameOf(call))
    if (!route) throw new Error(`No route answers ${call.path}.`)
    const user = admit(call, identity, deps.config)
    return await resultOf(route, deps, { ...input, user, limits: NO_LIMITS })
  }
}

const nameOf = ({ method, path }: AnyCall) => `${method} ${path}`

/**
 * The API for pages that this process renders. It reads as nobody, since pages are shown to everyone:
 * a call for users is refused like any other without a token. The tests check the form of every
 * answer over HTTP, so it is not checked here. `onError` receives unexpected errors.
 */
export function apiOfPages(
  routes: readonly Route[],
  deps: Deps,
  onError: (error: unknown) => void,
): Api {
  const read = inProcess(routes, deps, NOBODY)
  return async (call, input) => {
    const { params, query } = input as Loose
    try {
      if (call.method !== 'GET') throw new Error('Pages only read.')
      const result = await read(call, {
        params,
        // The contract reads amounts as dinars.
        query: encode(call.query, query) ?? {},
        idempotencyKey: undefined,
        reply: NO_REPLY,
      })
      return result as Result<typeof call>
    } catch (error) {
      const { status, body, isUnexpected } = answerTo(error)
      if (isUnexpected) onError(error)
      throw new ApiError(status, body)
    }
  }
}

const NO_LIMITS: Limits = {
  turn: null,
  place: null,
  count: async () => async () => {},
  attempt: (_what, _subject, check) => check(),
  bound: () => {},
  chatMessages: ALLOWANCES.chatMessagesOfUser,
  mayLookUpReference: () => true,
}

// A page has its own headers; those that a route sets for its JSON are ignored.
const NO_REPLY = { header: () => NO_REPLY, headers: () => NO_REPLY } as unknown as FastifyReply

/** Makes a call: its input as HTTP would bring it, its result in the form of the API. */
export type Make = <C extends AnyCall>(call: C, input: object) => Promise<Result<C>>

/**
 * Makes calls as a user of this process, the operator: identity, validation, transactions and log
 * are those of HTTP, only limits are none. Files and texts are returned as they would be sent.
 */
export function callsAs(
  routes: readonly Route[],
  deps: Deps,
  user: User,
  idempotencyKey: string,
): Make {
  const make = inProcess(routes, deps, { kind: 'user', user })
  return async (call, input) => {
    let sent: unknown
    const send = (body: unknown) => {
      sent = body
      return reply
    }
    const chained = ['header', 'headers', 'type', 'code'].map((name) => [name, () => reply])
    const reply = { ...Object.fromEntries(chained), send, redirect: send } as FastifyReply
    const result = await make(call, {
      ...{ params: {}, query: {}, body: {}, ...input },
      idempotencyKey,
      reply,
    })
    return (sent ?? encode(call.result, result)) as Result<typeof call>
  }
}
