import type { MiddlewareHandler } from 'astro'
import { getFacts } from './contract/site.ts'
import { DEFAULT_LOCALE, isLocale } from './i18n/locales.ts'
import { localized } from './i18n/translate.ts'

/**
 * Gives every page and component its language and texts, pages rendered by the build as well, and the
 * shop's own facts.
 */
export const onRequest: MiddlewareHandler = async (
  { locals, currentLocale, isPrerendered },
  next,
) => {
  if (isPrerendered) refuseServerLocals(locals)
  else locals.facts = await locals.api(getFacts, {})
  Object.assign(locals, localized(isLocale(currentLocale) ? currentLocale : DEFAULT_LOCALE))
  return next()
}

/** Stops the build where a prerendered page reads what is known only when the shop runs. */
function refuseServerLocals(locals: App.Locals): void {
  const names = ['api', 'provider', 'officeUrl', 'facts'] as const
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
