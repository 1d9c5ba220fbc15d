import '../parts/field.css'
import './my-documents.css'
import { memo } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { useLocale } from '../parts/island.tsx'
import { Table } from '../parts/Table.tsx'
import { NewVersionBadge, OwnStars, RowActions } from './Actions.tsx'
import { FACTS, useFacts } from './facts.tsx'
import { useTexts } from './texts.ts'
import { type Shown, useInParts } from './use-shown.ts'

/** The nine columns and the buttons of a row fit into windows of this width, in pixels, in every language. */
const FITS_FROM = 1280

/** The bought documents; where they do not fit each row is a card, with the column heads as labels. */
export const DocumentTable = memo(({ documents, choices }: Shown) => {
  const { columns } = useTexts('library:page')
  const { items, box } = useInParts<PurchasedDocument, HTMLTableSectionElement>(documents, choices)
  return (
    <Table columns={columns} cardsBelow={FITS_FROM}>
      <tbody ref={box}>
        {items.map((document) => (
          <Row key={document.documentId} document={document} />
        ))}
      </tbody>
    </Table>
  )
})

const Row = memo(({ document }: { document: PurchasedDocument }) => {
  const locale = useLocale()
  const { columns } = useTexts('library:page')
  const facts = useFacts(document)
  const { documentId, documentTitle } = document
  return (
    <tr data-purchased={documentId}>
      <td className="row-title" data-label={columns.title}>
        <a className="along" href={pathIn(locale, `/shop-details/${documentId}`)} dir="auto">
          {documentTitle}
        </a>{' '}
        <NewVersionBadge document={document} />
      </td>
      {FACTS.map((name) => (
        <td key={name} data-label={columns[name]}>
          {facts[name]}
          {name === 'rating' && <OwnStars document={document} />}
        </td>
      ))}
      <td data-label={columns.actions}>
        <RowActions document={document} />
      </td>
    </tr>
  )
})
