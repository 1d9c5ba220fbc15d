import type { Sale } from '../../../contract/earnings.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { monthText } from '../../kit/dates.ts'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { Moment, Money, StateMark, Words } from '../../kit/tables/cells.tsx'
import { documentFilter, filterOf, OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { type Column, priceColumn } from '../../kit/tables/ShortTable.tsx'
import { saleMonths, salesTable, soldDocuments } from './sales.ts'

const { island, useTexts } = officeTexts('office-earnings:sales', 'office:table')

function Sales() {
  const locale = useLocale()
  const { columns: heads, filters: labels, ...texts } = useTexts('office-earnings:sales')
  const months = useLoaded(saleMonths) ?? []
  const filters = [
    documentFilter('documentId', labels.document, useLoaded(soldDocuments) ?? []),
    filterOf('month', labels.month, months, (month) => monthText(locale, month)),
  ]
  const columns: readonly Column<Sale>[] = [
    { head: heads.document, cell: ({ document }) => <Words>{document.title}</Words> },
    { head: heads.soldAt, sort: 'soldAt', cell: ({ soldAt }) => <Moment at={soldAt} withTime /> },
    { head: heads.buyer, cell: ({ buyer }) => <Words>{buyer}</Words> },
    priceColumn(heads.price, texts.before, 'price'),
    {
      head: heads.share,
      sort: 'share',
      isNumber: true,
      cell: ({ share, refundedAt }) =>
        share === null ? '–' : <Money amount={share} isStruck={refundedAt !== null} />,
    },
    { head: heads.state, cell: (sale) => <SaleState sale={sale} /> },
  ]
  return <OfficeTable table={salesTable} columns={columns} texts={texts} filters={filters} />
}

function SaleState({ sale: { share, refundedAt, payableFrom } }: { sale: Sale }) {
  const locale = useLocale()
  const { states } = useTexts('office-earnings:sales')
  const withDate = (text: string, at: string) => fillText(text, { date: formatDate(locale, at) })
  if (refundedAt) return <StateMark kind="bad" text={withDate(states.refunded, refundedAt)} />
  if (share === null || !payableFrom) return <StateMark kind="off" text={states.before} />
  const isHeld = Date.parse(payableFrom) > Date.now()
  return isHeld ? (
    <StateMark kind="waiting" text={withDate(states.held, payableFrom)} />
  ) : (
    <StateMark kind="good" text={states.earned} />
  )
}

export default island(Sales)
