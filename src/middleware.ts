import type { MiddlewareHandler } from 'astro'
import { getFacts, getFeatures, getInterfaceTexts } from './contract/site.ts'
import { DEFAULT_LOCALE, isLocale } from './i18n/locales.ts'
import { splitPath } from './i18n/paths.ts'
import { localized } from './i18n/translate.ts'
import { type Feature, lacking } from './rules/features.ts'
import { SITE_TAG } from './rules/page-tags.ts'
import { featureOf, isOfSite } from './rules/pages.ts'

/**
 * Gives every page and component its language and texts. Pages that the build does not render also
 * get the texts that administrators wrote in place of shipped ones, and the shop's own facts.
 * Pages that show nothing else are stored until these change.
 */
export const onRequest: MiddlewareHandler = async (
  { locals, currentLocale, isPrerendered, url, cache },
  next,
) => {
  const locale = isLocale(currentLocale) ? currentLocale : DEFAULT_LOCALE
  if (isPrerendered) {
    refuseServerLocals(locals)
    Object.assign(locals, localized(locale))
    return next()
  }
  const { api, isForeign } = locals
  const lacks = isForeign ? lacking((await api(getFeatures, {})).features) : []
  const has = (feature: Feature | undefined) => !feature || !lacks.includes(feature)
  const { path } = splitPath(url.pathname)
  if (!has(featureOf(path))) return new Response(null, { status: 404 })
  const [facts, words] = await Promise.all([api(getFacts, {}), api(getInterfaceTexts, {})])
  const own = { ...words, shop: facts.brand }
  Object.assign(locals, localized(locale, own), {
    facts,
    has,
    lacks: lacks.join(' ') || undefined,
  })
  if (isOfSite(path)) cache.set({ tags: [SITE_TAG] })
  return next()
}

/** Makes the build fail if a prerendered page reads what is known only when the shop runs. */
function refuseServerLocals(locals: App.Locals): void {
  const names = [
    'api',
    'provider',
    'officeUrl',
    'isForeign',
    'reachesPhones',
    'facts',
    'has',
    'lacks',
  ] as const
  for (const name of names) {
    Object.defineProperty(locals, name, {
      get() {
        throw new Error(
          `Astro.locals.${name} is not known yet: remove \`prerender\` from this page.`,
        )
      },
    })
  }
}
