import type { ShopOrderDetail } from '../../../contract/office-orders.ts'
import { readableReference } from '../../../rules/typed-numbers.ts'
import { useTexts as useGroup } from '../../parts/island.tsx'
import { Moment, Money, PAYMENT_MARKS, Reference, StateMark } from '../parts/cells.tsx'
import { type Column, ShortTable } from '../parts/ShortTable.tsx'
import { useTexts } from './texts.ts'

/** The payments that were started for an order, newest first. */
export function Payments({ order: { payments, method } }: { order: ShopOrderDetail }) {
  const { payments: heading, payment: texts } = useTexts('office-money:order')
  const common = useGroup('office-money:common')
  const columns: readonly Column<ShopOrderDetail['payments'][number]>[] = [
    {
      head: texts.reference,
      cell: ({ paymentRef }) => <Reference>{readableReference(paymentRef)}</Reference>,
    },
    { head: texts.amount, isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
    { head: texts.method, cell: (payment) => common.methods[payment.method] },
    { head: texts.since, cell: ({ createdAt }) => <Moment at={createdAt} withTime /> },
    {
      head: texts.state,
      cell: ({ state }) => <StateMark kind={PAYMENT_MARKS[state]} text={common.payments[state]} />,
    },
  ]
  if (payments.length === 0) {
    return method === 'wallet' ? (
      <section className="stack">
        <h2>{heading}</h2>
        <p className="soft">{texts.none}</p>
      </section>
    ) : null
  }
  return (
    <section className="stack">
      <h2>{heading}</h2>
      <ShortTable
        label={heading}
        columns={columns}
        rows={payments}
        rowKey={({ paymentRef }) => paymentRef}
      />
    </section>
  )
}
