import { pagesWith } from '../rules/pages.ts'
import { DEFAULT_LOCALE, LOCALES } from './locales.ts'

const others = LOCALES.filter((locale) => locale !== DEFAULT_LOCALE).join('|')
const named = pagesWith('isPublic').flatMap((path) => (path === '/' ? [] : path.slice(1)))

/** What may be fetched before it is opened: the same for everyone, and changing nothing. */
const toPublicPages = {
  href_matches: [
    '/',
    `/(${others})`,
    `/(${others})?/(${named.join('|')})`,
    `/(${others})?/(shop|teacher)-details/*`,
  ],
}
const linksWhere = (selector: string) => ({
  and: [
    toPublicPages,
    { selector_matches: selector },
    { not: { selector_matches: '[download],[target=_blank]' } },
  ],
})

/** The same in every page, for one hash in the CSP; `data-line` is written by `layouts/head.ts`. */
export const speculationRules = JSON.stringify({
  // When a link is pressed, so that the request is under way before the finger is lifted.
  prefetch: [{ where: linksWhere('html:not([data-line=saved]) a'), eagerness: 'conservative' }],
  // When a mouse rests on a link.
  prerender: [{ where: linksWhere('html[data-line=fast] a'), eagerness: 'moderate' }],
})
