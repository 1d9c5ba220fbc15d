import type { ShopOrderDetail } from '../../../contract/office-orders.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText } from '../../../i18n/format.ts'
import type { Millimes } from '../../../rules/money.ts'
import { useLocale } from '../../parts/island.tsx'
import { Money, StateMark, Words } from '../parts/cells.tsx'
import { type Column, ShortTable } from '../parts/ShortTable.tsx'
import { useTexts } from './texts.ts'

type Item = ShopOrderDetail['items'][number]

interface Props {
  order: ShopOrderDetail
  onRefund: (seen: Millimes, documentId: number) => void
}

/** The documents of an order, each with a refund button. */
export function Items({ order: { items, status }, onRefund }: Props) {
  const locale = useLocale()
  const { items: heading, item: texts } = useTexts('office-money:order')
  const stateOf = ({ refundedAt, isOwned }: Item) => {
    if (refundedAt) {
      const date = formatDate(locale, refundedAt)
      return <StateMark kind="bad" text={fillText(texts.returned, { date })} />
    }
    if (isOwned) return <StateMark kind="good" text={texts.owned} />
    const text = status === 'paid' ? texts.elsewhere : texts.waits
    return <StateMark kind="off" text={text} />
  }
  const columns: readonly Column<Item>[] = [
    { head: texts.document, cell: ({ title }) => <Words>{title}</Words> },
    { head: texts.teacher, cell: ({ teacher }) => <Words>{teacher}</Words> },
    {
      head: texts.price,
      isNumber: true,
      cell: ({ price, refundedAt }) => <Money amount={price} isStruck={refundedAt !== null} />,
    },
    {
      head: texts.share,
      isNumber: true,
      cell: ({ share, refundedAt }) =>
        share === null ? '–' : <Money amount={share} isStruck={refundedAt !== null} />,
    },
    { head: texts.state, cell: stateOf },
    {
      head: texts.refund,
      isActions: true,
      cell: ({ documentId, price, refundedAt }) =>
        status === 'paid' &&
        refundedAt === null && (
          <button type="button" className="button" onClick={() => onRefund(price, documentId)}>
            {texts.refund}
          </button>
        ),
    },
  ]
  return (
    <section className="stack">
      <h2>{heading}</h2>
      <ShortTable
        label={heading}
        columns={columns}
        rows={items}
        rowKey={({ documentId }) => documentId}
      />
    </section>
  )
}
