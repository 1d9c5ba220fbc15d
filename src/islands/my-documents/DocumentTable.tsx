import '../../parts/field.css'
import './my-documents.css'
import { memo } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { useLocale } from '../parts/island.tsx'
import { Table } from '../parts/Table.tsx'
import { NewVersionBadge, OwnStars, RowActions } from './Actions.tsx'
import { useFacts } from './facts.tsx'
import { useTexts } from './texts.ts'
import { type Shown, useInParts } from './use-shown.ts'

/** The facts with a column of their own. */
const SINGLE = ['teacher', 'price', 'date'] as const
const CLASSES = { teacher: undefined, price: 'row-short row-price', date: 'row-short' }

/** The bought documents; on phones each row is a card, with the column heads as labels. */
export const DocumentTable = memo(({ documents, choices }: Shown) => {
  const columns = useColumns()
  const { items, box } = useInParts<PurchasedDocument, HTMLTableSectionElement>(documents, choices)
  return (
    <Table columns={columns}>
      <tbody ref={box}>
        {items.map((document) => (
          <Row key={document.documentId} document={document} />
        ))}
      </tbody>
    </Table>
  )
})

/** The headings: what is about the contents shares a column, and so do the title and its stars. */
function useColumns() {
  const { columns } = useTexts('library:page')
  const { title, category, matiere, niveau, teacher, price, date, actions } = columns
  return { title, about: [category, matiere, niveau].join(' · '), teacher, price, date, actions }
}

const Row = memo(({ document }: { document: PurchasedDocument }) => {
  const locale = useLocale()
  const columns = useColumns()
  const facts = useFacts(document)
  const { documentId, documentTitle } = document
  return (
    <tr data-purchased={documentId}>
      <td className="row-title" data-label={columns.title}>
        <a className="along" href={pathIn(locale, `/shop-details/${documentId}`)} dir="auto">
          {documentTitle}
        </a>{' '}
        <NewVersionBadge document={document} />
        <div className="row-stars">
          {facts.rating}
          <OwnStars document={document} />
        </div>
      </td>
      <td className="row-about" data-label={columns.about}>
        <p>
          <span>{facts.category} ·</span> <span>{facts.matiere} ·</span> <span>{facts.niveau}</span>
        </p>
      </td>
      {SINGLE.map((name) => (
        <td key={name} className={CLASSES[name]} data-label={columns[name]}>
          {facts[name]}
        </td>
      ))}
      <td data-label={columns.actions}>
        <RowActions document={document} />
      </td>
    </tr>
  )
})
