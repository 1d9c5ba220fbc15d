import '../parts/card.css'
import './wishlist.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pluralText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $session } from '../../stores/account/session.ts'
import {
  $isBehind,
  $wishlist,
  catchUp,
  loadWishlist,
  type Wishlist as State,
  type WishlistEntry,
  wish,
} from '../../stores/wishlist/wishlist.ts'
import { accountAddress } from '../parts/addresses.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import type { WishlistTexts } from './texts.ts'
import { WishCard } from './WishCard.tsx'

interface Props {
  locale: Locale
  texts: WishlistTexts
  errors: ErrorTexts
}

const HEADING = 'wishlist-count'

const nobody = () => null
const loading: State = { phase: 'loading' }
const notLoaded = () => loading

/** The wishlist (section 2), in its states: not logged in, loading, failed, empty, full. */
export default function Wishlist({ locale, texts, errors }: Props) {
  const isHydrated = useHydrated()
  const session = useStore($session, { ssr: nobody })
  const list = useStore($wishlist, { ssr: notLoaded })
  const isBehind = useStore($isBehind, { ssr: () => false })
  const userId = session?.userId

  useEffect(() => {
    // The first render says what the server rendered, which knew nobody. Whose session ends later
    // stays, and is told so.
    if (!$session.get()) location.replace(accountAddress(locale, pathIn(locale, '/wishlist')))
    // A wish that fails is told by the page's toast, which sleeps until somebody calls.
    dispatchEvent(new Event('karras:wake'))
  }, [locale])
  useEffect(() => {
    if (userId !== undefined) void loadWishlist()
  }, [userId])
  useEffect(() => {
    if (isBehind) void catchUp()
  }, [isBehind])

  if (isHydrated && !session) {
    const isRefused = list.phase === 'failed' && list.problem.status === 401
    return (
      <div className="error-state" role="alert">
        <p>{isRefused ? errors.invalid_token : texts.notLoggedIn}</p>
        <a
          className="button button--primary"
          href={accountAddress(locale, pathIn(locale, '/wishlist'))}
        >
          {texts.login}
        </a>
      </div>
    )
  }
  if (list.phase === 'loading') return <Loading text={texts.loading} />
  if (list.phase === 'failed') {
    return (
      <div className="error-state" role="alert">
        <h2>{texts.failed.title}</h2>
        <p>{errors[list.problem.code]}</p>
        <button type="button" className="button button--primary" onClick={loadWishlist}>
          {texts.failed.retry}
        </button>
      </div>
    )
  }
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
        className={list.entries.length > 0 ? 'soft' : 'visually-hidden'}
      >
        {pluralText(locale, texts.counts, 'count', list.entries.length)}
      </p>
      {list.entries.length === 0 ? (
        <div className="empty-state">
          <h2>{texts.empty.title}</h2>
          <p>{texts.empty.text}</p>
          <a className="button button--primary" href={pathIn(locale, '/shop')}>
            {texts.shop}
          </a>
        </div>
      ) : (
        <ul className="grid wishes">
          {list.entries.map((entry) => (
            <li key={entry.document.id}>
              <WishCard entry={entry} locale={locale} texts={texts} onRemove={remove} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Loading({ text }: { text: string }) {
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{text}</span>
      <div className="grid wishes">
        {['first', 'second', 'third', 'fourth'].map((book) => (
          <div className="skeleton skeleton--cover" key={book} />
        ))}
      </div>
    </div>
  )
}
