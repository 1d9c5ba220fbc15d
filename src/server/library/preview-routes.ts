import type { FastifyInstance } from 'fastify'
import { ALL_ERRORS } from '../../contract/all-errors.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Deps } from '../deps.ts'
import { ApiFault, fault } from '../http/errors.ts'
import { findFile, findOwnFile, type LibraryFile } from './library.ts'
import { picturesIn } from './pictures.ts'
import { readPreview } from './preview-link.ts'
import { PREVIEW_POLICY, previewError, previewPage } from './preview-page.ts'
import { createRenderer, RendererBusy, UnreadablePdf } from './renderer.ts'

/**
 * The page of the preview frame and its pictures: `/api/preview/<token>` and
 * `/api/preview/<token>/<n>.webp`. A token, good for 10 minutes, stands for the log-in: a frame cannot
 * send an Authorization header. Frames request these addresses, so they are not part of the contract.
 */
export async function previewRoutes(server: FastifyInstance, deps: Deps): Promise<void> {
  const renderer = createRenderer()
  const pictures = picturesIn(deps.config.dataDir, deps.files, renderer)
  server.addHook('onClose', () => renderer.close())

  server.get<{ Params: { token: string } }>('/api/preview/:token', async (request, reply) => {
    reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': PREVIEW_POLICY,
      'x-robots-tag': 'noindex',
    })
    try {
      const file = await openedBy(deps, request.params.token)
      const sizes = await pictures.sizes(file)
      return previewPage(file.title, request.params.token, sizes)
    } catch (error) {
      const { status } = ALL_ERRORS[codeOf(error, server)]
      return reply.code(status).send(previewError(ALL_ERRORS.link_expired.message))
    }
  })

  server.get<{ Params: { token: string; page: string } }>(
    '/api/preview/:token/:page',
    async (request, reply) => {
      const { token, page } = request.params
      const file = await openedBy(deps, token)
      const number = Number(/^([1-9]\d{0,3})\.webp$/.exec(page)?.[1] ?? 0)
      const picture = await pictures.page(file, number).catch((error: unknown) => {
        throw fault(codeOf(error, server))
      })
      if (!picture) throw fault('not_found')
      return reply.type('image/webp').header('cache-control', 'private, max-age=600').send(picture)
    },
  )
}

/** The file that a token opens, as long as its user may read it. Throws `link_expired`. */
async function openedBy(deps: Deps, token: string): Promise<LibraryFile> {
  const of = readPreview(deps.secret, token, deps.now())
  if (!of) throw fault('link_expired')
  const { kysely } = deps.database
  const { version } = of
  const file = await (version === undefined
    ? findFile(kysely, of)
    : findOwnFile(kysely, { ...of, version }))
  if (file === 'unknown' || file === 'not bought') throw fault('link_expired')
  return file
}

function codeOf(error: unknown, server: FastifyInstance): ErrorCode {
  if (error instanceof ApiFault) return error.code
  if (error instanceof RendererBusy) return 'unavailable'
  // A damaged or missing file is the operator's to mend.
  server.log.error(error, 'preview')
  return error instanceof UnreadablePdf ? 'file_missing' : 'server_error'
}
