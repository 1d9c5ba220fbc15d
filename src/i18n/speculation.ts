import { pagesWith } from '../rules/pages.ts'
import { DEFAULT_LOCALE, LOCALES } from './locales.ts'

const others = LOCALES.filter((locale) => locale !== DEFAULT_LOCALE).join('|')
const named = pagesWith('isPublic').flatMap((path) => (path === '/' ? [] : path.slice(1)))

/**
 * The pages that may be fetched before they are opened: those that are the same for everybody and change
 * nothing. All others, such as the checkout, the log-in and the office, wait until they are wanted.
 */
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

/**
 * Rules by which a browser fetches pages ahead (`<script type="speculationrules">`), the same in every
 * page, so that one hash of the policy allows them. The paint script writes the kind of line into
 * `data-line`; on one that saves data, nothing is fetched ahead.
 */
export const speculationRules = JSON.stringify({
  // When a link is pressed: the answer is under way before the finger is lifted.
  prefetch: [{ where: linksWhere('html:not([data-line=saved]) a'), eagerness: 'conservative' }],
  // When a mouse rests on a link.
  prerender: [{ where: linksWhere('html[data-line=fast] a'), eagerness: 'moderate' }],
})
