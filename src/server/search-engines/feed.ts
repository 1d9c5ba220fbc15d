import type { Document } from '../../contract/catalogue.ts'
import { calledIn } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Brand } from '../../rules/brand.ts'
import { xmlText } from '../http/html.ts'
import { XML_HEAD } from './xml.ts'

/** How many of the newest documents the feed lists. */
export const FEED_LENGTH = 30

/** The newest documents as RSS 2.0, in one language. */
export function feed(
  locale: Locale,
  origin: string,
  { name, slogan }: Brand,
  documents: readonly Document[],
): string {
  const tag = (name: string, text: string) => `<${name}>${xmlText(text)}</${name}>`
  const self = origin + pathIn(locale, '/rss.xml')
  const items = documents.slice(0, FEED_LENGTH).map((document) => {
    const address = origin + pathIn(locale, `/shop-details/${document.id}`)
    return [
      '<item>',
      tag('title', document.title),
      tag('link', address),
      tag('guid', address),
      tag('dc:creator', calledIn(locale, document.teacher)),
      tag('description', document.description),
      tag('pubDate', new Date(document.uploadedAt).toUTCString()),
      '</item>\n',
    ].join('')
  })
  return [
    XML_HEAD,
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>',
    tag('title', name[locale]),
    tag('link', origin + pathIn(locale, '/')),
    tag('description', slogan[locale]),
    tag('language', locale),
    `<atom:link href="${xmlText(self)}" rel="self" type="application/rss+xml"/>\n`,
    ...items,
    '</channel></rss>\n',
  ].join('')
}
