import '../../kit/sheet.css'
import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import type { Statement } from '../../../contract/earnings.ts'
import * as earnings from '../../../contract/earnings.ts'
import { fillText, isolate, pluralText, priceText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { ColumnPrice, useColumnHead } from '../../../islands/parts/ColumnPrice.tsx'
import { Icon } from '../../../islands/parts/Icon.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { EmptyState } from '../../../islands/parts/States.tsx'
import type { Language } from '../../../rules/languages.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { $staff } from '../../frame/staff.ts'
import { ask } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { monthText } from '../../kit/dates.ts'
import { SelectField } from '../../kit/forms/fields.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resource, resourceFor } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { Moment, Words } from '../../kit/tables/cells.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { useChoiceInUrl } from '../../kit/use-choice-in-url.ts'

const statements = resource(earnings.listStatements)
const statementOf = resourceFor(earnings.getStatement, (month: string) => ({ params: { month } }))

const downloadStatement = (month: string, locale: Language) =>
  saveCsv(
    ask(earnings.downloadStatement, { params: { month }, query: { locale } }),
    `karras-${month}.csv`,
  )

const { island, useTexts } = officeTexts('office-earnings:statement')

const OUTLINES = ['line', 'button', 'button', 'button', 'button', 'button'] as const

function StatementPage() {
  const texts = useTexts('office-earnings:statement')
  return (
    <LoadedStore from={statements} texts={texts} shapes={OUTLINES}>
      {(found) =>
        found.length > 0 ? (
          <MonthView months={found.map(({ month }) => month)} />
        ) : (
          <EmptyState {...texts.empty} />
        )
      }
    </LoadedStore>
  )
}

function MonthView({ months }: { months: readonly string[] }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:statement')
  const readMonth = () => {
    const urlMonth = new URLSearchParams(location.search).get('month')
    return months.find((month) => month === urlMonth) ?? months[0] ?? ''
  }
  const [month, setMonth] = useChoiceInUrl(readMonth, (chosen) => `month=${chosen}`)
  return (
    <>
      <div className="statement-month">
        <SelectField
          name="month"
          label={texts.month}
          value={month ?? ''}
          options={months.map((each) => ({ value: each, text: monthText(locale, each) }))}
          onChange={({ target }) => setMonth(target.value)}
        />
      </div>
      <LoadedStore from={statementOf} of={month} texts={texts} shapes={OUTLINES}>
        {(value) => <Sheet statement={value} />}
      </LoadedStore>
    </>
  )
}

function Sheet({ statement }: { statement: Statement }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:statement')
  const staff = useStore($staff, { ssr: notLoaded })
  const { month, isComplete, opening, sales, refunds, payouts, closing, paid } = statement
  const taxNumber = paid.findLast((payout) => payout.taxNumber)?.taxNumber
  const line = (kind: 'sales' | 'refunds' | 'payouts', count: number, price = 0) =>
    fillText(pluralText(locale, texts.lines, kind, count), { price: priceText(locale, price) })
  return (
    <article className="sheet stack gap-5">
      <header className="stack gap-1">
        <h2>{fillText(texts.heading, { month: monthText(locale, month) })}</h2>
        {staff.phase === 'ready' && (
          <p className="soft">{fillText(texts.of, { name: isolate(staff.value.name) })}</p>
        )}
        {taxNumber && (
          <p className="soft">
            {fillText(texts.taxNumber, { number: `\u2066${taxNumber}\u2069` })}
          </p>
        )}
        {!isComplete && <p className="alert">{texts.running}</p>}
      </header>
      <Buttons month={month} />
      <Rows caption={texts.title} heads={[texts.line, texts.amount]} isSum>
        <Row name={texts.opening} amount={opening} />
        <Row
          name={
            <span className="stack items-start gap-0">
              {line('sales', sales.count, sales.price)}
              {sales.takenOff > 0 && (
                <span className="soft small">
                  {fillText(texts.takenOff, { amount: priceText(locale, sales.takenOff) })}
                </span>
              )}
            </span>
          }
          amount={sales.share}
        />
        <Row name={line('refunds', refunds.count)} amount={-refunds.share} />
        <Row name={line('payouts', payouts.count)} amount={payouts.withheld - payouts.amount} />
        {payouts.withheld > 0 && <Row name={texts.withheld} amount={-payouts.withheld} />}
        <Row name={texts.closing} amount={closing} />
      </Rows>
      <ByDocument statement={statement} />
      <Paid statement={statement} />
    </article>
  )
}

function ByDocument({ statement: { documents } }: { statement: Statement }) {
  const texts = useTexts('office-earnings:statement')
  return (
    <section className="stack">
      <h3>{texts.documents}</h3>
      {documents.length === 0 ? (
        <p className="soft">{texts.noDocuments}</p>
      ) : (
        <Rows caption={texts.documents} heads={[texts.document, texts.amount]}>
          {documents.map(({ document: { id, title }, share, refunded }) => (
            <Row key={id} name={<Words>{title}</Words>} amount={share - refunded} />
          ))}
        </Rows>
      )}
    </section>
  )
}

function Paid({ statement: { paid } }: { statement: Statement }) {
  const texts = useTexts('office-earnings:statement')
  if (paid.length === 0) return null
  return (
    <section className="stack">
      <h3>{texts.paid}</h3>
      <Rows caption={texts.paid} heads={[texts.paidAt, texts.reference, texts.amount]}>
        {paid.map(({ id, paidAt, reference, amount, withheld }) => (
          <Row key={id} name={<Moment at={paidAt} />} more={reference} amount={amount - withheld} />
        ))}
      </Rows>
    </section>
  )
}

interface RowsProps {
  caption: string
  heads: readonly string[]
  /** Whether the last row is the sum of the others. */
  isSum?: boolean
  children: ReactNode
}

function Rows({ caption, heads, isSum, children }: RowsProps) {
  const headOf = useColumnHead()
  const last = heads.length - 1
  return (
    <table className={isSum ? 'sheet__rows sheet__rows--sum' : 'sheet__rows'}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head, at) => (
            <th scope="col" key={head}>
              {at === last ? headOf(head) : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

interface RowProps {
  name: ReactNode
  /** A note between the name and the amount. */
  more?: string
  amount: number
}

function Row({ name, more, amount }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {more !== undefined && (
        <td>
          <Words>{more}</Words>
        </td>
      )}
      <td dir="ltr">
        <ColumnPrice amount={amount} className="money" />
      </td>
    </tr>
  )
}

function Buttons({ month }: { month: string }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:statement')
  const { alert, attempt, isBusy } = useAction()
  return (
    <div className="sheet__ways cluster items-stretch gap-3">
      <Button isBusy={isBusy} onClick={() => attempt(() => downloadStatement(month, locale))}>
        {!isBusy && <Icon name="download" />}
        {texts.download}
      </Button>
      <Button onClick={() => print()}>{texts.print}</Button>
      {alert}
    </div>
  )
}

export default island(StatementPage)
