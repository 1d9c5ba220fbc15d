import './receipt.css'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import type { Order } from '../../stores/purchase/orders.ts'
import { useLocale } from '../parts/island.tsx'
import { Price, PriceOrFree } from '../parts/Price.tsx'
import { useTexts } from './texts.ts'

/** The seller as named on receipts. */
export interface Seller {
  name: string
  addresses: readonly string[]
  phones: readonly string[]
  email: string
}

interface Props {
  order: Order
  seller: Seller
}

/** The order as a sheet of paper, on the screen and in print. */
export function Receipt({ order, seller }: Props) {
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
          <p className="receipt__name">{seller.name}</p>
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
        <span className="soft">{texts.buyer}</span> <bdi>{order.buyer.name}</bdi> ·{' '}
        <bdi dir="ltr">{order.buyer.email}</bdi>
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
