import { type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { printableJson } from '../terminal.ts'

/** Where log lines go: standard output, nowhere, or to a stream (tests). */
export type LogTarget = 'stdout' | 'off' | { write(line: string): void }

const REDACTED = [
  'authorization',
  'password',
  'newPassword',
  'access_token',
  'accessToken',
  'token',
]

// Slower answers are logged (milliseconds).
const SLOW = 2000

/** Fastify's options for a short log without secrets: no headers, queries or bodies. */
export function logOptions(
  target: LogTarget,
): Pick<FastifyServerOptions, 'logger' | 'logController'> {
  if (target === 'off') return { logger: false }
  const out = target === 'stdout' ? process.stdout : target
  return {
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    logger: {
      level: 'warn',
      base: { process: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      stream: { write: (line) => void out.write(`${printableJson(line.trimEnd())}\n`) },
      redact: {
        paths: REDACTED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '…',
      },
      serializers: { req: describe },
    },
  }
}

/** A request in the log: its route, but not its address, since ids and query are private. */
function describe(request: FastifyRequest): Record<string, unknown> {
  return { method: request.method, route: request.routeOptions?.url ?? 'unknown', ip: request.ip }
}

export function logSlow(request: FastifyRequest, elapsedMs: number): void {
  if (elapsedMs > SLOW) request.log.warn({ req: request, ms: Math.round(elapsedMs) }, 'slow')
}
