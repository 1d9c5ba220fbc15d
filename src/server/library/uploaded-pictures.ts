import type { FastifyInstance } from 'fastify'
import {
  COVER_FORMATS,
  COVER_WIDTHS,
  type CoverFormat,
  coverHeight,
  PORTRAIT_FORMATS,
  PORTRAIT_WIDTHS,
  type PortraitFormat,
} from '../../rules/pictures.ts'
import type { Deps } from '../deps.ts'
import { keyOf } from '../files/files.ts'
import { fault } from '../http/errors.ts'
import { forPicture } from '../http/headers.ts'
import { type Customer, inTime, tasksOf, UnreadableFile } from '../workers/workers.ts'
import type { NormalisedPicture, PictureFault } from './picture-tasks.ts'
import { isKnown } from './sending/send-file.ts'

const NAME = /^([\da-f]{64})-(\d{2,4})\.(\w{3,4})$/

const SERVED = {
  covers: { widths: COVER_WIDTHS, formats: COVER_FORMATS },
  portraits: { widths: PORTRAIT_WIDTHS, formats: PORTRAIT_FORMATS },
} as const satisfies Record<PictureKind, object>

/** `/media/covers/<sha256>-<width>.<format>` and portraits; an address never changes. */
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

const task = tasksOf<typeof import('./picture-tasks.ts')>(
  new URL('./picture-tasks.ts', import.meta.url),
)
const DRAW = task('drawPicture')
const NORMALISE = {
  cover: task('normaliseCover'),
  portrait: task('normalisePortrait'),
  receipt: task('normaliseReceipt'),
}

/** The kinds of uploaded pictures, with the height for a width, in pixels. */
const HEIGHTS = { covers: coverHeight, portraits: (width: number) => width }
type PictureKind = keyof typeof HEIGHTS

/** Drawn once and kept in `<kind>/<sha256>`; null if there is none. Throws the workers' errors. */
export async function drawnPicture(
  { files, workers }: Pick<Deps, 'files' | 'workers'>,
  kind: PictureKind,
  {
    sha256,
    width,
    format,
  }: { sha256: string; width: number; format: CoverFormat | PortraitFormat },
): Promise<Buffer | null> {
  return files.made.kept(`${kind}/${sha256}/${width}.${format}`, async () => {
    const path = await files.localPath(keyOf(sha256, 'webp'))
    if (path === null) return null
    const input = { path, width, height: HEIGHTS[kind](width), format }
    const customer: Customer = { lane: 'samples', account: sha256 }
    return Buffer.from(await workers.run(DRAW, input, { ...customer, file: { sha256 } }))
  })
}

/** An uploaded picture (absolute path) in its stored form, or why it is refused. */
export async function normalisedPicture(
  { workers }: Pick<Deps, 'workers'>,
  purpose: keyof typeof NORMALISE,
  { path, sha256 }: { path: string; sha256: string },
  customer: Customer,
): Promise<NormalisedPicture | PictureFault> {
  try {
    return await workers.run(NORMALISE[purpose], { path }, { ...customer, file: { sha256 } })
  } catch (error) {
    if (error instanceof UnreadableFile) return 'not_a_picture'
    throw error
  }
}
