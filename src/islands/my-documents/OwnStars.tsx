import '../parts/stars.css'
import './own-stars.css'
import { pluralText } from '../../i18n/format.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { openRating } from '../../stores/library/opened.ts'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

/** The customer's stars for a book, if any; a press opens the rating. */
export function OwnStars({ document }: { document: PurchasedDocument }) {
  const locale = useLocale()
  const { rate, rated } = useTexts('library:page').book
  const { star } = useTexts('ratings:form')
  const own = document.ownRating ?? 0
  return (
    <button
      type="button"
      className="own-stars"
      data-own={own}
      onClick={() => openRating(document.documentId)}
    >
      <span className="visually-hidden" dir="auto">
        {own > 0 ? `${rated} ${pluralText(locale, star, 'star', own)}: ` : `${rate}: `}
        {document.documentTitle}
      </span>
    </button>
  )
}
