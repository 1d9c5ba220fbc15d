import './my-documents.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { fillText, pluralText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import {
  $library,
  $shownDocuments,
  clearLibraryFilters,
  loadLibrary,
} from '../../stores/library/library.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { type PageNotice, takeNotice } from '../../stores/shared/notices.ts'
import type { ReadingTexts } from '../overlays/PreviewDialog.tsx'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { EmptyState, LoadState, LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import type { WaitingOrderTexts } from '../waiting-order/WaitingOrder.tsx'
import { ContinueReading } from './ContinueReading.tsx'
import { DocumentTable } from './DocumentTable.tsx'
import { Filters } from './Filters.tsx'
import { OpenOrders } from './OpenOrders.tsx'
import type { CatalogueTexts, LibraryTexts } from './texts.ts'

interface Props {
  locale: Locale
  texts: LibraryTexts
  reading: ReadingTexts
  names: CatalogueTexts
  errors: ErrorTexts
  waiting: WaitingOrderTexts
}

const BOOKS = ['button', 'button', 'button', 'button'] as const

/** What the customer bought, in its states: not logged in, loading, failed, empty, full. */
export default function MyDocuments({ locale, texts, reading, names, errors, waiting }: Props) {
  const returnTo = pathIn(locale, '/my-documents')
  const userId = useCustomer(locale, returnTo)
  const library = useStore($library, { ssr: notLoaded })

  useEffect(() => {
    // The preview modal is the page's own, and sleeps until somebody calls.
    dispatchEvent(new Event('karras:wake'))
  }, [])
  useEffect(() => {
    if (userId) void loadLibrary()
  }, [userId])

  if (userId === null) {
    return (
      <LoggedOut locale={locale} text={texts.notLoggedIn} login={texts.login} returnTo={returnTo} />
    )
  }
  return (
    <>
      <PurchaseNotice texts={texts} />
      {userId && <OpenOrders locale={locale} texts={texts} actions={waiting} />}
      <LoadState
        state={library}
        loading={{ text: texts.loading, shapes: BOOKS }}
        failed={texts.failed}
        errors={errors}
        onRetry={loadLibrary}
      >
        {(documents) =>
          documents.length > 0 ? (
            <Shelf locale={locale} texts={texts} reading={reading} names={names} />
          ) : (
            <EmptyState {...texts.empty}>
              <Explore locale={locale} text={texts.explore} isMain />
            </EmptyState>
          )
        }
      </LoadState>
    </>
  )
}

function Explore({ locale, text, isMain }: { locale: Locale; text: string; isMain?: boolean }) {
  return (
    <a className={isMain ? 'button button--primary' : 'button push'} href={pathIn(locale, '/shop')}>
      {text}
    </a>
  )
}

type ShelfProps = Omit<Props, 'errors' | 'waiting'>

function Shelf({ locale, texts, reading, names }: ShelfProps) {
  const documents = useStore($shownDocuments)
  return (
    <div className="library stack">
      <ContinueReading texts={texts.continue} />
      <div className="cluster">
        <Filters texts={texts.filters} names={names} />
        <Explore locale={locale} text={texts.explore} />
      </div>
      <p role="status">{pluralText(locale, texts.counts, 'count', documents.length)}</p>
      {documents.length === 0 ? (
        <EmptyState text={texts.none.text}>
          <button type="button" className="button" onClick={clearLibraryFilters}>
            {texts.none.clear}
          </button>
        </EmptyState>
      ) : (
        <DocumentTable
          documents={documents}
          locale={locale}
          texts={texts}
          problems={reading.problems}
          names={names}
        />
      )}
    </div>
  )
}

type Purchased = Exclude<PageNotice, { kind: 'registered' }>

/** The notice that the checkout left for this page; shown once. */
function PurchaseNotice({ texts }: { texts: LibraryTexts }) {
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
    <p className="alert alert--info" role="status">
      {fillText(texts.partlyPurchased, { titles })}
    </p>
  )
}
