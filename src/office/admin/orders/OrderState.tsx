import type { ShopOrder } from '../../../contract/office-orders.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { ORDER_MARKS, StateMark } from '../../kit/tables/cells.tsx'

export function OrderState({ order: { status, total, refunded } }: { order: ShopOrder }) {
  const locale = useLocale()
  const { statuses } = useTexts('office-money:common')
  if (status !== 'paid' || refunded === 0) {
    return <StateMark kind={ORDER_MARKS[status]} text={statuses[status]} />
  }
  if (refunded === total) return <StateMark kind="bad" text={statuses.refunded} />
  const amount = priceText(locale, refunded)
  return <StateMark kind="bad" text={fillText(statuses.partly, { amount })} />
}
