import '../parts/card.css'
import './wishlist.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { startSync } from '../../stores/sync.ts'
import { wish } from '../../stores/wishlist/wishes.ts'
import {
  $isBehind,
  $wishlist,
  catchUp,
  loadWishlist,
  type WishlistEntry,
} from '../../stores/wishlist/wishlist.ts'
import { useLocale } from '../parts/island.tsx'
import { EmptyState, LoadState, LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { island, useTexts } from './texts.ts'
import { WishCard } from './WishCard.tsx'

const HEADING = 'wishlist-count'

const COVERS = ['cover', 'cover', 'cover', 'cover'] as const

/** The wishlist, or its logged-out, loading, failed or empty state. */
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
    if (isBehind) void catchUp()
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
          <a className="button button--primary" href={pathIn(locale, '/shop')}>
            {texts.shop}
          </a>
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
