import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { dirOf } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { textsIn } from '../../../i18n/texts.ts'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../../rules/languages.ts'
import type { Deps } from '../../deps.ts'
import { escapeHtml } from '../../http/html.ts'
import { readTexts } from '../../site-texts/site-texts.ts'

/** `failed` is a ZIP that could not be made, `unsent` a file that could not be sent. */
const STATUS = { expired: 403, busy: 429, failed: 503, unsent: 503 } as const

/** Refuses with a page in the language that the link names; the rest of the link is not used. */
export async function refuseLink(
  { database }: Pick<Deps, 'database'>,
  reply: FastifyReply,
  token: string,
  why: keyof typeof STATUS,
): Promise<FastifyReply> {
  const locale = LANGUAGES.find((language) => token.startsWith(`${language}-`)) ?? DEFAULT_LANGUAGE
  const texts = textsIn(locale, 'archive:page', await readTexts(database.kysely))
  return reply
    .code(STATUS[why])
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': SENTENCE_POLICY, 'x-robots-tag': 'noindex' })
    .send(sentencePage(locale, { ...texts[why], back: texts.back }))
}

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0;min-height:100vh;display:grid;place-content:center;padding:24px;box-sizing:border-box;',
  'font:17px/1.7 system-ui,sans-serif;text-align:center}',
  'h1{font-size:1.5em;line-height:1.3;margin:0 0 12px}p{max-width:34em;margin:0 auto 20px}',
  'a{display:inline-block;min-height:44px;line-height:44px;padding:0 20px;color:inherit}',
].join('')
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const SENTENCE_POLICY = [
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
 * The page that a browser shows in place of a download. Not an Astro page, since it answers an
 * address of the API, which works without the built site, and its policy allows nothing but this
 * style.
 */
function sentencePage(locale: Language, { title, text, back }: Sentence): string {
  return [
    '<!doctype html>',
    `<html lang="${locale}" dir="${dirOf(locale)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
    `<a href="${pathIn(locale, '/my-documents')}">${escapeHtml(back)}</a></main></body></html>`,
  ].join('\n')
}
