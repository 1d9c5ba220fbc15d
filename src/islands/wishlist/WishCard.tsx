import '../parts/card.css'
import { formatDate } from '../../i18n/dates.ts'
import { calledIn, fillText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { finalPrice, isDiscounted } from '../../rules/discount.ts'
import type { WishlistEntry } from '../../stores/wishlist/wishlist.ts'
import { BookCover } from '../parts/BookCover.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { Price, PriceOrFree } from '../parts/Price.tsx'
import { useTexts } from './texts.ts'

interface Props {
  entry: WishlistEntry
  onRemove: (entry: WishlistEntry) => void
}

/** A wish: the whole card links to the document; the button removes it from the list. */
export function WishCard({ entry, onRemove }: Props) {
  const locale = useLocale()
  const texts = useTexts('wishlist:page')
  const { id, title, teacher, ...priced } = entry.document
  const author = calledIn(locale, { name: teacher.username, latinName: teacher.latinName })
  return (
    <article className="card">
      <div className="card__cover">
        <BookCover book={entry.document} subject={entry.document.matiereCode} lines={author} />
      </div>
      <h2 className="card__title along" dir="auto">
        <a className="card__link" href={pathIn(locale, `/shop-details/${id}`)}>
          {title}
        </a>
      </h2>
      <p className="card__teacher along" dir="auto">
        {author}
      </p>
      <p className="soft small">
        {fillText(texts.added, { date: `\u2068${formatDate(locale, entry.createdAt)}\u2069` })}
      </p>
      <p className="price-tag">
        <span className="visually-hidden">{texts.now}</span>
        <PriceOrFree amount={finalPrice(priced)} free={texts.free} />
        {isDiscounted(priced) && (
          <s>
            <span className="visually-hidden">{texts.old}</span>
            <Price amount={priced.price} className="price--old" />
          </s>
        )}
      </p>
      <div className="card__actions">
        <button type="button" className="button button--wide" onClick={() => onRemove(entry)}>
          <Icon name="trash" />
          {texts.remove}
          <span className="visually-hidden" dir="auto">
            {' '}
            {title}
          </span>
        </button>
      </div>
    </article>
  )
}
