import { Fragment, type ReactNode } from 'react'
import type { PersonView } from '../../../contract/office-people.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { PriceOrFree } from '../../../islands/parts/Price.tsx'
import { Moment, Money, ORDER_MARKS, StateMark, Words, WordsLink } from '../../kit/tables/cells.tsx'

type Customer = NonNullable<PersonView['customer']>

export function Bought({ id, customer }: { id: number; customer: Customer }) {
  const locale = useLocale()
  const texts = useTexts('office-people:bought')
  const { free } = useTexts('common:price')
  const { balance, orders, documents, ratings, conversationCount } = customer
  return (
    <>
      <dl className="spans">
        <div className="spans__one">
          <dt>{texts.balance}</dt>
          <dd className="spans__amount">
            <Money amount={balance} />
          </dd>
          <dd>
            <a href={pathIn(locale, `/office/wallet?id=${id}`)}>{texts.movements}</a>
          </dd>
        </div>
        <div className="spans__one">
          <dt>{texts.documents}</dt>
          <dd className="spans__amount">{customer.documentCount}</dd>
        </div>
        <div className="spans__one">
          <dt>{texts.conversations}</dt>
          <dd className="spans__amount">
            {conversationCount > 0 ? (
              <a href={pathIn(locale, `/office/conversations?customer=${id}`)}>
                {conversationCount}
              </a>
            ) : (
              conversationCount
            )}
          </dd>
        </div>
      </dl>
      <Newest title={texts.orders} count={customer.orderCount} none={texts.noOrders}>
        {orders.map((order) => (
          <li key={order.id}>
            <span className="person__what">
              <a href={pathIn(locale, `/office/order?id=${order.id}`)}>
                {fillText(texts.orderNumber, { id: order.id })}
              </a>{' '}
              <span className="soft small">
                {order.titles.map((title, at) => (
                  <Fragment key={title}>
                    {at > 0 && ' · '}
                    <bdi>{title}</bdi>
                  </Fragment>
                ))}
              </span>
            </span>
            <StateMark kind={ORDER_MARKS[order.status]} text={texts.orderStates[order.status]} />
            <Moment at={order.createdAt} />
            <span className="person__amount">
              <Money amount={order.total} />
            </span>
          </li>
        ))}
      </Newest>
      <Newest title={texts.documents} count={customer.documentCount} none={texts.noDocuments}>
        {documents.map((document) => (
          <li key={document.id}>
            <span className="person__what">
              <WordsLink to={`/shop-details/${document.id}`}>{document.title}</WordsLink>
            </span>
            <Moment at={document.purchasedAt} />
            <span className="person__amount">
              <PriceOrFree amount={document.price} free={free} className="money" />
            </span>
          </li>
        ))}
      </Newest>
      <Newest title={texts.ratings} count={customer.ratingCount} none={texts.noRatings}>
        {ratings.map((rating) => (
          <li key={rating.id}>
            <span className="person__what">
              <Words>{rating.of}</Words>
              {rating.comment !== '' && (
                <span className="person__comment soft along" dir="auto">
                  {rating.comment}
                </span>
              )}
            </span>
            {rating.isHidden && <StateMark kind="off" text={texts.hidden} />}
            <Moment at={rating.ratedAt} />
            <span className="person__amount">
              {pluralText(locale, texts.stars, 'stars', rating.stars)}
            </span>
          </li>
        ))}
      </Newest>
    </>
  )
}

interface NewestProps {
  title: string
  count: number
  none: string
  children: readonly ReactNode[]
}

function Newest({ title, count, none, children }: NewestProps) {
  const texts = useTexts('office-people:bought')
  return (
    <section className="stack">
      <h2>{title}</h2>
      {count === 0 && <p className="soft">{none}</p>}
      {count > children.length && (
        <p className="soft">{fillText(texts.newest, { shown: children.length, count })}</p>
      )}
      {children.length > 0 && <ul className="person__list">{children}</ul>}
    </section>
  )
}
