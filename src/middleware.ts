import type { MiddlewareHandler } from 'astro'
import { DEFAULT_LOCALE, isLocale } from './i18n/locales.ts'
import { localized } from './i18n/translate.ts'

/** Gives every page and component its language and texts; pages rendered by the build as well. */
export const onRequest: MiddlewareHandler = ({ locals, currentLocale }, next) => {
  Object.assign(locals, localized(isLocale(currentLocale) ? currentLocale : DEFAULT_LOCALE))
  return next()
}
