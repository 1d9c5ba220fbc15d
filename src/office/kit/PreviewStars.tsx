import { formatRating } from '../../i18n/format.ts'
import { useLocale, useTexts } from '../../islands/parts/island.tsx'
import { Star } from '../../islands/parts/Star.tsx'

export function PreviewStars({
  rated: { rating, ratingCount },
}: {
  rated: { rating: number; ratingCount: number }
}) {
  const locale = useLocale()
  const texts = useTexts('common:rating')
  if (ratingCount === 0) return <span className="stars stars__count">{texts.none}</span>
  return (
    <span className="stars">
      <Star />
      <span>{formatRating(locale, rating)}</span>
      <span className="stars__count">
        (<bdi>{ratingCount}</bdi>)
      </span>
    </span>
  )
}
