import type { APIRoute } from 'astro'
import { dirOf, isLocale, LOCALES } from '../i18n/locales.ts'
import { pathIn } from '../i18n/paths.ts'
import { translator } from '../i18n/translate.ts'
import { SITE } from '../site.ts'

export const prerender = true

/** The same colour as the pages' `theme-color`. */
const PAPER = '#fdfcf8'

export const getStaticPaths = () => LOCALES.map((locale) => ({ params: { locale } }))

/** The web app manifest in each language; the app is the same in all of them. */
export const GET: APIRoute = ({ params: { locale } }) => {
  if (!isLocale(locale)) return new Response(null, { status: 404 })
  const t = translator(locale)
  const icon = (file: string, sizes: string, purpose = 'any') => ({
    src: `/icons/${file}.png`,
    type: 'image/png',
    sizes,
    purpose,
  })
  const manifest = {
    id: '/',
    name: SITE.name[locale],
    short_name: SITE.name[locale],
    description: t('offline:app.description'),
    lang: locale,
    dir: dirOf(locale),
    start_url: pathIn(locale, '/'),
    scope: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: PAPER,
    icons: [
      icon('192', '192x192'),
      icon('512', '512x512'),
      icon('maskable-512', '512x512', 'maskable'),
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
    ],
    shortcuts: [
      { name: t('offline:app.documents'), url: pathIn(locale, '/my-documents') },
      { name: t('offline:app.search'), url: pathIn(locale, '/shop') },
    ],
  }
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json' },
  })
}
