import { readdirSync } from 'node:fs'
import type { AstroIntegration } from 'astro'

type Setup = Parameters<NonNullable<AstroIntegration['hooks']['astro:config:setup']>>[0]

/** Gives every page of `src/pages` its addresses in the other languages: `/shop`, `/fr/shop`, `/en/shop`. */
export function localeRoutes({ config, command, injectRoute, addWatchFile }: Setup): void {
  const pages = new URL('pages/', config.srcDir)
  const prefixes = prefixedLocales(config.i18n).map((locale) => `/${locale}`)
  addWatchFile(pages)
  for (const file of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
    const route = routeOf(file)
    if (route === undefined) continue
    for (const prefix of prefixes) {
      injectRoute({ pattern: prefix + route, entrypoint: new URL(file, pages) })
    }
  }
  if (command !== 'dev') return
  // Every component in each of its states: for developers, not for visitors.
  const entrypoint = new URL('_gallery/Gallery.astro', pages)
  for (const prefix of ['', ...prefixes]) injectRoute({ pattern: `${prefix}/gallery`, entrypoint })
}

type I18n = { defaultLocale: string; locales: (string | { path: string })[] } | undefined

function prefixedLocales(i18n: I18n): string[] {
  const paths = (i18n?.locales ?? []).map((l) => (typeof l === 'string' ? l : l.path))
  return paths.filter((path) => path !== i18n?.defaultLocale)
}

/** `shop-details/[id].astro` → `/shop-details/[id]`, `index.astro` → ``; undefined for other files. */
export function routeOf(file: string): string | undefined {
  const segments = file.replaceAll('\\', '/').split('/')
  if (!file.endsWith('.astro') || segments.some((segment) => segment.startsWith('_'))) return
  return `/${segments.join('/')}`.replace(/\.astro$/, '').replace(/\/index$/, '')
}
