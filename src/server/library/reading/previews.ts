import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { textIn } from '../../../i18n/texts.ts'
import { HOUR_MS, SECOND_MS } from '../../../rules/durations.ts'
import { LANGUAGES } from '../../../rules/languages.ts'
import { PAGE_WIDTH, PAGE_WIDTHS } from '../../../rules/reading.ts'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import type { Deps } from '../../deps.ts'
import { StorageUnavailable } from '../../files/files.ts'
import { answerTo, fault } from '../../http/errors.ts'
import { escapeHtml } from '../../http/html.ts'
import { type Customer, inTime } from '../../workers/workers.ts'
import { findFile, findOwnFile, type LibraryFile } from '../sending/find-file.ts'
import { isKnown } from '../sending/send-file.ts'
import { PREVIEW_LINK_LIFETIME_MS, readPreview } from '../sending/signed-links.ts'
import type { PageSize } from './draw-page.ts'
import { picturesFor } from './pictures.ts'
import { readable } from './reading.ts'

/** A picture never changes: browsers may show it beyond the expiry of its link. */
const READ_FOR = `private, max-age=${HOUR_MS / SECOND_MS}, immutable`
const PREVIEWED_FOR = `private, max-age=${PREVIEW_LINK_LIFETIME_MS / SECOND_MS}`

const PICTURE = /^([1-9]\d{0,3})(?:-(\d{3,4}))?\.webp$/
const TEXT = /^([1-9]\d{0,3})\.txt$/

/**
 * The page of the preview frame and its pictures, `/api/preview/<token>` and
 * `/api/preview/<token>/<n>.webp`, and those of the reader, `/api/preview/<token>/<n>-<width>.webp`
 * and, for screen readers, the text of a page, `/api/preview/<token>/<n>.txt`. A token, valid for
 * `PREVIEW_LINK_LIFETIME_MS`, replaces the log-in: a frame cannot send an Authorization header. Frames request
 * these addresses, so they are not part of the contract.
 */
export async function previewRoutes(server: FastifyInstance, deps: Deps): Promise<void> {
  server.get<{ Params: { token: string } }>('/api/preview/:token', async (request, reply) => {
    reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': PREVIEW_POLICY,
      'x-robots-tag': 'noindex',
    })
    try {
      const file = await openedBy(deps, request.params.token)
      const sizes = inTime(picturesFor(deps, file.reader).sizes(file))
      return previewPage(file.title, request.params.token, await readable(deps, sizes))
    } catch (error) {
      const { status, headers, isUnexpected } = answerTo(error)
      if (isUnexpected) server.log.error(error, 'preview')
      if (error instanceof StorageUnavailable) {
        server.log.error({ cause: error.message }, 'storage unavailable')
      }
      return reply.code(status).headers(headers).send(previewError())
    }
  })

  server.get<{ Params: { token: string; picture: string } }>(
    '/api/preview/:token/:picture',
    async (request, reply) => {
      const { token, picture } = request.params
      const file = await openedBy(deps, token)
      const [, written] = TEXT.exec(picture) ?? []
      const [, page = written, pixels] = PICTURE.exec(picture) ?? []
      const width = PAGE_WIDTHS.find((known) => String(known) === pixels)
      if (!page || (pixels && !width)) throw fault('not_found')
      const look = written ? 'text' : (width ?? PAGE_WIDTH)
      const etag = `"${file.sha256.slice(0, 32)}-${page}-${look}"`
      const headers = { etag, 'cache-control': width || written ? READ_FOR : PREVIEWED_FOR }
      if (isKnown(request.headers['if-none-match'], etag)) {
        return reply.headers(headers).code(304).send()
      }
      const pictures = picturesFor(deps, file.reader)
      const made = written
        ? pictures.text(file, Number(page))
        : pictures.page(file, Number(page), width)
      const answer = await readable(deps, inTime<Buffer | string | null>(made))
      if (answer === null) throw fault('not_found')
      const type = written ? 'text/plain; charset=utf-8' : 'image/webp'
      return reply.headers(headers).type(type).send(answer)
    },
  )
}

interface LinkedFile extends LibraryFile {
  /** The user whom the token identifies: a buyer, or staff who look at a draft. */
  readonly reader: Customer
}

/** The file that a token opens, while its user may still read it. Throws `link_expired`. */
async function openedBy(deps: Deps, token: string): Promise<LinkedFile> {
  const linked = readPreview(deps.secret, token, deps.now())
  if (!linked) throw fault('link_expired')
  const { kysely } = deps.database
  const { version, reads, ...of } = linked
  const file = await (version === undefined
    ? findFile(kysely, { ...of, version: reads }, deps.now())
    : findOwnFile(kysely, { ...of, version }))
  if (typeof file === 'string') throw fault('link_expired')
  const lane = version === undefined ? 'bought' : 'drafts'
  return { ...file, reader: { lane, account: `user ${of.userId}` } }
}

const STYLE = [
  'html{background:#14171f;color-scheme:dark}',
  'body{margin:0;padding:12px;display:grid;gap:12px;justify-items:center}',
  'img{display:block;max-width:100%;height:auto;background:#fff;border-radius:4px}',
  'p{color:#eceef5;font:16px/1.6 system-ui,sans-serif;text-align:center;padding:24px}',
].join('')

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const PREVIEW_POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/**
 * The HTML of a preview: the pages of a document as pictures at `<token>/<n>.webp`. Not an Astro
 * page, since it answers an address of the API, which works without the built site. `token` has
 * passed `readPreview`, so that it has no character to escape.
 */
function previewPage(title: string, token: string, sizes: readonly PageSize[]): string {
  const pages = sizes
    .slice(0, PREVIEW_MAX_PAGES)
    .map(
      ({ width, height }, at) =>
        `<img src="${token}/${at + 1}.webp" width="${width}" height="${height}"` +
        ` alt="${at + 1} / ${sizes.length}" loading="${at === 0 ? 'eager' : 'lazy'}">`,
    )
  return frame(title, pages.join('\n'))
}

/** In every language: the address of a frame does not say which one its page speaks. */
function previewError(): string {
  const sentences = LANGUAGES.map((language) => textIn(language, 'errors:codes.link_expired'))
  const lines = sentences.map((sentence) => `<p dir="auto">${escapeHtml(sentence)}</p>`)
  return frame(sentences[0] ?? '', lines.join('\n'))
}

function frame(title: string, content: string): string {
  return [
    '<!doctype html>',
    '<html><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>`,
    `<body>${content}</body></html>`,
  ].join('\n')
}
