import { LOCALES } from '../../i18n/locales.ts'
import { inLanguage } from '../../i18n/paths.ts'
import { NUMBERED_PAGES } from '../../rules/numbered-pages.ts'
import { pagesWith } from '../../rules/pages.ts'

/** `robots.txt`; `origin` is such as `https://karras.tn`. */
export function robots(origin: string): string {
  // Crawlers find nothing useful there; the pages also contain `noindex`.
  const closed = [...pagesWith('isPrivate'), `${NUMBERED_PAGES.reader}/`, '/office'].flatMap(
    (path) => LOCALES.map((locale) => inLanguage(locale, path)),
  )
  return [
    'User-agent: *',
    ...['/api/', ...closed].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}
