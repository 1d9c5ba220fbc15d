import type { ShopOrderDetail } from '../../../contract/office-orders.ts'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import type { Millimes } from '../../../rules/money.ts'
import { useLocale } from '../../parts/island.tsx'
import { Facts, Moment, Money, PersonCell } from '../parts/cells.tsx'
import { OrderState } from './OrderState.tsx'
import { useTexts } from './texts.ts'

interface Props {
  order: ShopOrderDetail
  onRefund: (seen: Millimes) => void
}

/** The buyer, the dates, the payment and the refunds of an order. */
export function OrderFacts({ order, onRefund }: Props) {
  const locale = useLocale()
  const { number, facts, refund } = useTexts('office-money:order')
  const { methods } = useTexts('office-money:common')
  const { id, buyer, items, status } = order
  const open = items.filter(({ refundedAt }) => refundedAt === null)
  const remainder = open.reduce((sum, { price }) => sum + price, 0)
  return (
    <section className="order__facts stack">
      <div className="order__head">
        <h2>{fillText(number, { number: id })}</h2>
        <OrderState order={order} />
      </div>
      <Facts
        facts={[
          [facts.buyer, <PersonCell key="buyer" person={buyer} />],
          [
            facts.wallet,
            <a key="wallet" href={`${pathIn(locale, '/office/wallet')}?id=${buyer.id}`}>
              {facts.wallet}
            </a>,
          ],
          [facts.created, <Moment key="created" at={order.createdAt} withTime />],
          order.paidAt && [facts.paid, <Moment key="paid" at={order.paidAt} withTime />],
          order.receiptNumber && [facts.receipt, order.receiptNumber],
          [facts.method, methods[order.method]],
          [facts.total, <Money key="total" amount={order.total} />],
          order.refunded > 0 && [facts.refunded, <Money key="back" amount={order.refunded} />],
        ]}
      />
      {status === 'paid' && open.length > 0 && (
        <button type="button" className="button" onClick={() => onRefund(remainder)}>
          {open.length === items.length ? refund.all : refund.rest}
        </button>
      )}
    </section>
  )
}
