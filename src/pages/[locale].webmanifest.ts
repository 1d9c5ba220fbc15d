import type { APIRoute } from 'astro'
import { dirOf, isLocale } from '../i18n/locales.ts'
import { pathIn } from '../i18n/paths.ts'
import { type Brand, haveSameIcons, ICONS, type IconName, iconAddress } from '../rules/brand.ts'
import { SITE_TAG } from '../rules/page-tags.ts'
import { SITE } from '../site.ts'

/** The same colour as the pages' `theme-color`. */
const PAPER = '#fdfcf8'

/** The web app manifest in each language; the app is the same in all of them. */
export const GET: APIRoute = ({ params: { locale }, locals, cache }) => {
  if (!isLocale(locale)) return new Response(null, { status: 404 })
  cache.set({ tags: [SITE_TAG] })
  const t = locals.tIn(locale)
  const { brand } = locals.facts
  const manifest = {
    id: '/',
    name: t('brand:name'),
    short_name: t('brand:name'),
    description: t('offline:app.description'),
    lang: locale,
    dir: dirOf(locale),
    start_url: pathIn(locale, '/'),
    scope: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: PAPER,
    icons: iconsOf(brand),
    shortcuts: [
      { name: t('offline:app.documents'), url: pathIn(locale, '/my-documents') },
      { name: t('offline:app.search'), url: pathIn(locale, '/shop') },
    ],
  }
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json' },
  })
}

function iconsOf(brand: Brand) {
  const isFirst = haveSameIcons(brand, SITE)
  const icon = (name: IconName) => ({
    src: isFirst ? `/icons/${name}.png` : iconAddress(brand, name),
    type: 'image/png',
    sizes: `${ICONS[name]}x${ICONS[name]}`,
    purpose: name.startsWith('maskable') ? 'maskable' : 'any',
  })
  const drawn = { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' }
  return [icon('192'), icon('512'), icon('maskable-512'), ...(isFirst ? [drawn] : [])]
}
