import { Button, ButtonLink } from '../parts/Button.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import '../../parts/card.css'
import './wishlist.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { calledIn, fillText, isolate, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { finalPrice, isDiscounted } from '../../rules/discount.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { startSync } from '../../stores/sync.ts'
import { wish } from '../../stores/wishlist/wishes.ts'
import {
  $isBehind,
  $wishlist,
  loadWishlist,
  type WishlistEntry,
} from '../../stores/wishlist/wishlist.ts'
import { BookCover } from '../parts/BookCover.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Price, PriceOrFree } from '../parts/Price.tsx'
import { EmptyState, LoadState, LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'

export const { island, useTexts } = islandTexts('wishlist:page', 'errors:codes')

const HEADING = 'wishlist-count'

const COVERS = ['cover', 'cover', 'cover', 'cover'] as const

function Wishlist() {
  const locale = useLocale()
  const texts = useTexts('wishlist:page')
  const errors = useTexts('errors:codes')
  const returnTo = pathIn(locale, '/wishlist')
  const userId = useCustomer(returnTo)
  const list = useStore($wishlist, { ssr: notLoaded })
  const isBehind = useStore($isBehind, { ssr: () => false })

  useEffect(startSync, [])
  useEffect(() => {
    if (userId) void loadWishlist()
  }, [userId])
  useEffect(() => {
    if (isBehind) void loadWishlist()
  }, [isBehind])

  if (userId === null) {
    const isRefused = list.phase === 'failed' && list.problem.status === 401
    const text = isRefused ? errors.invalid_token : texts.notLoggedIn
    return <LoggedOut text={text} login={texts.login} returnTo={returnTo} />
  }
  return (
    <LoadState
      state={list}
      loading={{ text: texts.loading, shapes: COVERS, className: 'grid wishes' }}
      failed={texts.failed}
      onRetry={loadWishlist}
    >
      {(entries) => <Wishes entries={entries} />}
    </LoadState>
  )
}

function Wishes({ entries }: { entries: readonly WishlistEntry[] }) {
  const locale = useLocale()
  const texts = useTexts('wishlist:page')
  const remove = ({ document: { id } }: WishlistEntry) => {
    wish(id, false)
    // The button disappears with its card, so the focus moves to the count.
    document.getElementById(HEADING)?.focus()
  }
  return (
    <>
      <p
        id={HEADING}
        tabIndex={-1}
        role="status"
        className={entries.length > 0 ? 'soft' : 'visually-hidden'}
      >
        {pluralText(locale, texts.counts, 'count', entries.length)}
      </p>
      {entries.length === 0 ? (
        <EmptyState {...texts.empty}>
          <ButtonLink kind="primary" to="/shop">
            {texts.shop}
          </ButtonLink>
        </EmptyState>
      ) : (
        <ul className="grid wishes">
          {entries.map((entry) => (
            <li key={entry.document.id}>
              <WishCard entry={entry} onRemove={remove} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export default island(Wishlist)

interface Props {
  entry: WishlistEntry
  onRemove: (entry: WishlistEntry) => void
}

function WishCard({ entry, onRemove }: Props) {
  const locale = useLocale()
  const texts = useTexts('wishlist:page')
  const { id, title, teacher, ...priced } = entry.document
  const author = calledIn(locale, { name: teacher.username, latinName: teacher.latinName })
  return (
    <article className="card">
      <div className="card__cover">
        <BookCover book={entry.document} subject={entry.document.matiereCode} lines={[author]} />
      </div>
      <h2 className="card__title clamp along" dir="auto">
        <a className="card__link" href={pathIn(locale, `/shop-details/${id}`)}>
          {title}
        </a>
      </h2>
      <p className="card__teacher one-line along" dir="auto">
        {author}
      </p>
      {entry.createdAt && (
        <p className="soft small">
          {fillText(texts.added, { date: isolate(formatDate(locale, entry.createdAt)) })}
        </p>
      )}
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
        <Button className="button--wide" onClick={() => onRemove(entry)}>
          <Icon name="trash" />
          {texts.remove}
          <span className="visually-hidden" dir="auto">
            {' '}
            {title}
          </span>
        </Button>
      </div>
    </article>
  )
}
