import type { FastifyInstance } from 'fastify'
import { UPLOAD_PART_MAX_BYTES } from '../../rules/uploads.ts'

/** JSON or an empty body; refuses `__proto__` and `constructor.prototype`. */
export function acceptJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients declare JSON even on calls without a body.
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

/** Raw bytes, only for the routes of this scope. */
export function acceptBytesOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: UPLOAD_PART_MAX_BYTES },
    (_, body, done) => done(null, body),
  )
}
