import '../parts/card.css'
import './wishlist.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pluralText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import {
  $isBehind,
  $wishlist,
  catchUp,
  loadWishlist,
  type WishlistEntry,
  wish,
} from '../../stores/wishlist/wishlist.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { EmptyState, LoadState, LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import type { WishlistTexts } from './texts.ts'
import { WishCard } from './WishCard.tsx'

interface Props {
  locale: Locale
  texts: WishlistTexts
  errors: ErrorTexts
}

const HEADING = 'wishlist-count'

const COVERS = ['cover', 'cover', 'cover', 'cover'] as const

/** The wishlist, in its states: not logged in, loading, failed, empty, full. */
export default function Wishlist({ locale, texts, errors }: Props) {
  const returnTo = pathIn(locale, '/wishlist')
  const userId = useCustomer(locale, returnTo)
  const list = useStore($wishlist, { ssr: notLoaded })
  const isBehind = useStore($isBehind, { ssr: () => false })

  useEffect(() => {
    // A wish that fails is announced by the page's toast, which sleeps until somebody calls.
    dispatchEvent(new Event('karras:wake'))
  }, [])
  useEffect(() => {
    if (userId) void loadWishlist()
  }, [userId])
  useEffect(() => {
    if (isBehind) void catchUp()
  }, [isBehind])

  if (userId === null) {
    const isRefused = list.phase === 'failed' && list.problem.status === 401
    const text = isRefused ? errors.invalid_token : texts.notLoggedIn
    return <LoggedOut locale={locale} text={text} login={texts.login} returnTo={returnTo} />
  }
  return (
    <LoadState
      state={list}
      loading={{ text: texts.loading, shapes: COVERS, className: 'grid wishes' }}
      failed={texts.failed}
      errors={errors}
      onRetry={loadWishlist}
    >
      {(entries) => <Wishes entries={entries} locale={locale} texts={texts} />}
    </LoadState>
  )
}

interface WishesProps extends Pick<Props, 'locale' | 'texts'> {
  entries: readonly WishlistEntry[]
}

function Wishes({ entries, locale, texts }: WishesProps) {
  const remove = ({ document: { id } }: WishlistEntry) => {
    wish(id, false)
    // The button goes with its card; the focus must not go with it.
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
              <WishCard entry={entry} locale={locale} texts={texts} onRemove={remove} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
