import type { FastifyInstance } from 'fastify'
import { getSample } from '../../../contract/reading.ts'
import { directionOf } from '../../../rules/page-passages.ts'
import { SAMPLE_WIDTHS, samplePagesOf } from '../../../rules/reading.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'
import { readBrand } from '../../site-texts/site-texts.ts'
import { inTime, UnreadableFile } from '../../workers/workers.ts'
import { picturesFor } from '../reading/pictures.ts'
import { isKnown } from '../sending/send-file.ts'
import { leaveOut } from './make-samples.ts'
import { findSample, keyOfSample, samplePictureOf, watermarkOf } from './sample.ts'

export const sampleRoutes: Route[] = [
  route(getSample, async ({ input, deps }) => {
    const sample = await findSample(deps.database.kysely, input.params.id)
    if (!sample) throw fault('document_not_found')
    const { documentId, title, key, fileSize, fileDate } = sample
    const pages = sample.pages ?? []
    const texts = pages.map(({ text }) => text)
    const direction = directionOf(texts, title)
    return { documentId, key, pages, direction, fileSize, fileDate: fileDate.toISOString() }
  }),
]

const SAMPLE = /^([1-9]\d{0,8})-([\da-f]{16})$/
const PICTURE = /^([1-9]\d{0,3})-(\d{3,4})\.webp$/

/**
 * `/media/samples/<document>-<key>/<page>-<width>.webp`: the pictures of samples. Only the pages of
 * a sample exist, each in the widths of `SAMPLE_WIDTHS`, and each is drawn once, so that strangers cannot cause other
 * work.
 */
export async function samplePictures(server: FastifyInstance, deps: Deps): Promise<void> {
  server.get<{ Params: { sample: string; picture: string } }>(
    '/media/samples/:sample/:picture',
    async (request, reply) => {
      const [, id, key] = SAMPLE.exec(request.params.sample) ?? []
      const [, number, pixels] = PICTURE.exec(request.params.picture) ?? []
      const width = SAMPLE_WIDTHS.find((known) => String(known) === pixels)
      if (!id || !key || !number || !width) throw fault('not_found')
      const page = Number(number)
      const sample = await findSample(deps.database.kysely, Number(id))
      const { pages } = sample ?? {}
      if (!sample || sample.key !== key || !pages?.some((one) => one.page === page)) {
        throw fault('not_found')
      }
      const { files } = deps
      const { name } = await readBrand(deps.database.kysely)
      // While the sample is due, its file and its choice may differ from those of the address.
      const isOther = () =>
        !samplePagesOf(sample.chosen, sample.pageCount ?? 0).includes(page) ||
        keyOfSample(sample, pages, watermarkOf(name, { ...sample, pages })) !== key
      if (sample.isDue && isOther()) throw fault('not_found')
      const etag = `"${key}-${page}-${width}"`
      reply.headers({
        etag,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
      })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const pictures = picturesFor(deps, { lane: 'samples', account: sample.sha256 })
      const sampled = { ...sample, key, pages }
      const bytes = await inTime(
        samplePictureOf({ pictures, files, name }, sampled, page, width),
      ).catch(async (error: unknown) => {
        reply.removeHeader('cache-control')
        if (!(error instanceof UnreadableFile)) throw error
        await leaveOut(deps, sampled, page, error)
        throw fault('not_found')
      })
      return reply.type('image/webp').send(bytes)
    },
  )
}
