import type { ReactNode } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { calledIn, fillText, formatRating } from '../../i18n/format.ts'
import { entriesOf, type PurchasedDocument } from '../../stores/library/library.ts'
import { useLocale } from '../parts/island.tsx'
import { PriceOrFree } from '../parts/Price.tsx'
import { Star } from '../parts/Star.tsx'
import { useNames, useTexts } from './texts.ts'

export const FACTS = [
  'rating',
  'category',
  'matiere',
  'niveau',
  'teacher',
  'price',
  'date',
] as const

export function useFacts(document: PurchasedDocument): Record<(typeof FACTS)[number], ReactNode> {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const names = useNames()
  const entries = entriesOf(document)
  return {
    rating: <Rating rating={document.averageRating} />,
    category: names.category(entries.category),
    matiere: names.matiereId(entries.matiereId),
    niveau: names.niveauId(entries.niveauId),
    teacher: (
      <bdi className="along">
        {calledIn(locale, { name: document.teacherName, latinName: document.teacherLatinName })}
      </bdi>
    ),
    price: <PriceOrFree amount={document.amount} free={texts.free} />,
    date: <time dateTime={document.purchaseDate}>{formatDate(locale, document.purchaseDate)}</time>,
  }
}

function Rating({ rating }: { rating: number }) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  if (rating <= 0) return <span className="stars stars__count">{texts.noRating}</span>
  const shown = formatRating(locale, rating)
  return (
    <span className="stars">
      <span className="visually-hidden">{fillText(texts.rating, { rating: shown })}</span>
      <Star />
      <span aria-hidden="true">{shown}</span>
    </span>
  )
}
