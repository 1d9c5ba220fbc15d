import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { fillText, formatDate } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $orderPage, loadOrder, type Order } from '../../stores/purchase/orders.ts'
import { type Loaded, notLoaded } from '../../stores/shared/loader.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { EmptyState, LoadState } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { WaitingOrder, type WaitingOrderTexts } from '../waiting-order/WaitingOrder.tsx'
import { Receipt } from './Receipt.tsx'
import type { OrderTexts, Seller } from './texts.ts'

interface Props {
  locale: Locale
  texts: OrderTexts
  errors: ErrorTexts
  seller: Seller
  waiting: WaitingOrderTexts
}

const RECEIPT = ['line', 'line', 'button'] as const

/** One order of the customer, `/order?id=`: what it holds, and its receipt once it is paid. */
export default function OrderPage({ locale, texts, errors, seller, waiting }: Props) {
  const isHydrated = useHydrated()
  const userId = useCustomer(locale)
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
      errors={errors}
      onRetry={() => id !== null && loadOrder(id)}
    >
      {(order) => (
        <OrderSheet order={order} locale={locale} texts={texts} seller={seller} waiting={waiting} />
      )}
    </LoadState>
  )
}

interface OrderSheetProps extends Omit<Props, 'errors'> {
  order: Order
}

function OrderSheet({ order, locale, texts, seller, waiting }: OrderSheetProps) {
  return (
    <>
      {order.status !== 'paid' && (
        <div className="alert alert--info no-print">
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
          {order.status === 'pending' && (
            <WaitingOrder orderId={order.id} locale={locale} texts={waiting} isOwnPage />
          )}
        </div>
      )}
      <Receipt order={order} locale={locale} texts={texts} seller={seller} />
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

/** The order that the page's address names; null for none. */
function orderId(): number | null {
  const [id] = /^[1-9]\d{0,9}$/.exec(new URLSearchParams(location.search).get('id') ?? '') ?? []
  return id === undefined ? null : Number(id)
}

function isUnknown(order: Loaded<Order>): boolean {
  return (
    order.phase === 'failed' && ['order_not_found', 'invalid_input'].includes(order.problem.code)
  )
}
