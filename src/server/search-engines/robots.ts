import { LOCALES } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { pagesWith } from '../../rules/pages.ts'

/** `robots.txt`; `origin` such as `https://karras.tn`. */
export function robots(origin: string): string {
  // Crawlers find nothing there; the pages say `noindex` as well.
  const closed = [...pagesWith('isPrivate'), '/office' as const].flatMap((path) =>
    LOCALES.map((locale) => pathIn(locale, path)),
  )
  return [
    'User-agent: *',
    ...['/api/', ...closed].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}
