import './my-documents.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { followAddress } from '../../stores/library/choices.ts'
import { $library, $listKeptAt, loadLibrary, refreshLibrary } from '../../stores/library/library.ts'
import { loadShelves } from '../../stores/library/shelves.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { callOverlays } from '../../stores/shared/overlays.ts'
import { type PageNotice, takeNotice } from '../../stores/shared/page-notices.ts'
import { startSync } from '../../stores/sync.ts'
import { useLocale } from '../parts/island.tsx'
import { EmptyState, LoadState, LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { KeptDocuments } from './KeptDocuments.tsx'
import { OpenOrders } from './OpenOrders.tsx'
import { Explore, Owned } from './Owned.tsx'
import { island, useTexts } from './texts.ts'

const BOOKS = ['cover', 'cover', 'cover', 'cover'] as const

/** The documents that the customer bought, or the logged-out, loading, failed or empty state. */
function MyDocuments() {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const returnTo = pathIn(locale, '/my-documents')
  const userId = useCustomer(returnTo)
  const library = useStore($library, { ssr: notLoaded })

  useEffect(() => {
    // The preview is a separate island, which otherwise hydrates only when it is first opened.
    startSync()
    callOverlays().catch(() => undefined) // the preview's own call says so
    return followAddress()
  }, [])
  useEffect(() => {
    if (!userId) return undefined
    void loadLibrary()
    void loadShelves()
    // When the visitor returns from the reader, the browser restores the page as it was.
    const catchUp = ({ persisted }: PageTransitionEvent) => persisted && void refreshLibrary()
    addEventListener('pageshow', catchUp)
    return () => removeEventListener('pageshow', catchUp)
  }, [userId])

  if (userId === null) {
    return (
      <>
        <LoggedOut text={texts.notLoggedIn} login={texts.login} returnTo={returnTo} />
        <KeptDocuments />
      </>
    )
  }
  return (
    <>
      <PurchaseNotice />
      {userId && <OpenOrders />}
      <AsOf />
      <LoadState
        state={library}
        loading={{ text: texts.loading, shapes: BOOKS, className: 'books' }}
        failed={texts.failed}
        onRetry={loadLibrary}
      >
        {(documents) =>
          documents.length > 0 ? (
            <Owned count={documents.length} />
          ) : (
            <EmptyState {...texts.empty}>
              <Explore text={texts.explore} isMain />
            </EmptyState>
          )
        }
      </LoadState>
      <KeptDocuments />
    </>
  )
}

/** The date of the list, if it is the copy kept in this browser. */
function AsOf() {
  const locale = useLocale()
  const { asOf } = useTexts('offline:list')
  const at = useStore($listKeptAt, { ssr: () => null })
  if (at === null) return null
  const date = `\u2068${formatDate(locale, new Date(at).toISOString())}\u2069`
  return (
    <p className="alert" role="status">
      {fillText(asOf, { date })}
    </p>
  )
}

type Purchased = Exclude<PageNotice, { kind: 'registered' }>

/** The notice that the checkout left for this page, shown once. */
function PurchaseNotice() {
  const texts = useTexts('library:page')
  const [notice, setNotice] = useState<Purchased | null>(null)
  useEffect(() => {
    setNotice((shown) => shown ?? takeNotice(['purchased', 'partly_purchased']))
  }, [])
  if (!notice) return null
  if (notice.kind === 'purchased') {
    return (
      <p className="alert alert--success" role="status">
        {texts.purchased}
      </p>
    )
  }
  const titles = notice.titles.map((title) => `\u2068${title}\u2069`).join(', ')
  return (
    <p className="alert" role="status">
      {fillText(texts.partlyPurchased, { titles })}
    </p>
  )
}

export default island(MyDocuments)
