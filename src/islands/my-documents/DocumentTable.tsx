import '../parts/field.css'
import '../parts/table.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { calledIn, fillText, formatDate, formatRating } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { entriesOf, type PurchasedDocument } from '../../stores/library/library.ts'
import {
  $downloading,
  downloadDocument,
  openPreview,
  type ReadingProblem,
} from '../../stores/library/reading.ts'
import { $receipts } from '../../stores/purchase/orders.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { PriceOrFree } from '../parts/Price.tsx'
import { Star } from '../parts/Star.tsx'
import { useNames, useTexts } from './texts.ts'

/** The bought documents; on phones each row is a card, with the column heads as labels. */
export function DocumentTable({ documents }: { documents: readonly PurchasedDocument[] }) {
  const { columns } = useTexts('library:page')
  return (
    <div className="table-wrap">
      <table className="table">
        <thead>
          <tr>
            {Object.entries(columns).map(([name, text]) => (
              <th scope="col" key={name}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <Row key={document.documentId} document={document} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  document: PurchasedDocument
}

function Row({ document }: RowProps) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const { columns } = texts
  const names = useNames()
  const { documentId, documentTitle } = document
  const entries = entriesOf(document)
  return (
    <tr className="doc-row">
      <td data-label={columns.title}>
        <a className="along" href={pathIn(locale, `/shop-details/${documentId}`)} dir="auto">
          {documentTitle}
        </a>
      </td>
      <td data-label={columns.rating}>
        <Rating rating={document.averageRating} />
      </td>
      <td data-label={columns.category}>{names.category(entries.category)}</td>
      <td data-label={columns.matiere}>{names.matiereId(entries.matiereId)}</td>
      <td data-label={columns.niveau}>{names.niveauId(entries.niveauId)}</td>
      <td data-label={columns.teacher}>
        <bdi className="along">
          {calledIn(locale, {
            name: document.teacherName,
            latinName: document.teacherLatinName,
          })}
        </bdi>
      </td>
      <td data-label={columns.price}>
        <PriceOrFree amount={document.amount} free={texts.free} />
      </td>
      <td data-label={columns.date}>
        <time dateTime={document.purchaseDate}>{formatDate(locale, document.purchaseDate)}</time>
      </td>
      <td data-label={columns.actions}>
        <Actions document={document} />
      </td>
    </tr>
  )
}

function Actions({ document }: RowProps) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const { problems } = useTexts('library:reading')
  const order = useStore($receipts).get(document.documentId)
  const { documentId, documentTitle: title, fileType } = document
  const isDownloading = useStore($downloading).has(documentId)
  const [problem, setProblem] = useState<ReadingProblem | null>(null)
  const download = async () => {
    setProblem(null)
    setProblem(await downloadDocument({ documentId, title, fileType }, 'library'))
  }
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
        <button type="button" className="button" aria-busy={isDownloading} onClick={download}>
          {!isDownloading && <Icon name="download" />}
          {texts.download}
          {named}
        </button>
        {order !== undefined && (
          <a className="link" href={`${pathIn(locale, '/order')}?id=${order}`}>
            {texts.receipt}
            {named}
          </a>
        )}
      </div>
      {problem && (
        <p className="field__error" role="alert">
          {problems[problem]}
        </p>
      )}
    </>
  )
}

function Rating({ rating }: { rating: number }) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  if (rating <= 0) return <span className="stars stars__count">{texts.noRating}</span>
  const shown = formatRating(locale, rating)
  return (
    <span className="stars">
      <span className="visually-hidden">{fillText(texts.rating, { rating: shown })}</span>
      <Star />
      <span aria-hidden="true">{shown}</span>
    </span>
  )
}
