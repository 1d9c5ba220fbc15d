import { createHash } from 'node:crypto'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import { escapeHtml } from '../../http/html.ts'
import type { PageSize } from '../pages/draw-page.ts'

const STYLE = [
  'html{background:#14171f;color-scheme:dark}',
  'body{margin:0;padding:12px;display:grid;gap:12px;justify-items:center}',
  'img{display:block;max-width:100%;height:auto;background:#fff;border-radius:4px}',
  'p{color:#eceef5;font:16px/1.6 system-ui,sans-serif;text-align:center;padding:24px}',
].join('')

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The policy of the frame: its pictures and this single style; no scripts. */
export const PREVIEW_POLICY = [
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
export function previewPage(title: string, token: string, sizes: readonly PageSize[]): string {
  const pages = sizes
    .slice(0, PREVIEW_MAX_PAGES)
    .map(
      ({ width, height }, at) =>
        `<img src="${token}/${at + 1}.webp" width="${width}" height="${height}"` +
        ` alt="${at + 1} / ${sizes.length}" loading="${at === 0 ? 'eager' : 'lazy'}">`,
    )
  return frame(title, pages.join('\n'))
}

/** The HTML that the frame shows instead of pages. */
export function previewError(message: string): string {
  return frame(message, `<p dir="auto">${escapeHtml(message)}</p>`)
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
