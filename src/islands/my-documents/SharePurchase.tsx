import { useStore } from '@nanostores/react'
import { pathIn } from '../../i18n/paths.ts'
import { $library, entriesOf, type PurchasedDocument } from '../../stores/library/library.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { useLocale } from '../parts/island.tsx'
import { ShareWays } from '../parts/ShareWays.tsx'
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

function Ways({ document }: { document: PurchasedDocument }) {
  const locale = useLocale()
  const names = useNames()
  const { documentId, documentTitle } = document
  const url = new URL(pathIn(locale, `/shop-details/${documentId}`), location.origin).href
  const text = `${documentTitle}\n${names.niveauId(entriesOf(document).niveauId)}`
  return <ShareWays text={text} url={url} />
}
