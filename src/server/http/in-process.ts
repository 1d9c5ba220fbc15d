import type { FastifyReply } from 'fastify'
import type { AnyCall, Method, Result } from '../../contract/call.ts'
import type { Deps } from '../deps.ts'
import { answer, resultOf } from './answer.ts'
import { answerTo } from './errors.ts'
import { NOBODY } from './identity.ts'
import { ALLOWANCES, type Limits } from './rate-limits.ts'
import type { Route, User } from './route.ts'
import { createRouter } from './router.ts'

/**
 * The API for pages that this process renders: without network, JSON, limits, or the check of the
 * answer, which the tests apply to every call over HTTP. `path` is below /api and may have a query.
 */
export type InProcess = (request: {
  readonly method: Method
  readonly path: string
}) => Promise<{ readonly status: number; readonly body: unknown; readonly isResult?: boolean }>

/**
 * Returns only public data, since pages are shown to everyone; a call for users is refused like any
 * other without a token. `onError` receives unexpected errors.
 */
export function inProcess(
  routes: readonly Route[],
  deps: Deps,
  onError: (error: unknown) => void,
): InProcess {
  const readable = routes.filter(
    ({ call }) => call.method === 'GET' && (call.answers ?? 'json') === 'json',
  )
  const router = createRouter(readable)

  return async ({ method, path }) => {
    const [pathname = '', query = ''] = path.split('?', 2)
    const found = router.find(method, pathname)
    if (!found) return { status: 404, body: answerTo({ statusCode: 404 }).body }
    try {
      const body = await resultOf(found.route, deps, {
        params: found.params,
        query: Object.fromEntries(new URLSearchParams(query)),
        body: undefined,
        identity: NOBODY,
        idempotencyKey: undefined,
        limits: NO_LIMITS,
        reply: NO_REPLY,
      })
      return { status: 200, body, isResult: true }
    } catch (error) {
      const { status, body, isUnexpected } = answerTo(error)
      if (isUnexpected) onError(error)
      return { status, body }
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
export function callsAs(routes: readonly Route[], deps: Deps, user: User, key: string): Make {
  return async (call, input) => {
    const route = routes.find((each) => each.call === call)
    if (!route) throw new Error(`No route answers ${call.path}.`)
    let sent: unknown
    const send = (body: unknown) => {
      sent = body
      return reply
    }
    const chained = ['header', 'headers', 'type', 'code'].map((name) => [name, () => reply])
    const reply = { ...Object.fromEntries(chained), send, redirect: send } as FastifyReply
    const result = await answer(route, deps, {
      ...{ params: {}, query: {}, body: {}, ...input },
      identity: { kind: 'user', user },
      idempotencyKey: key,
      limits: NO_LIMITS,
      reply,
    })
    return (sent ?? result) as Result<typeof call>
  }
}
