import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import {
  $orderPage,
  askForInvoice,
  downloadInvoice,
  loadOrder,
  type Order,
} from '../../stores/purchase/orders.ts'
import { type Loaded, notLoaded } from '../../stores/shared/loader.ts'
import { Invoices } from '../parts/Invoices.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { EmptyState, LoadState } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { WaitingOrder } from '../waiting-order/WaitingOrder.tsx'
import './receipt.css'
import { Price, PriceOrFree } from '../parts/Price.tsx'

export const { island, useTexts } = islandTexts(
  'order:page',
  'order:waiting',
  'common:methods',
  'invoice:page',
  'errors:codes',
)

interface Props {
  seller: Seller
}

const RECEIPT = ['line', 'line', 'button'] as const

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
  // What is not refunded can be invoiced.
  const left = order.items.some(({ price, refundedAt }) => price > 0 && refundedAt === null)
  const mayInvoice = seller.taxNumber !== '' && order.status === 'paid' && left
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
      <Invoices
        invoices={order.invoices}
        buyer={mayInvoice ? order.buyer.name : null}
        onAsk={(buyer) => askForInvoice(order.id, buyer)}
        onDownload={downloadInvoice}
      />
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

export interface Seller {
  name: string
  addresses: readonly string[]
  phones: readonly string[]
  email: string
  /** '' where the shop makes out no invoices. */
  taxNumber: string
}

interface ReceiptProps {
  order: Order
  seller: Seller
}

export function Receipt({ order, seller }: ReceiptProps) {
  const locale = useLocale()
  const texts = useTexts('order:page')
  const methods = useTexts('common:methods')
  const refunded = order.items
    .filter(({ refundedAt }) => refundedAt !== null)
    .reduce((sum, { price }) => sum + price, 0)
  return (
    <article className="receipt">
      <header className="receipt__head">
        <div>
          <p className="receipt__name">
            <bdi>{seller.name}</bdi>
          </p>
          {seller.taxNumber && (
            <p>
              {texts.taxNumber} <bdi dir="ltr">{seller.taxNumber}</bdi>
            </p>
          )}
          {seller.addresses.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {seller.phones.map((phone) => (
            <p key={phone}>
              <bdi dir="ltr">{phone}</bdi>
            </p>
          ))}
          {seller.email && (
            <p>
              <bdi dir="ltr">{seller.email}</bdi>
            </p>
          )}
        </div>
        <dl className="receipt__facts">
          {order.receiptNumber !== null && (
            <Fact name={texts.number} value={String(order.receiptNumber)} />
          )}
          <Fact name={texts.order} value={String(order.id)} />
          <Fact name={texts.date} value={formatDate(locale, order.createdAt)} />
          {order.paidAt !== null && (
            <Fact name={texts.paidAt} value={formatDate(locale, order.paidAt)} />
          )}
          <Fact name={texts.method} value={methods[order.method]} />
        </dl>
      </header>
      <p>
        <span className="soft">{texts.buyer}</span> <bdi>{order.buyer.name}</bdi>
        {order.buyer.email && (
          <>
            {' · '}
            <bdi dir="ltr">{order.buyer.email}</bdi>
          </>
        )}
      </p>
      <table className="receipt__items">
        <thead>
          <tr>
            <th scope="col">{texts.document}</th>
            <th scope="col">{texts.price}</th>
          </tr>
        </thead>
        <tbody>
          {order.items.map(({ documentId, title, price, refundedAt }) => (
            <tr key={documentId}>
              <td>
                <bdi className="along">{title}</bdi>
                {refundedAt !== null && (
                  <small className="receipt__refund">
                    {fillText(texts.refunded, {
                      date: `\u2068${formatDate(locale, refundedAt)}\u2069`,
                    })}
                  </small>
                )}
              </td>
              <td>
                <PriceOrFree amount={price} free={texts.free} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td>
              <Price amount={order.total} />
            </td>
          </tr>
          {refunded > 0 && (
            <tr>
              <th scope="row">{texts.refundedTotal}</th>
              <td>
                <Price amount={refunded} />
              </td>
            </tr>
          )}
        </tfoot>
      </table>
      {order.status === 'paid' && <p className="receipt__note">{texts.note}</p>}
    </article>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}
