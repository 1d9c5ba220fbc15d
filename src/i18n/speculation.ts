import { pagesWith } from '../rules/pages.ts'
import { DEFAULT_LOCALE, LOCALES } from './locales.ts'

const others = LOCALES.filter((locale) => locale !== DEFAULT_LOCALE).join('|')
const named = pagesWith('isPublic').flatMap((path) => (path === '/' ? [] : path.slice(1)))

/**
 * The pages that may be fetched before they are opened: those that are the same for everyone and
 * change nothing. All others, such as the checkout, the log-in and the office, are fetched only
 * when opened.
 */
const toPublicPages = {
  href_matches: [
    '/',
    `/(${others})`,
    `/(${others})?/(${named.join('|')})`,
    `/(${others})?/(shop-details|teacher-details|programme)/*`,
  ],
}
const linksWhere = (selector: string) => ({
  and: [
    toPublicPages,
    { selector_matches: selector },
    { not: { selector_matches: '[download],[target=_blank]' } },
  ],
})

/**
 * The rules by which a browser prefetches pages (`<script type="speculationrules">`). They are the
 * same in every page, so that one hash in the CSP allows them. `layouts/head.ts` writes the kind of
 * connection into `data-line`; with data saving, nothing is prefetched.
 */
export const speculationRules = JSON.stringify({
  // When a link is pressed, so that the request is under way before the finger is lifted.
  prefetch: [{ where: linksWhere('html:not([data-line=saved]) a'), eagerness: 'conservative' }],
  // When a mouse rests on a link.
  prerender: [{ where: linksWhere('html[data-line=fast] a'), eagerness: 'moderate' }],
})
