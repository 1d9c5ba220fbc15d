import type { FastifyInstance } from 'fastify'
import { COVER_FORMATS, COVER_WIDTHS } from '../../rules/cover.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { isKnown } from './byte-range.ts'
import { coversIn } from './covers.ts'

const NAME = /^([\da-f]{64})-(\d{2,4})\.(\w{3,4})$/

/** `/media/covers/<sha256>-<width>.<format>`: what is at such an address never changes. */
export async function coverRoutes(server: FastifyInstance, deps: Deps): Promise<void> {
  const covers = coversIn({ dataDir: deps.config.dataDir, files: deps.files })

  server.get<{ Params: { name: string } }>('/media/covers/:name', async (request, reply) => {
    const [, sha256, pixels, ending] = NAME.exec(request.params.name) ?? []
    const width = COVER_WIDTHS.find((known) => String(known) === pixels)
    const format = COVER_FORMATS.find((known) => known === ending)
    if (!sha256 || !width || !format) throw fault('not_found')
    const etag = `"${sha256.slice(0, 32)}-${width}-${format}"`
    const picture = await covers.picture(sha256, width, format)
    if (!picture) throw fault('not_found')
    reply.headers({
      etag,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(`image/${format}`).send(picture)
  })
}
