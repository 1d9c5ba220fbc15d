import type { Locale } from '../../i18n/locales.ts'
import type { OwnRatingTexts } from './OwnRating.tsx'

// Few visitors have a rating: the others' pages carry neither this nor its texts.
const texts = import.meta.glob<OwnRatingTexts>('../../../locales/*/own-rating.json', {
  import: 'default',
})

/** What shows a user's own rating, and its texts; rejects when it cannot be loaded. */
export async function loadOwnRating(locale: Locale) {
  const [{ OwnRating }, read] = await Promise.all([
    import('./OwnRating.tsx'),
    texts[`../../../locales/${locale}/own-rating.json`]?.(),
  ])
  if (!read) throw new Error(`no texts in ${locale}`)
  return { OwnRating, texts: read }
}
