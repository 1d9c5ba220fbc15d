import { useStore } from '@nanostores/react'
import { pathIn } from '../../i18n/paths.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { openPreview } from '../../stores/library/reading.ts'
import { $receipts } from '../../stores/purchase/orders.ts'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import { useLocale } from '../parts/island.tsx'
import { KeepButton } from '../parts/KeepButton.tsx'
import { NewVersion } from './NewVersion.tsx'
import { useTexts } from './texts.ts'

interface Props {
  document: PurchasedDocument
  /** Beside the list of downloads, which says how its download goes on. */
  isQuiet?: boolean
}

/** What can be done with a document: look at it, download it, see its receipt. */
export function Actions({ document, isQuiet = false }: Props) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const order = useStore($receipts).get(document.documentId)
  const { documentId, documentTitle: title, fileType, fileSize } = document
  const named = (
    <span className="visually-hidden" dir="auto">
      {' '}
      {title}
    </span>
  )
  return (
    <>
      <div className="cluster">
        <button
          type="button"
          className="button button--primary"
          onClick={() => openPreview({ documentId, title })}
        >
          {texts.preview}
          {named}
        </button>
        <DownloadButton
          document={{ documentId, title, fileType, fileSize }}
          place="library"
          isQuiet={isQuiet}
        />
        {order !== undefined && (
          <a className="link" href={`${pathIn(locale, '/order')}?id=${order}`}>
            {texts.receipt}
            {named}
          </a>
        )}
      </div>
      <KeepButton documentId={documentId} title={title} version={document.version} />
      <NewVersion document={document} />
    </>
  )
}
