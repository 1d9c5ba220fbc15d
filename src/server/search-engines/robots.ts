import { LOCALES } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'

/** Pages about one visitor: nothing to find there. They say `noindex` as well. */
const PRIVATE = ['/checkout', '/my-documents', '/order', '/charging']

/** `robots.txt`; `origin` such as `https://karras.tn`. */
export function robots(origin: string): string {
  const closed = PRIVATE.flatMap((path) => LOCALES.map((locale) => pathIn(locale, path)))
  return [
    'User-agent: *',
    ...['/api/', ...closed].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}
