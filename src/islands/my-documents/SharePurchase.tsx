import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { shareAddresses } from '../../rules/share.ts'
import { $library, entriesOf, type PurchasedDocument } from '../../stores/library/library.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { Button } from '../parts/Button.tsx'
import { useLocale } from '../parts/island.tsx'
import { useNames, useTexts } from './texts.ts'

/** A larger purchase offers its first documents. */
const SHARED_MOST = 3

/** Sends the pages of documents that were just bought on: pages of the shop, never files. */
export function SharePurchase({ ids }: { ids: readonly number[] }) {
  const texts = useTexts('library:page')
  const library = useStore($library, { ssr: notLoaded })
  if (library.phase !== 'ready') return null
  const bought = library.value
    .filter(({ documentId }) => ids.includes(documentId))
    .slice(0, SHARED_MOST)
  if (bought.length === 0) return null
  return (
    <section className="stack" aria-labelledby="share-purchase">
      <h2 id="share-purchase">{texts.shareBought}</h2>
      <ul className="stack">
        {bought.map((document) => (
          <li key={document.documentId} className="cluster">
            <bdi>{document.documentTitle}</bdi>
            <Ways document={document} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The browser's own list of apps where it has one, else two of them. */
function Ways({ document }: { document: PurchasedDocument }) {
  const locale = useLocale()
  const texts = useTexts('share:ways')
  const names = useNames()
  const [hasFailed, setFailed] = useState(false)
  const { documentId, documentTitle } = document
  const url = new URL(pathIn(locale, `/shop-details/${documentId}`), location.origin).href
  const text = `${documentTitle}\n${names.niveauId(entriesOf(document).niveauId)}`
  const { whatsApp, telegram } = shareAddresses(text, url)
  if ('share' in navigator && !hasFailed) {
    const share = () =>
      navigator.share({ text, url }).catch((error: unknown) => {
        // Closing the browser's list is no error.
        if ((error as DOMException).name !== 'AbortError') setFailed(true)
      })
    return <Button onClick={share}>{texts.share}</Button>
  }
  return (
    <span className="cluster">
      <a className="button button--plain" href={whatsApp} target="_blank" rel="noreferrer">
        {texts.whatsApp}
      </a>
      <a className="button button--plain" href={telegram} target="_blank" rel="noreferrer">
        {texts.telegram}
      </a>
    </span>
  )
}
