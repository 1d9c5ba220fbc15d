import { codeOf } from '../database/start-error.ts'
import { GatewayError } from './gateway.ts'

export interface GatewayRequest {
  /** Names it in error messages; holds no secret and no personal data. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A gateway's answer. `body` is parsed JSON, undefined where it is not JSON. */
export interface GatewayAnswer {
  readonly status: number
  readonly body: unknown
}

/** The largest accepted answer, in bytes; no real answer needs as much. */
const ANSWER_MAX_BYTES = 256 * 1024

/** Sends one request; `signal` bounds all of it. A `GatewayError` quotes neither side's data. */
export async function askGateway(
  { name, method, url, headers, body }: GatewayRequest,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      body,
      signal,
      // The API key must not be sent to any address but the configured one.
      redirect: 'error',
    })
    return { status: response.status, body: parse(await readText(name, response)) }
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError(`${name}: ${reasonOf(error, signal)}`)
  }
}

async function readText(name: string, response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop ends the connection: the rest of the body is not received.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX_BYTES) throw new GatewayError(`${name}: the answer is too long`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer in time'
  const code = codeOf((error as { cause?: unknown }).cause)
  return code && /^[A-Z][A-Z_]+$/.test(code) ? `not reached (${code})` : 'not reached'
}
