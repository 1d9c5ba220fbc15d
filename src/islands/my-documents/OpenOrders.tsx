import '../parts/open-orders.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { listed } from '../../i18n/listed.ts'
import { pathIn } from '../../i18n/paths.ts'
import { readableReference } from '../../rules/typed-numbers.ts'
import {
  $failedOrders,
  $waitingOrders,
  followOrders,
  loadOrders,
  type Order,
} from '../../stores/purchase/orders.ts'
import { useLocale } from '../parts/island.tsx'
import { Price } from '../parts/Price.tsx'
import { WaitingOrder } from '../waiting-order/WaitingOrder.tsx'
import { useTexts } from './texts.ts'

const isolated = (text: string) => `\u2068${text}\u2069`

/** Orders whose payment has not arrived yet, and those that failed recently; polled while shown. */
export function OpenOrders() {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const waiting = useStore($waitingOrders)
  const lapsed = useStore($failedOrders)
  useEffect(() => {
    void loadOrders()
    return followOrders()
  }, [])
  return (
    <div aria-live="polite" className="stack">
      {waiting.length > 0 && (
        <section className="panel stack" aria-labelledby="waiting-orders">
          <h2 id="waiting-orders">{texts.waiting.title}</h2>
          <ul className="open-orders">
            {waiting.map((order) => (
              <Waiting key={order.id} order={order} />
            ))}
          </ul>
        </section>
      )}
      {lapsed.map((order) => (
        <p className="alert" key={order.id}>
          {fillText(order.status === 'expired' ? texts.lapsed.expired : texts.lapsed.cancelled, {
            order: isolated(String(order.id)),
          })}{' '}
          <a className="link" href={pathIn(locale, '/checkout')}>
            {texts.lapsed.again}
          </a>
        </p>
      ))}
    </div>
  )
}

function Waiting({ order }: { order: Order }) {
  const locale = useLocale()
  const texts = useTexts('library:page').waiting
  const actions = useTexts('order:waiting')
  const methods = useTexts('common:methods')
  const { id, items, total, method, payment, expiresAt } = order
  const reference = payment ? readableReference(payment.paymentRef) : ''
  return (
    <li>
      <p className="cluster">
        <span className="badge badge--new">{actions.status}</span>
        {method !== 'wallet' && <strong>{methods[method]}</strong>}
        <Price amount={total} />
      </p>
      <p className="small soft">
        {fillText(texts.text, { order: isolated(String(id)), reference: isolated(reference) })}{' '}
        {fillText(texts.until, { date: isolated(formatDate(locale, expiresAt)) })}
      </p>
      <p dir="auto" className="along">
        {listed(
          locale,
          items.map(({ title }) => isolated(title)),
        )}
      </p>
      {payment?.paymentUrl && (
        <a className="button" href={payment.paymentUrl}>
          {method === 'card' ? texts.pay : texts.open}
        </a>
      )}
      <WaitingOrder orderId={id} />
    </li>
  )
}
