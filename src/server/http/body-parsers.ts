import type { FastifyInstance } from 'fastify'
import { UPLOAD_PART_MAX_BYTES } from '../../rules/uploads.ts'

/** JSON or nothing at all; `__proto__` and `constructor.prototype` in it are refused. */
export function acceptJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients declare JSON on calls that have no body.
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

/** Raw bytes, for the routes of this scope alone. */
export function acceptBytesOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: UPLOAD_PART_MAX_BYTES },
    (_, body, done) => done(null, body),
  )
}
