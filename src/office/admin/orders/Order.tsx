import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import './order.css'
import type { ShopOrderDetail } from '../../../contract/office-orders.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, isolate, priceText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Invoices } from '../../../islands/parts/Invoices.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { byBundle } from '../../../rules/by-bundle.ts'
import type { Millimes } from '../../../rules/money.ts'
import { shownReference } from '../../../stores/shared/references.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import {
  Facts,
  Moment,
  Money,
  PAYMENT_MARKS,
  PersonCell,
  Reference,
  StateMark,
  Words,
} from '../../kit/tables/cells.tsx'
import {
  actsColumn,
  type Column,
  moneyColumn,
  priceColumn,
  TableSection,
} from '../../kit/tables/ShortTable.tsx'
import { useOutcome } from '../acts/outcome.ts'
import { MailNote } from '../notices/MailNote.tsx'
import { OrderState } from './OrderState.tsx'
import { downloadInvoice, issueInvoice, refundShopOrder, shopOrder } from './orders.ts'

const { island, useTexts } = adminTexts(
  'office-money:order',
  'office-acts:waits',
  'office-money:common',
  'invoice:page',
  'office:confirm',
  'office-notices:folder',
)

const OUTLINES = ['line', 'button', 'button', 'line', 'button', 'button'] as const

function Order() {
  const texts = useTexts('office-money:order')
  return (
    <LoadedStore from={shopOrder} texts={texts} shapes={OUTLINES}>
      {(value) => <Sections order={value} />}
    </LoadedStore>
  )
}

/** What of an order is refunded; all that is left by default. */
type RefundedPart = { documentId?: number; bundleId?: number }

function Sections({ order }: { order: ShopOrderDetail }) {
  const locale = useLocale()
  const { refund: texts } = useTexts('office-money:order')
  const outcome = useOutcome()
  const { ask, dialog, message } = useQuestions()
  const reason = useReason()
  const askForRefund = (seen: Millimes, part: RefundedPart = {}) => {
    const values = { amount: priceText(locale, seen), name: isolate(order.buyer.name) }
    ask({
      title: texts.title,
      submit: fillText(texts.submit, values),
      isDanger: true,
      money: { amount: seen, to: fillText(texts.to, values) },
      text: texts.text,
      fields: [reason(STAFF_REASON_MAX_LENGTH)],
      send: async (given, key) => {
        const refund = { seen, ...part, ...given }
        return outcome(await refundShopOrder(order.id, refund, key), fillText(texts.done, values))
      },
    })
  }
  return (
    <div className="order stack gap-8">
      {message}
      <MailNote />
      <OrderFacts order={order} onRefund={(seen) => askForRefund(seen)} />
      <Items order={order} onRefund={askForRefund} />
      <Invoices
        invoices={order.invoices}
        buyer={order.status === 'paid' && order.refunded < order.total ? order.buyer.name : null}
        onAsk={(buyer) => issueInvoice(order.id, buyer)}
        onDownload={downloadInvoice}
      />
      <Payments order={order} />
      <Movements order={order} />
      {dialog}
    </div>
  )
}

interface OrderFactsProps {
  order: ShopOrderDetail
  onRefund: (seen: Millimes) => void
}

function OrderFacts({ order, onRefund }: OrderFactsProps) {
  const locale = useLocale()
  const { number, facts, refund } = useTexts('office-money:order')
  const { methods } = useTexts('office-money:common')
  const { id, buyer, items, status } = order
  const open = items.filter(({ refundedAt }) => refundedAt === null)
  const remainder = open.reduce((sum, { price }) => sum + price, 0)
  return (
    <section className="order__facts stack">
      <div className="cluster gap-4 lines-2">
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
          order.code && [facts.code, <Reference key="code">{order.code}</Reference>],
          [facts.total, <Money key="total" amount={order.total} />],
          order.refunded > 0 && [facts.refunded, <Money key="back" amount={order.refunded} />],
        ]}
      />
      {status === 'paid' && open.length > 0 && (
        <Button onClick={() => onRefund(remainder)}>
          {open.length === items.length ? refund.all : refund.rest}
        </Button>
      )}
    </section>
  )
}

type Item = ShopOrderDetail['items'][number]

interface ItemsProps {
  order: ShopOrderDetail
  onRefund: (seen: Millimes, part: RefundedPart) => void
}

function Items({ order: { items, status }, onRefund }: ItemsProps) {
  const locale = useLocale()
  const { items: heading, item: texts } = useTexts('office-money:order')
  const stateOf = ({ refundedAt, isOwned }: Item) => {
    if (refundedAt) {
      const date = formatDate(locale, refundedAt)
      return <StateMark kind="bad" text={fillText(texts.returned, { date })} />
    }
    if (isOwned) return <StateMark kind="good" text={texts.owned} />
    const text = status === 'paid' ? texts.elsewhere : texts.waits
    return <StateMark kind="off" text={text} />
  }
  const columns: readonly Column<Item>[] = [
    {
      head: texts.document,
      cell: ({ title, bundleId }) => (
        <>
          <Words>{title}</Words>
          {bundleId !== null && (
            <small className="order__bundle soft">
              {fillText(texts.bundle, { number: bundleId })}
            </small>
          )}
        </>
      ),
    },
    { head: texts.teacher, cell: ({ teacher }) => <Words>{teacher}</Words> },
    priceColumn(texts.price, texts.before),
    {
      head: texts.share,
      isNumber: true,
      cell: ({ share, refundedAt }) =>
        share === null ? '–' : <Money amount={share} isStruck={refundedAt !== null} />,
    },
    { head: texts.state, cell: stateOf },
    actsColumn(texts.refund, ({ documentId, price, refundedAt, bundleId }) => {
      if (status !== 'paid' || refundedAt !== null) return []
      const ofBundle = items.filter((each) => bundleId !== null && each.bundleId === bundleId)
      const open = ofBundle.filter((each) => each.refundedAt === null)
      const left = open.reduce((sum, each) => sum + each.price, 0)
      return [
        { text: texts.refund, act: () => onRefund(price, { documentId }) },
        bundleId !== null &&
          documentId === open[0]?.documentId && {
            text: texts.refundBundle,
            act: () => onRefund(left, { bundleId }),
          },
      ]
    }),
  ]
  return (
    <TableSection
      label={heading}
      columns={columns}
      rows={byBundle(items).flatMap((group) => group.items)}
      rowKey={({ documentId }) => documentId}
    />
  )
}

function Payments({ order: { payments, method } }: { order: ShopOrderDetail }) {
  const { payments: heading, payment: texts } = useTexts('office-money:order')
  const common = useTexts('office-money:common')
  const columns: readonly Column<ShopOrderDetail['payments'][number]>[] = [
    {
      head: texts.reference,
      cell: ({ paymentRef }) => <Reference>{shownReference(paymentRef)}</Reference>,
    },
    moneyColumn(texts.amount, ({ amount }) => amount),
    { head: texts.method, cell: (payment) => common.methods[payment.method] },
    { head: texts.since, cell: ({ createdAt }) => <Moment at={createdAt} withTime /> },
    {
      head: texts.state,
      cell: ({ state }) => <StateMark kind={PAYMENT_MARKS[state]} text={common.payments[state]} />,
    },
  ]
  return (
    <TableSection
      label={heading}
      columns={columns}
      rows={payments}
      rowKey={({ paymentRef }) => paymentRef}
      {...(method === 'wallet' && { none: texts.none })}
    />
  )
}

function Movements({ order: { movements } }: { order: ShopOrderDetail }) {
  const { movements: heading, noMovements, kinds, accounts } = useTexts('office-money:order')
  return (
    <section className="stack">
      <h2>{heading}</h2>
      {movements.length === 0 && <p className="soft">{noMovements}</p>}
      {movements.map(({ id, kind, at, note, entries }) => (
        <article className="stack" key={id}>
          <h3>
            {kinds[kind]} · <Moment at={at} withTime />
          </h3>
          {note && <Words>{note}</Words>}
          <ul className="order__entries stack gap-1">
            {entries.map(({ account, name, amount }) => (
              <li className="cluster split items-stretch gap-4 lines-0" key={`${account} ${name}`}>
                <span>{fillText(accounts[account], { name: isolate(name) })}</span>
                <Money amount={amount} />
              </li>
            ))}
          </ul>
        </article>
      ))}
    </section>
  )
}

export default island(Order)
