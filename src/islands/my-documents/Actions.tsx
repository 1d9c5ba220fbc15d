import { useStore } from '@nanostores/react'
import { fillText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { openBook } from '../../stores/library/opened.ts'
import { openPreview } from '../../stores/library/reading.ts'
import { $receipts } from '../../stores/purchase/orders.ts'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { KeepButton } from '../parts/KeepButton.tsx'
import { NewVersion } from './NewVersion.tsx'
import { useTexts } from './texts.ts'

interface Props {
  document: PurchasedDocument
}

/** Everything that can be done with a document: read it, download it, keep it, see its receipt. */
export function Actions({ document }: Props) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const order = useStore($receipts).get(document.documentId)
  const { documentId, documentTitle: title, version } = document
  return (
    <>
      <div className="cluster">
        <MainActions document={document} />
        {order !== undefined && (
          <a className="link" href={`${pathIn(locale, '/order')}?id=${order}`}>
            {texts.receipt}
            <Named title={title} />
          </a>
        )}
      </div>
      <KeepButton documentId={documentId} title={title} version={version} />
      <NewVersion document={document} />
    </>
  )
}

/**
 * The most frequent actions, and a button for the others. The list of downloads shows the progress.
 */
export function RowActions({ document }: Props) {
  return (
    <div className="row-actions">
      <MainActions document={document} isQuiet />
      <MoreButton document={document} />
    </div>
  )
}

function MainActions({ document, isQuiet = false }: Props & { isQuiet?: boolean }) {
  const texts = useTexts('library:page')
  const { documentId, documentTitle: title, fileType, fileSize } = document
  return (
    <>
      <button
        type="button"
        className="button button--primary"
        onClick={() => openPreview({ documentId, title })}
      >
        {texts.preview}
        <Named title={title} />
      </button>
      <DownloadButton
        document={{ documentId, title, fileType, fileSize }}
        place="library"
        isQuiet={isQuiet}
      />
    </>
  )
}

/** A button that opens a document's dialog. */
export function MoreButton({ document: { documentId, documentTitle } }: Props) {
  const { more } = useTexts('library:page').book
  return (
    <button
      type="button"
      className="icon-button"
      aria-haspopup="dialog"
      aria-label={fillText(more, { title: `\u2068${documentTitle}\u2069` })}
      onClick={() => openBook(documentId)}
    >
      <Icon name="more" />
    </button>
  )
}

function Named({ title }: { title: string }) {
  return (
    <span className="visually-hidden" dir="auto">
      {' '}
      {title}
    </span>
  )
}
