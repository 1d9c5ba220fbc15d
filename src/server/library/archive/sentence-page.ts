import { createHash } from 'node:crypto'
import { dirOf } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import type { Language } from '../../../rules/languages.ts'
import { escapeHtml } from '../../http/html.ts'

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0;min-height:100vh;display:grid;place-content:center;padding:24px;box-sizing:border-box;',
  'font:17px/1.7 system-ui,sans-serif;text-align:center}',
  'h1{font-size:1.5em;line-height:1.3;margin:0 0 12px}p{max-width:34em;margin:0 auto 20px}',
  'a{display:inline-block;min-height:44px;line-height:44px;padding:0 20px;color:inherit}',
].join('')
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The policy of the page: this single style and nothing else. */
export const SENTENCE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Sentence {
  readonly title: string
  readonly text: string
  /** The text of the link that leads back to "my documents". */
  readonly back: string
}

/**
 * The page that a browser shows in place of a ZIP. Not an Astro page, since it answers an address of
 * the API, which works without the built site, and its policy allows nothing but this style.
 */
export function sentencePage(locale: Language, { title, text, back }: Sentence): string {
  return [
    '<!doctype html>',
    `<html lang="${locale}" dir="${dirOf(locale)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
    `<a href="${pathIn(locale, '/my-documents')}">${escapeHtml(back)}</a></main></body></html>`,
  ].join('\n')
}
