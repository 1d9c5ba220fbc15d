import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { fillText, formatRating } from '../../i18n/format.ts'
import type { Average } from '../../stores/rating/rating.ts'
import { useLocale } from '../parts/island.tsx'
import { Star } from '../parts/Star.tsx'
import { useTexts } from './texts.ts'

interface Props {
  average: Average
}

/** Replaces the average in the static head of the page with a new one. */
export function PageAverage({ average: { rating, count } }: Props) {
  const locale = useLocale()
  const texts = useTexts('ratings:form')
  const [place, setPlace] = useState<Element | null>(null)
  useEffect(() => {
    const found = document.querySelector('[data-average]')
    found?.replaceChildren()
    setPlace(found)
  }, [])
  if (!place) return null
  if (count === 0) {
    return createPortal(<span className="stars stars__count">{texts.none}</span>, place)
  }
  const shown = formatRating(locale, rating)
  return createPortal(
    <span className="stars">
      <span className="visually-hidden">{fillText(texts.label, { rating: shown })}</span>
      <Star />
      <span aria-hidden="true">{shown}</span>
      <span className="stars__count">
        (<bdi>{count}</bdi>)
      </span>
    </span>,
    place,
  )
}
