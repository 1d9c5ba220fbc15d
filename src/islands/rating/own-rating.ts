import type { Locale } from '../../i18n/locales.ts'
import type { OwnRatingTexts } from './OwnRating.tsx'

// Few visitors have rated, so neither the component nor its texts are loaded for the others.
const texts = import.meta.glob<OwnRatingTexts>('../../../locales/*/own-rating.json', {
  import: 'default',
})

/** Loads the component that shows a user's own rating, and its texts; rejects if that fails. */
export async function loadOwnRating(locale: Locale) {
  const [{ OwnRating }, read] = await Promise.all([
    import('./OwnRating.tsx'),
    texts[`../../../locales/${locale}/own-rating.json`]?.(),
  ])
  if (!read) throw new Error(`no texts in ${locale}`)
  return { OwnRating, texts: read }
}
