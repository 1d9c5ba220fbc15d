import '../../kit/summary.css'
import './chart.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Result } from '../../../contract/call.ts'
import type {
  Earned,
  EarningsSummary,
  getLinkFigures,
  LinkFigures,
} from '../../../contract/earnings.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, limitText, pluralText, priceText } from '../../../i18n/format.ts'
import { ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { LoadState } from '../../../islands/parts/States.tsx'
import { linkPath } from '../../../rules/teacher-links.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { BarChart } from '../../kit/BarChart.tsx'
import { dayText, monthText } from '../../kit/dates.ts'
import { SelectField } from '../../kit/forms/fields.tsx'
import { LoadedStore, useLoaded } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { Money, WordsLink } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { type Column, moneyColumn, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { soldDocuments } from '../sales/sales.ts'
import {
  type DocumentEarnings,
  documentEarnings,
  type EarningsSeries,
  earningsSeries,
  ownEarnings,
  ownLinks,
  rangeOf,
} from './earnings.ts'

const { island, useTexts } = officeTexts('office-earnings:earnings', 'office:table', 'office:chart')

const OUTLINES = ['button', 'line', 'line', 'button'] as const

function Earnings() {
  const texts = useTexts('office-earnings:earnings')
  return (
    <>
      <LoadedStore from={ownEarnings} texts={texts} shapes={OUTLINES}>
        {(value) => <Summary earnings={value} />}
      </LoadedStore>
      <Chart />
      <ByDocument />
      <ByLink />
    </>
  )
}

function Summary({ earnings }: { earnings: EarningsSummary }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:earnings')
  const { available, balance, requested, terms } = earnings
  const withAmount = (text: string, amount: number) =>
    fillText(text, { amount: priceText(locale, amount) })
  return (
    <>
      <section className="summary stack items-start gap-2">
        <p className="strong">{texts.available}</p>
        <p className="summary__amount">
          <Money amount={available} />
        </p>
        {available >= terms.payoutMinimum && requested === 0 && (
          <p>
            <ButtonLink kind="primary" to="/office/payouts">
              {texts.ask}
            </ButtonLink>
          </p>
        )}
        {available < terms.payoutMinimum && (
          <p>{fillText(texts.tooLittle, { minimum: limitText(locale, terms.payoutMinimum) })}</p>
        )}
        {balance < 0 && <p>{withAmount(texts.owed, -balance)}</p>}
        {requested > 0 && <p>{withAmount(texts.requested, requested)}</p>}
        <Held earnings={earnings} />
      </section>
      <dl className="spans">
        <Span term={texts.today} earned={earnings.today} />
        <Span term={texts.thisMonth} earned={earnings.thisMonth} />
        <Span term={texts.thisYear} earned={earnings.thisYear} />
      </dl>
      <p className="soft">
        {fillText(texts.terms, {
          percent: terms.sharePercent,
          days: pluralText(locale, texts.plurals, 'days', terms.holdDays),
        })}
      </p>
    </>
  )
}

function Held({ earnings: { held, heldUntil, releases } }: { earnings: EarningsSummary }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:earnings')
  if (held === 0 || !heldUntil) return null
  const sentence = fillText(texts.held, {
    amount: priceText(locale, held),
    date: formatDate(locale, heldUntil),
  })
  if (releases.length < 2) return <p>{sentence}</p>
  return (
    <div>
      <p>{sentence}</p>
      <details>
        <summary className="summary__more row touch">{texts.releases}</summary>
        <ul className="releases stack gap-1">
          {releases.map(({ day, amount }) => (
            <li className="row split items-stretch gap-4" key={day}>
              <span>{dayText(locale, day)}</span> <Money amount={amount} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function Span({ term, earned }: { term: string; earned: Earned }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:earnings')
  const { share, refunded, sales } = earned
  return (
    <div className="spans__one">
      <dt>{term}</dt>
      <dd className="spans__amount">
        <Money amount={share - refunded} />
      </dd>
      <dd className="soft">
        {pluralText(locale, texts.plurals, 'sold', sales)}
        {refunded > 0 && (
          <> · {fillText(texts.refunded, { amount: priceText(locale, refunded) })}</>
        )}
      </dd>
    </div>
  )
}

const CHART_OUTLINES = ['line', 'button', 'button', 'button', 'button'] as const

function Chart() {
  const { chart: texts } = useTexts('office-earnings:earnings')
  const series = useStore(earningsSeries.$state, { ssr: notLoaded })
  const documents = useLoaded(soldDocuments) ?? []
  const { range, documentId = '' } = useStore(documentEarnings.$view).filters
  // The table below reads the filters from the URL.
  const load = () => earningsSeries.load(documentEarnings.$view.get().filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when one of these changes
  useEffect(() => void load(), [range, documentId])
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <div className="chart-tools cluster items-stretch gap-3">
        <SelectField
          name="range"
          label={texts.range}
          value={rangeOf(range)}
          options={[
            { value: '30d', text: texts.ranges.month },
            { value: '90d', text: texts.ranges.quarter },
            { value: '12m', text: texts.ranges.year },
          ]}
          onChange={({ target }) => documentEarnings.filter('range', target.value)}
        />
        <SelectField
          name="documentId"
          label={texts.document}
          value={documentId}
          options={[
            { value: '', text: texts.allDocuments },
            ...documents.map(({ id, title }) => ({ value: String(id), text: title })),
          ]}
          onChange={({ target }) => documentEarnings.filter('documentId', target.value)}
        />
      </div>
      <LoadState
        state={series}
        loading={{ text: texts.loading, shapes: CHART_OUTLINES }}
        failed={texts.failed}
        onRetry={load}
      >
        {(value) => <Series series={value} />}
      </LoadState>
    </section>
  )
}

function Series({ series: { unit, points } }: { series: EarningsSeries }) {
  const locale = useLocale()
  const { chart: texts } = useTexts('office-earnings:earnings')
  return (
    <BarChart
      title={texts.title}
      unit={texts[unit]}
      points={points.map(({ at, share, refunded }) => ({
        key: at,
        label: unit === 'day' ? dayText(locale, at) : monthText(locale, at.slice(0, 7)),
        amount: share - refunded,
      }))}
    />
  )
}

function ByDocument() {
  const { documents: texts } = useTexts('office-earnings:earnings')
  const columns: readonly Column<DocumentEarnings>[] = [
    {
      head: texts.document,
      sort: 'title',
      cell: ({ document: { id, title } }) => (
        <WordsLink to={`/office/sales?documentId=${id}`}>{title}</WordsLink>
      ),
    },
    { head: texts.sales, sort: 'sales', isNumber: true, cell: ({ sales }) => sales },
    moneyColumn(texts.share, ({ share }) => share, 'share'),
    {
      head: texts.refunded,
      isNumber: true,
      cell: ({ refunded }) => (refunded > 0 ? <Money amount={-refunded} /> : '–'),
    },
    moneyColumn(texts.earned, ({ share, refunded }) => share - refunded),
  ]
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <OfficeTable
        table={documentEarnings}
        columns={columns}
        rowKey={({ document }) => document.id}
        texts={{ ...texts, counts: texts }}
      />
    </section>
  )
}

const LINK_OUTLINES = ['line', 'line', 'line'] as const

function ByLink() {
  const { links: texts } = useTexts('office-earnings:earnings')
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <LoadedStore from={ownLinks} texts={texts} shapes={LINK_OUTLINES}>
        {(figures) =>
          figures.links.length === 0 ? (
            <>
              <p>{texts.none}</p>
              <p>
                <ButtonLink to="/office/profile">{texts.choose}</ButtonLink>
              </p>
            </>
          ) : (
            <Links figures={figures} />
          )
        }
      </LoadedStore>
    </section>
  )
}

function Links({ figures: { links, days } }: { figures: Result<typeof getLinkFigures> }) {
  const locale = useLocale()
  const { links: texts } = useTexts('office-earnings:earnings')
  const linkColumn = {
    head: texts.link,
    cell: ({ link }: LinkFigures) => <bdi dir="ltr">{linkPath(link)}</bdi>,
  }
  const figureColumns: readonly Column<LinkFigures>[] = [
    { head: texts.visits, isNumber: true, cell: ({ visits }) => visits },
    { head: texts.sales, isNumber: true, cell: ({ sales }) => sales },
    moneyColumn(texts.share, ({ share }) => share),
  ]
  const dayColumn = {
    head: texts.day,
    cell: ({ day }: (typeof days)[number]) => dayText(locale, day),
  }
  return (
    <>
      <p className="soft">{texts.text}</p>
      <ShortTable
        label={texts.label}
        columns={[linkColumn, ...figureColumns]}
        rows={links}
        rowKey={({ link }) => link}
      />
      {days.length > 0 && (
        <details>
          <summary className="row touch">{texts.days}</summary>
          <ShortTable
            label={texts.days}
            columns={[dayColumn, linkColumn, ...figureColumns]}
            rows={days}
            rowKey={({ day, link }) => `${day} ${link}`}
          />
        </details>
      )}
    </>
  )
}

export default island(Earnings)
