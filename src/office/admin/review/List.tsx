import * as officeReview from '../../../contract/office-review.ts'
import { REVIEWED, type WaitingDocument } from '../../../contract/office-review.ts'
import { PriceOrFree } from '../../../islands/parts/Price.tsx'
import { finalPrice } from '../../../rules/discount.ts'
import { DocumentTitle } from '../../documents/documents.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment, Words } from '../../kit/tables/cells.tsx'
import { filterOf, OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import type { Column } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'

const reviewTable = tableOf(officeReview.listReview, {
  choices: { what: officeReview.REVIEWED },
})

const { island, useTexts } = adminTexts('office-review:list', 'office:table', 'common:price')

function List() {
  const texts = useTexts('office-review:list')
  const heads = texts.columns
  const columns: readonly Column<WaitingDocument>[] = [
    {
      head: heads.title,
      cell: (row) => (
        <DocumentTitle
          document={row}
          to={`/office/review-document?id=${row.id}`}
          untitled={texts.untitled}
        />
      ),
    },
    { head: heads.teacher, cell: ({ teacher }) => <Words>{teacher.name}</Words> },
    { head: heads.what, cell: ({ what }) => texts.whats[what] },
    { head: heads.pages, isNumber: true, cell: ({ pageCount }) => pageCount ?? '–' },
    { head: heads.price, isNumber: true, cell: (row) => <Cost document={row} /> },
    { head: heads.since, cell: ({ since }) => <Moment at={since} withTime /> },
  ]
  return (
    <OfficeTable
      table={reviewTable}
      columns={columns}
      texts={texts}
      filters={[filterOf('what', texts.what, REVIEWED, texts.whats)]}
    />
  )
}

function Cost({ document: { price, priceDiscount } }: { document: WaitingDocument }) {
  const { free } = useTexts('common:price')
  if (price === null) return '–'
  return <PriceOrFree amount={finalPrice({ price, priceDiscount })} free={free} className="money" />
}

export default island(List)
