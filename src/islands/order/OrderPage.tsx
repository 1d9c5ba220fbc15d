import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { fillText, formatDate } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $session } from '../../stores/account/session.ts'
import { $orderPage, loadOrder, type OrderPage as View } from '../../stores/purchase/orders.ts'
import { accountAddress } from '../parts/addresses.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
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

const loading: View = { phase: 'loading' }
const notLoaded = () => loading

/** One order of the customer, `/order?id=`: what it holds, and its receipt once it is paid. */
export default function OrderPage({ locale, texts, errors, seller, waiting }: Props) {
  const isHydrated = useHydrated()
  const view = useStore($orderPage, { ssr: notLoaded })
  const id = isHydrated ? orderId() : null

  useEffect(() => {
    if (!$session.get()) {
      location.replace(accountAddress(locale))
      return
    }
    const asked = orderId()
    if (asked !== null) void loadOrder(asked)
  }, [locale])

  const isMissing = isHydrated && (id === null || isUnknown(view))
  if (isMissing) {
    return (
      <div className="empty-state">
        <h2>{texts.missing.title}</h2>
        <p>{texts.missing.text}</p>
        <a className="button button--primary" href={pathIn(locale, '/my-documents')}>
          {texts.documents}
        </a>
      </div>
    )
  }
  if (view.phase === 'failed') {
    return (
      <div className="error-state" role="alert">
        <h2>{texts.failed.title}</h2>
        <p>{errors[view.problem.code]}</p>
        <button
          type="button"
          className="button button--primary"
          onClick={() => id !== null && loadOrder(id)}
        >
          {texts.failed.retry}
        </button>
      </div>
    )
  }
  if (view.phase === 'loading') {
    return (
      <div className="stack" role="status" aria-busy="true">
        <span className="visually-hidden">{texts.loading}</span>
        <div className="skeleton skeleton--line" />
        <div className="skeleton skeleton--line" />
        <div className="skeleton skeleton--button" />
      </div>
    )
  }
  const { order } = view
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

function isUnknown(view: View): boolean {
  return view.phase === 'failed' && ['order_not_found', 'invalid_input'].includes(view.problem.code)
}
