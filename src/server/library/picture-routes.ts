import type { FastifyInstance } from 'fastify'
import {
  COVER_FORMATS,
  COVER_WIDTHS,
  PORTRAIT_FORMATS,
  PORTRAIT_WIDTHS,
} from '../../rules/pictures.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { forPicture } from '../http/headers.ts'
import { inTime } from '../workers/workers.ts'
import { isKnown } from './byte-range.ts'
import { drawnPicture, type PictureKind } from './drawn-pictures.ts'

const NAME = /^([\da-f]{64})-(\d{2,4})\.(\w{3,4})$/

const SERVED = {
  covers: { widths: COVER_WIDTHS, formats: COVER_FORMATS },
  portraits: { widths: PORTRAIT_WIDTHS, formats: PORTRAIT_FORMATS },
} as const satisfies Record<PictureKind, object>

/**
 * `/media/covers/<sha256>-<width>.<format>` and portraits; the content of an address never changes.
 */
export async function pictureRoutes(server: FastifyInstance, deps: Deps): Promise<void> {
  for (const kind of Object.keys(SERVED) as PictureKind[]) {
    const { widths, formats } = SERVED[kind]

    server.get<{ Params: { name: string } }>(`/media/${kind}/:name`, async (request, reply) => {
      const [, sha256, pixels, ending] = NAME.exec(request.params.name) ?? []
      const width = widths.find((known) => String(known) === pixels)
      const format = formats.find((known) => known === ending)
      if (!sha256 || !width || !format) throw fault('not_found')
      const etag = `"${sha256.slice(0, 32)}-${width}-${format}"`
      const picture = await inTime(drawnPicture(deps, kind, { sha256, width, format }))
      if (!picture) throw fault('not_found')
      forPicture(reply)
      reply.headers({
        etag,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
      })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type(`image/${format}`).send(picture)
    })
  }
}
