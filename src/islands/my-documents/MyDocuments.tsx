import './my-documents.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { fillText, pluralText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $session } from '../../stores/account/session.ts'
import {
  $library,
  $shownDocuments,
  clearLibraryFilters,
  type Library,
  loadLibrary,
} from '../../stores/library/library.ts'
import { type PageNotice, takeNotice } from '../../stores/shared/notices.ts'
import type { ReadingTexts } from '../overlays/PreviewDialog.tsx'
import { accountAddress } from '../parts/addresses.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
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

const nobody = () => null
const loading: Library = { phase: 'loading' }
const notLoaded = () => loading

/** What the customer bought, in its states: not logged in, loading, failed, empty, full. */
export default function MyDocuments({ locale, texts, reading, names, errors, waiting }: Props) {
  const isHydrated = useHydrated()
  const session = useStore($session, { ssr: nobody })
  const library = useStore($library, { ssr: notLoaded })
  const userId = session?.userId

  useEffect(() => {
    // Asked here: the first render says what the server rendered, which knew nobody. Whose session
    // ends later stays, and is told so.
    if (!$session.get()) location.replace(accountAddress(locale, pathIn(locale, '/my-documents')))
    // The preview modal is the page's own, and sleeps until somebody calls.
    dispatchEvent(new Event('karras:wake'))
  }, [locale])
  useEffect(() => {
    if (userId !== undefined) void loadLibrary()
  }, [userId])

  if (isHydrated && !session) {
    return (
      <div className="error-state" role="alert">
        <p>{texts.notLoggedIn}</p>
        <a
          className="button button--primary"
          href={accountAddress(locale, pathIn(locale, '/my-documents'))}
        >
          {texts.login}
        </a>
      </div>
    )
  }
  return (
    <>
      <PurchaseNotice texts={texts} />
      {session && <OpenOrders locale={locale} texts={texts} actions={waiting} />}
      {library.phase === 'loading' && <Loading text={texts.loading} />}
      {library.phase === 'failed' && (
        <div className="error-state" role="alert">
          <h2>{texts.failed.title}</h2>
          <p>{errors[library.problem.code]}</p>
          <button type="button" className="button button--primary" onClick={loadLibrary}>
            {texts.failed.retry}
          </button>
        </div>
      )}
      {library.phase === 'ready' && library.documents.length === 0 && (
        <div className="empty-state">
          <h2>{texts.empty.title}</h2>
          <p>{texts.empty.text}</p>
          <Explore locale={locale} text={texts.explore} isMain />
        </div>
      )}
      {library.phase === 'ready' && library.documents.length > 0 && (
        <Shelf locale={locale} texts={texts} reading={reading} names={names} />
      )}
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
        <div className="empty-state">
          <p>{texts.none.text}</p>
          <button type="button" className="button" onClick={clearLibraryFilters}>
            {texts.none.clear}
          </button>
        </div>
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

/** What the checkout left to say; once. */
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

function Loading({ text }: { text: string }) {
  return (
    <div className="stack" role="status" aria-busy="true">
      <span className="visually-hidden">{text}</span>
      {['first', 'second', 'third', 'fourth'].map((line) => (
        <div className="skeleton skeleton--button" key={line} />
      ))}
    </div>
  )
}
