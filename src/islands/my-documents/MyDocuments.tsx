import './my-documents.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { fillText, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import {
  $library,
  $shownDocuments,
  clearLibraryFilters,
  loadLibrary,
} from '../../stores/library/library.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { type PageNotice, takeNotice } from '../../stores/shared/notices.ts'
import { useLocale } from '../parts/island.tsx'
import { EmptyState, LoadState, LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { ContinueReading } from './ContinueReading.tsx'
import { DocumentTable } from './DocumentTable.tsx'
import { Filters } from './Filters.tsx'
import { OpenOrders } from './OpenOrders.tsx'
import { island, useTexts } from './texts.ts'

const BOOKS = ['button', 'button', 'button', 'button'] as const

/** What the customer bought, or that nobody is logged in, or that it is loading, failed to load or is empty. */
function MyDocuments() {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const returnTo = pathIn(locale, '/my-documents')
  const userId = useCustomer(returnTo)
  const library = useStore($library, { ssr: notLoaded })

  useEffect(() => {
    // The preview is an island of its own, which otherwise hydrates only when it is first opened.
    dispatchEvent(new Event('karras:wake'))
  }, [])
  useEffect(() => {
    if (userId) void loadLibrary()
  }, [userId])

  if (userId === null) {
    return <LoggedOut text={texts.notLoggedIn} login={texts.login} returnTo={returnTo} />
  }
  return (
    <>
      <PurchaseNotice />
      {userId && <OpenOrders />}
      <LoadState
        state={library}
        loading={{ text: texts.loading, shapes: BOOKS }}
        failed={texts.failed}
        onRetry={loadLibrary}
      >
        {(documents) =>
          documents.length > 0 ? (
            <Shelf />
          ) : (
            <EmptyState {...texts.empty}>
              <Explore text={texts.explore} isMain />
            </EmptyState>
          )
        }
      </LoadState>
    </>
  )
}

function Explore({ text, isMain }: { text: string; isMain?: boolean }) {
  const locale = useLocale()
  return (
    <a className={isMain ? 'button button--primary' : 'button push'} href={pathIn(locale, '/shop')}>
      {text}
    </a>
  )
}

function Shelf() {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const documents = useStore($shownDocuments)
  return (
    <div className="library stack">
      <ContinueReading />
      <div className="cluster">
        <Filters />
        <Explore text={texts.explore} />
      </div>
      <p role="status">{pluralText(locale, texts.counts, 'count', documents.length)}</p>
      {documents.length === 0 ? (
        <EmptyState text={texts.none.text}>
          <button type="button" className="button" onClick={clearLibraryFilters}>
            {texts.none.clear}
          </button>
        </EmptyState>
      ) : (
        <DocumentTable documents={documents} />
      )}
    </div>
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
