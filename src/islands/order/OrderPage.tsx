import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, isolate, priceText } from '../../i18n/format.ts'
import {
  $orderPage,
  askForInvoice,
  downloadInvoice,
  loadOrder,
  type Order,
} from '../../stores/purchase/orders.ts'
import { type Loaded, notLoaded } from '../../stores/shared/loader.ts'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { Invoices } from '../parts/Invoices.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { useSaid } from '../parts/Message.tsx'
import { EmptyState, LoadState } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { WaitingOrder } from '../waiting-order/WaitingOrder.tsx'
import './receipt.css'
import { logoAddress, readLogoName } from '../../rules/brand.ts'
import { byBundle } from '../../rules/by-bundle.ts'
import { ColumnPrice, useColumnHead } from '../parts/ColumnPrice.tsx'

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
        <ButtonLink kind="primary" to="/my-documents">
          {texts.documents}
        </ButtonLink>
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
  // Only the part that is not refunded can be invoiced.
  const left = order.items.some(({ price, refundedAt }) => price > 0 && refundedAt === null)
  const mayInvoice = seller.taxNumber !== '' && order.status === 'paid' && left
  const status =
    order.status === 'paid'
      ? ''
      : fillText(texts.status[order.status], {
          date: isolate(formatDate(locale, order.expiresAt)),
        })
  const said = useSaid(status)
  return (
    <>
      {order.status !== 'paid' && (
        <div className="alert no-print" role="status" ref={said}>
          <p>{status}</p>
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
          <Button kind="primary" onClick={() => print()}>
            {texts.print}
          </Button>
        )}
        <ButtonLink to="/my-documents">{texts.documents}</ButtonLink>
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
  /** What the shop is called, and its uploaded logo; '' for none. */
  brand: string
  logo: string
  /** The name by law. */
  name: string
  addresses: readonly string[]
  phones: readonly string[]
  email: string
  /** '' where the shop makes out no invoices. */
  taxNumber: string
}

export function Receipt({ order, seller }: { order: Order; seller: Seller }) {
  const locale = useLocale()
  const texts = useTexts('order:page')
  const methods = useTexts('common:methods')
  const headOf = useColumnHead()
  const refunded = order.items
    .filter(({ refundedAt }) => refundedAt !== null)
    .reduce((sum, { price }) => sum + price, 0)
  const saved = order.items.reduce(
    (sum, { price, priceBefore = price }) => sum + priceBefore - price,
    0,
  )
  return (
    <article className="receipt">
      <header className="receipt__head">
        <Mark seller={seller} />
        {order.receiptNumber !== null && (
          <p className="receipt__title">
            {texts.number} <bdi dir="ltr">{order.receiptNumber}</bdi>
          </p>
        )}
      </header>
      <dl className="receipt__facts">
        <Fact name={texts.order} value={String(order.id)} />
        <Fact name={texts.date} value={formatDate(locale, order.createdAt)} />
        {order.paidAt !== null && (
          <Fact name={texts.paidAt} value={formatDate(locale, order.paidAt)} />
        )}
        <Fact name={texts.method} value={methods[order.method]} />
      </dl>
      <div className="receipt__parties">
        <address className="receipt__seller">
          <strong>
            <bdi>{seller.name}</bdi>
          </strong>
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
        </address>
        <div>
          <p className="soft">{texts.buyer}</p>
          <strong>
            <bdi>{order.buyer.name}</bdi>
          </strong>
          {order.buyer.email && (
            <p>
              <bdi dir="ltr">{order.buyer.email}</bdi>
            </p>
          )}
        </div>
      </div>
      <table className="receipt__items">
        <thead>
          <tr>
            <th scope="col">{texts.document}</th>
            <th scope="col">{headOf(texts.price)}</th>
          </tr>
        </thead>
        {byBundle(order.items).map(({ bundleId, items }) => (
          <tbody key={bundleId}>
            {bundleId !== null && (
              <tr>
                <th scope="rowgroup" colSpan={2}>
                  {fillText(texts.bundle, { number: bundleId })}
                </th>
              </tr>
            )}
            {items.map(({ documentId, title, price, priceBefore, refundedAt }) => (
              <tr key={documentId}>
                <td>
                  <bdi className="along">{title}</bdi>
                  {priceBefore !== undefined && (
                    <small className="receipt__refund">
                      {fillText(texts.priceBefore, { amount: priceText(locale, priceBefore) })}
                    </small>
                  )}
                  {refundedAt !== null && (
                    <small className="receipt__refund">
                      {fillText(texts.refunded, {
                        date: isolate(formatDate(locale, refundedAt)),
                      })}
                    </small>
                  )}
                </td>
                <td dir="ltr">
                  {price === 0 ? (
                    <strong className="price price--free">{texts.free}</strong>
                  ) : (
                    <ColumnPrice amount={price} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
        <tfoot>
          {order.code && (
            <tr>
              <th scope="row">{fillText(texts.code, { code: isolate(order.code) })}</th>
              <td dir="ltr">
                <ColumnPrice amount={-saved} />
              </td>
            </tr>
          )}
          <tr className="receipt__total">
            <th scope="row">{texts.total}</th>
            <td dir="ltr">
              <ColumnPrice amount={order.total} />
            </td>
          </tr>
          {refunded > 0 && (
            <tr>
              <th scope="row">{texts.refundedTotal}</th>
              <td dir="ltr">
                <ColumnPrice amount={refunded} />
              </td>
            </tr>
          )}
        </tfoot>
      </table>
      {order.status === 'paid' && <p className="receipt__note">{texts.note}</p>}
    </article>
  )
}

/** The shop's logo or, without one, its name. */
function Mark({ seller: { brand, logo } }: { seller: Seller }) {
  const size = readLogoName(logo)
  if (!size) {
    return (
      <p className="receipt__name">
        <bdi>{brand}</bdi>
      </p>
    )
  }
  const { width, height } = size
  const address = logoAddress(logo)
  return <img className="receipt__logo" src={address} alt={brand} width={width} height={height} />
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
