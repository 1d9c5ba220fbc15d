import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $orderPage, loadOrder, type Order } from '../../stores/purchase/orders.ts'
import { type Loaded, notLoaded } from '../../stores/shared/loader.ts'
import { useLocale } from '../parts/island.tsx'
import { EmptyState, LoadState } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { WaitingOrder } from '../waiting-order/WaitingOrder.tsx'
import { Receipt, type Seller } from './Receipt.tsx'
import { island, useTexts } from './texts.ts'

interface Props {
  seller: Seller
}

const RECEIPT = ['line', 'line', 'button'] as const

/** An order of the customer (`/order?id=`): its items, and its receipt once it is paid. */
function OrderPage({ seller }: Props) {
  const locale = useLocale()
  const texts = useTexts('order:page')
  const isHydrated = useHydrated()
  const userId = useCustomer()
  const order = useStore($orderPage, { ssr: notLoaded })
  const id = isHydrated ? orderId() : null

  useEffect(() => {
    if (userId && id !== null) void loadOrder(id)
  }, [userId, id])

  const isMissing = isHydrated && (id === null || isUnknown(order))
  if (isMissing) {
    return (
      <EmptyState {...texts.missing}>
        <a className="button button--primary" href={pathIn(locale, '/my-documents')}>
          {texts.documents}
        </a>
      </EmptyState>
    )
  }
  return (
    <LoadState
      state={order}
      loading={{ text: texts.loading, shapes: RECEIPT }}
      failed={texts.failed}
      onRetry={() => id !== null && loadOrder(id)}
    >
      {(order) => <OrderSheet order={order} seller={seller} />}
    </LoadState>
  )
}

interface OrderSheetProps extends Props {
  order: Order
}

function OrderSheet({ order, seller }: OrderSheetProps) {
  const locale = useLocale()
  const texts = useTexts('order:page')
  return (
    <>
      {order.status !== 'paid' && (
        <div className="alert no-print">
          <p>
            {fillText(texts.status[order.status], {
              date: `\u2068${formatDate(locale, order.expiresAt)}\u2069`,
            })}
          </p>
          {order.payment?.paymentUrl && (
            <p>
              <a className="link" href={order.payment.paymentUrl}>
                {order.method === 'card' ? texts.pay : texts.instructions}
              </a>
            </p>
          )}
          {order.status === 'pending' && <WaitingOrder orderId={order.id} isOwnPage />}
        </div>
      )}
      <Receipt order={order} seller={seller} />
      <p className="cluster no-print">
        {order.status === 'paid' && (
          <button type="button" className="button button--primary" onClick={() => print()}>
            {texts.print}
          </button>
        )}
        <a className="button" href={pathIn(locale, '/my-documents')}>
          {texts.documents}
        </a>
      </p>
    </>
  )
}

/** The id of the order that the URL names, or null. */
function orderId(): number | null {
  const [id] = /^[1-9]\d{0,9}$/.exec(new URLSearchParams(location.search).get('id') ?? '') ?? []
  return id === undefined ? null : Number(id)
}

function isUnknown(order: Loaded<Order>): boolean {
  return (
    order.phase === 'failed' && ['order_not_found', 'invalid_input'].includes(order.problem.code)
  )
}

export default island(OrderPage)
