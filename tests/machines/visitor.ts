import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Api, ApiError, createApi } from '../../src/client/api.ts'
import type { AnyCall, Input, Result } from '../../src/contract/call.ts'

/** How long a visitor waits for an answer, and before sending a call again, in milliseconds. */
const ANSWER_MS = 20_000
const AGAIN_MS = 300

/** An answer to a request, or its lack. */
export interface Answer {
  readonly what: string
  /** When it was sent, and when answered, in milliseconds of `performance.now()`. */
  readonly sent: number
  readonly at: number
  /** The HTTP status; 0 if the connection was lost, refused or silent. */
  readonly status: number
}

/** All answers to all visitors, in their order. */
export type Answers = Answer[]

export type Visitor = ReturnType<typeof openVisitor>

/** Somebody with an address of their own, who sends requests to `url`; `answers` gets each answer. */
export function openVisitor(url: string, address: string, answers: Answers) {
  const agent = new Agent({ keepAlive: true, localAddress: address })

  async function send(
    what: string,
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {},
  ): Promise<{ status: number; text: string }> {
    const sent = performance.now()
    const answer = await new Promise<{ status: number; text: string }>((resolve) => {
      const lost = () => resolve({ status: 0, text: '' })
      const { method = 'GET', headers, body } = init
      const sending = request(url + path, {
        agent,
        method,
        headers: {
          host: 'shop.example',
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      sending.on('error', lost)
      sending.on('response', (response: IncomingMessage) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', lost)
      })
      sending.end(body)
    })
    answers.push({ what, sent, at: performance.now(), status: answer.status })
    return answer
  }

  const apiFor = (what: string): Api =>
    createApi(async ({ method, path, headers, body, bytes }) => {
      const given = bytes ?? body
      const { status, text } = await send(what, `/api${path}`, {
        method,
        headers,
        ...(given !== undefined && { body: given }),
      })
      const isJson = text.startsWith('{') || text.startsWith('[')
      return { status, body: isJson ? JSON.parse(text) : text || null }
    })

  return {
    /** Asks for a page; resolves to its HTML, or null. */
    async page(path: string): Promise<string | null> {
      const { status, text } = await send('price page', path)
      return status === 200 ? text : null
    },
    /** Asks for a page as browsers do, compressed, without reading it. */
    look: (path: string) => send('page', path, { headers: { 'accept-encoding': 'br' } }),
    /**
     * Makes a call until it is answered, as our pages do; throws the shop's refusal. Null once
     * `isOver`: the shop may have done it or not.
     */
    async call<C extends AnyCall>(
      what: string,
      call: C,
      input: Input<C>,
      {
        isOver = () => false,
        ...options
      }: { token?: string; key?: string; isOver?: () => boolean } = {},
    ): Promise<Result<C> | null> {
      const { token, key } = options
      for (;;) {
        try {
          return await apiFor(what)(call, input, {
            ...(token && { token }),
            ...(key && { idempotencyKey: key }),
          })
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          const isRefused = error.status >= 400 && error.status <= 499
          if (isRefused) throw new Error(`${what}: ${error.status} ${error.code}`)
          if (isOver()) return null
        }
        await wait(AGAIN_MS)
      }
    },
    leave: () => agent.destroy(),
  }
}
