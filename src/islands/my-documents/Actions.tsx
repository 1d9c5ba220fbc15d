import '../../parts/stars.css'
import { useStore } from '@nanostores/react'
import { createContext, useContext } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, isolate, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { type PurchasedDocument, refreshLibrary } from '../../stores/library/library.ts'
import { openPreview } from '../../stores/library/reading.ts'
import { openBook, openRating } from '../../stores/library/shown.ts'
import { $receipts } from '../../stores/purchase/orders.ts'
import { Button } from '../parts/Button.tsx'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import { IconButton } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { KeepButton } from '../parts/KeepButton.tsx'
import { useTexts } from './texts.ts'

interface Props {
  document: PurchasedDocument
}

/** Whether the shop makes out invoices. */
export const OffersInvoices = createContext(false)

export function Actions({ document }: Props) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const order = useStore($receipts).get(document.documentId)
  const offersInvoice = useContext(OffersInvoices) && document.amount > 0
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
        {order !== undefined && offersInvoice && (
          <a className="button" href={`${pathIn(locale, '/order')}?id=${order}#invoice`}>
            {texts.invoice}
            <Named title={title} />
          </a>
        )}
      </div>
      <KeepButton documentId={documentId} title={title} version={version} />
      <NewVersion document={document} />
    </>
  )
}

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
  const { documentId, documentTitle: title, fileType, fileSize, newVersion } = document
  return (
    <>
      <Button kind="primary" onClick={() => openPreview({ documentId, title })}>
        {texts.preview}
        <Named title={title} />
      </Button>
      <DownloadButton
        document={{ documentId, title, fileType, fileSize }}
        place="library"
        isQuiet={isQuiet}
        // It is no longer new to its owner.
        onStart={() => newVersion && refreshLibrary()}
      />
    </>
  )
}

export function MoreButton({ document: { documentId, documentTitle } }: Props) {
  const { more } = useTexts('library:page').book
  return (
    <IconButton
      icon="more"
      label={fillText(more, { title: isolate(documentTitle) })}
      aria-haspopup="dialog"
      onClick={() => openBook(documentId)}
    />
  )
}

/** A title after the words of a control, for screen readers alone. */
export function Named({ title }: { title: string }) {
  return (
    <span className="visually-hidden" dir="auto">
      {' '}
      {title}
    </span>
  )
}

export function NewVersionBadge({ document: { newVersion } }: Props) {
  const texts = useTexts('versions:library')
  return newVersion ? <span className="badge badge--new">{texts.new}</span> : null
}

function NewVersion({ document }: Props) {
  const locale = useLocale()
  const texts = useTexts('versions:library')
  const { newVersion, earlierVersion } = document
  if (!newVersion && !earlierVersion) return null
  return (
    <div className="new-version">
      {newVersion && (
        <p>
          <NewVersionBadge document={document} />{' '}
          <span className="soft">
            {fillText(texts.since, { date: formatDate(locale, newVersion.at) })}
          </span>
        </p>
      )}
      {newVersion && newVersion.changes !== '' && (
        <blockquote aria-label={texts.changes}>
          {newVersion.changes.split('\n').map((change) => (
            <p key={change} dir="auto">
              {change}
            </p>
          ))}
        </blockquote>
      )}
      {earlierVersion && <Earlier document={document} earlier={earlierVersion} />}
    </div>
  )
}

function Earlier({
  document: { documentId, documentTitle, fileType },
  earlier: { number, until },
}: Props & { earlier: NonNullable<PurchasedDocument['earlierVersion']> }) {
  const locale = useLocale()
  const texts = useTexts('versions:library')
  const title = fillText(texts.fileName, { title: documentTitle, number })
  return (
    <>
      <DownloadButton
        document={{ documentId, version: number, title, fileType }}
        place="library"
        label={texts.earlier}
      />
      <p className="soft">{fillText(texts.until, { date: formatDate(locale, until) })}</p>
    </>
  )
}

export function OwnStars({ document }: { document: PurchasedDocument }) {
  const locale = useLocale()
  const { rate, rated } = useTexts('library:page').book
  const { star } = useTexts('ratings:form')
  const own = document.ownRating ?? 0
  return (
    <button
      type="button"
      className="own-stars"
      data-own={own}
      onClick={() => openRating(document.documentId)}
    >
      <span className="visually-hidden" dir="auto">
        {own > 0 ? `${rated} ${pluralText(locale, star, 'star', own)}: ` : `${rate}: `}
        {document.documentTitle}
      </span>
    </button>
  )
}
