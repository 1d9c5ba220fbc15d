import './figures.css'
import type { ComponentProps, ReactNode } from 'react'
import type {
  Owed as Debts,
  Figures,
  FigureTable,
  PeriodSums,
} from '../../../contract/office-figures.ts'
import * as figures from '../../../contract/office-figures.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Icon } from '../../../islands/parts/Icon.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import type { Language } from '../../../rules/languages.ts'
import { ORDER_METHODS } from '../../../rules/payment-methods.ts'
import {
  daysAfter,
  earlierOf,
  PERIOD_UNITS,
  type PeriodUnit,
  periodOf,
  tunisianDay,
} from '../../../rules/tunisia-time.ts'
import { BarChart } from '../../kit/BarChart.tsx'
import { ask } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { dayText, monthText } from '../../kit/dates.ts'
import { SelectField } from '../../kit/forms/fields.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resourceFor } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { Money, Words, WordsLink } from '../../kit/tables/cells.tsx'
import { type Column, moneyColumn, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { useChoiceInUrl } from '../../kit/use-choice-in-url.ts'

/** The period that the page shows: the one that contains the day `at`. */
interface FigureView {
  readonly unit: PeriodUnit
  readonly at: string
}

const figuresOf = resourceFor(figures.getFigures, (query: FigureView) => ({ query }))
const rankingsOf = resourceFor(figures.getRankings, (query: FigureView) => ({ query }))

/** The period in the page's URL, or the current month. */
function viewInAddress(): FigureView {
  const query = new URLSearchParams(location.search)
  const at = query.get('at') ?? ''
  const isDay = /^20\d\d-\d\d-\d\d$/.test(at) && !Number.isNaN(Date.parse(at))
  return {
    unit: PERIOD_UNITS.find((unit) => unit === query.get('unit')) ?? 'month',
    at: isDay ? at : tunisianDay(new Date()),
  }
}

/** The next period if `by` is 1, the previous one if it is -1. */
function neighbourOf({ unit, at }: FigureView, by: 1 | -1): FigureView {
  const { from, to } = periodOf(unit, at)
  return { unit, at: by > 0 ? daysAfter(to, 1) : daysAfter(from, -1) }
}

/** Whether a period has begun. */
const hasBegun = ({ unit, at }: FigureView): boolean =>
  periodOf(unit, at).from <= tunisianDay(new Date())

const downloadTable = (view: FigureView, table: FigureTable, locale: Language) =>
  saveCsv(
    ask(figures.downloadFigures, { query: { ...view, table, locale } }),
    `karras-${table}-${periodOf(view.unit, view.at).from}.csv`,
  )

const { island, useTexts } = officeTexts('office-figures:figures', 'office:chart')

const OUTLINES = ['line', 'button', 'button', 'button', 'button', 'button'] as const

function FiguresPage() {
  const texts = useTexts('office-figures:figures')
  const [view, choose] = useChoiceInUrl(viewInAddress, ({ unit, at }) => `unit=${unit}&at=${at}`)
  return (
    <>
      {view && <PeriodChoice view={view} onChoose={choose} />}
      <LoadedStore from={figuresOf} of={view} texts={texts} shapes={OUTLINES}>
        {(value) =>
          view && (
            <>
              <Sums figures={value} view={view} />
              <Charts figures={value} view={view} />
              <Owed owed={value.owed} view={view} />
              <Way figures={value} />
            </>
          )
        }
      </LoadedStore>
      {view && <Rankings view={view} />}
    </>
  )
}

interface PeriodChoiceProps {
  view: FigureView
  onChoose: (view: FigureView) => void
}

function PeriodChoice({ view, onChoose }: PeriodChoiceProps) {
  const locale = useLocale()
  const texts = useTexts('office-figures:figures')
  const before = neighbourOf(view, -1)
  const after = neighbourOf(view, 1)
  const today = tunisianDay(new Date())
  return (
    <nav className="period cluster items-end gap-5 lines-3" aria-label={texts.nav}>
      <SelectField
        name="unit"
        label={texts.unit}
        value={view.unit}
        options={PERIOD_UNITS.map((unit) => ({ value: unit, text: texts.units[unit] }))}
        onChange={({ target }) => {
          const unit = PERIOD_UNITS.find((each) => each === target.value) ?? 'month'
          onChoose({ unit, at: earlierOf(view.at, today) })
        }}
      />
      <div className="period__step row split gap-2">
        <Button onClick={() => onChoose(before)}>
          <Icon name="previous" />
          <span className="visually-hidden">
            {labelled(locale, texts.earlier, periodText(locale, before.unit, before.at))}
          </span>
        </Button>
        <h2 className="period__name" aria-live="polite">
          {periodText(locale, view.unit, view.at)}
        </h2>
        <Button
          className="period__later"
          disabled={!hasBegun(after)}
          onClick={() => onChoose(after)}
        >
          <Icon name="previous" />
          <span className="visually-hidden">
            {labelled(locale, texts.later, periodText(locale, after.unit, after.at))}
          </span>
        </Button>
      </div>
    </nav>
  )
}

const SALES = ['gross', 'refunds', 'shop', 'teachers', 'codes'] as const
const SOLD = ['orders', 'documents'] as const
const BUYERS = ['newBuyers', 'returningBuyers'] as const

function Sums({ figures, view }: { figures: Figures; view: FigureView }) {
  const locale = useLocale()
  const texts = useTexts('office-figures:figures')
  const { unit, before, isRunning } = figures
  const comparison = isRunning && unit !== 'day' ? texts.running : texts.compared
  return (
    <>
      <p className="soft">
        {fillText(unit === 'day' ? texts.comparedDay : comparison, {
          from: fullDay(locale, before.from),
          to: fullDay(locale, before.to),
        })}
      </p>
      <section className="stack">
        <div className="cluster split gap-4 lines-2">
          <h2>{texts.sales}</h2>
          <CsvButton view={view} table="sums" name={texts.sales} />
        </div>
        <p className="soft">{texts.salesHint}</p>
        <dl className="figures__grid">
          <Lines figures={figures} names={SALES} />
          <Lines figures={figures} names={SOLD} show={countOf} />
        </dl>
      </section>
      <section className="stack">
        <h2>{texts.topUps}</h2>
        <dl className="figures__grid">
          <Lines figures={figures} names={ORDER_METHODS} />
        </dl>
      </section>
      <section className="stack">
        <h2>{texts.buyers}</h2>
        <dl className="figures__grid">
          <Lines figures={figures} names={BUYERS} show={countOf} />
        </dl>
      </section>
    </>
  )
}

interface LinesProps {
  figures: Figures
  names: readonly (keyof PeriodSums)[]
  /** Renders an amount or a number. */
  show?: (value: number) => ReactNode
}

function Lines({ figures: { sums, sumsBefore }, names, show = moneyOf }: LinesProps) {
  const { lines } = useTexts('office-figures:figures')
  return names.map((name) => (
    <Figure key={name} name={lines[name]} now={sums[name]} before={sumsBefore[name]} show={show} />
  ))
}

const moneyOf = (amount: number) => <Money amount={amount} />
const countOf = (count: number) => <bdi className={count === 0 ? 'soft' : undefined}>{count}</bdi>

interface FigureProps {
  name: string
  now: number
  before: number
  /** Renders an amount or a number. */
  show: (value: number) => ReactNode
}

function Figure({ name, now, before, show }: FigureProps) {
  const texts = useTexts('office-figures:figures')
  const [start = '', end = ''] = texts.was.split('{{value}}')
  return (
    <div className="figure stack gap-0">
      <dt>{name}</dt>
      <dd className="figure__now">{show(now)}</dd>
      <dd className="soft small">
        {start}
        {show(before)}
        {end}
        <Change now={now} before={before} />
      </dd>
    </div>
  )
}

/** A larger change (in percent) is not shown: it only means that the previous figure was tiny. */
const MAX_PERCENT = 999

/** The change in whole percent; nothing without a previous figure. */
function Change({ now, before }: Pick<FigureProps, 'now' | 'before'>) {
  const texts = useTexts('office-figures:figures')
  if (before <= 0) return null
  const percent = Math.round(((now - before) / before) * 100)
  if (percent > MAX_PERCENT) return null
  const text = percent === 0 ? texts.same : percent > 0 ? texts.more : texts.less
  return <span className="figure__change">{fillText(text, { percent: Math.abs(percent) })}</span>
}

function Charts({ figures: { unit, points }, view }: { figures: Figures; view: FigureView }) {
  const locale = useLocale()
  const texts = useTexts('office-figures:figures')
  if (points.length === 0) return null
  const head = unit === 'year' ? texts.charts.month : texts.charts.day
  return (
    <section className="stack">
      <div className="cluster split gap-4 lines-2">
        <h2>{texts.over}</h2>
        <CsvButton view={view} table="points" name={texts.over} />
      </div>
      <div className="figures__charts">
        {(['net', 'topUps'] as const).map((name) => (
          <BarChart
            key={name}
            title={texts.charts[name]}
            unit={head}
            points={points.map((point) => ({
              key: point.at,
              label:
                unit === 'year'
                  ? monthText(locale, point.at.slice(0, 7))
                  : dayText(locale, point.at),
              amount: point[name],
            }))}
          />
        ))}
      </div>
    </section>
  )
}

const DEBTS = ['wallets', 'payable', 'requested', 'held', 'overpaid'] as const

function Owed({ owed, view }: { owed: Debts; view: FigureView }) {
  const texts = useTexts('office-figures:figures')
  return (
    <section className="stack">
      <div className="cluster split gap-4 lines-2">
        <h2>{texts.owedHeading}</h2>
        <CsvButton view={view} table="owed" name={texts.owedHeading} />
      </div>
      <p className="soft">{texts.owedHint}</p>
      <dl className="figures__grid">
        {DEBTS.filter((name) => name !== 'overpaid' || owed.overpaid > 0).map((name) => (
          <div key={name} className="figure stack gap-0">
            <dt>{texts.owed[name]}</dt>
            <dd className="figure__now">
              <Money amount={owed[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The funnel to a purchase: the visitors at each step, and their share of the previous step. */
function Way({ figures: { sums, sumsBefore } }: { figures: Figures }) {
  const texts = useTexts('office-figures:figures')
  const { lines, paid } = texts
  const steps = [
    { name: lines.visits, now: sums.visits, before: sumsBefore.visits },
    { name: lines.details, now: sums.details, before: sumsBefore.details },
    { name: lines.cart, now: sums.cart, before: sumsBefore.cart },
    { name: lines.ordered, now: sums.ordered, before: sumsBefore.ordered },
    { name: paid, now: sums.orders, before: sumsBefore.orders },
  ]
  const most = Math.max(...steps.map(({ now }) => now), 1)
  return (
    <section className="stack">
      <h2>{texts.wayHeading}</h2>
      <p className="soft">{texts.wayHint}</p>
      <ol className="way stack gap-3">
        {steps.map(({ name, now, before }, at) => {
          const last = steps[at - 1]?.now ?? 0
          const ofLast = last > 0 ? Math.round((now / last) * 100) : null
          return (
            <li key={name} className="way__step">
              <span className="way__name">{name}</span>
              <bdi className="way__count">{now}</bdi>
              <svg
                className="way__bar"
                viewBox="0 0 100 1"
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <rect width={(now / most) * 100} height={1} />
              </svg>
              <span className="soft small">
                {fillText(texts.was, { value: before })}
                {ofLast !== null && ofLast <= 100 && (
                  <span className="way__share">
                    {fillText(texts.ofBefore, { percent: ofLast })}
                  </span>
                )}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

const RANKINGS_OUTLINES = ['line', 'button', 'button', 'button'] as const

function Rankings({ view }: { view: FigureView }) {
  const texts = useTexts('office-figures:figures')
  const { columns: heads } = texts
  const saleColumns = <Row extends { sales: number; gross: number }>(): Column<Row>[] => [
    { head: heads.sales, isNumber: true, cell: ({ sales }) => sales },
    moneyColumn(heads.gross, ({ gross }) => gross),
  ]
  return (
    <LoadedStore
      from={rankingsOf}
      of={view}
      texts={{ loading: texts.rankingsLoading, failed: texts.rankingsFailed }}
      shapes={RANKINGS_OUTLINES}
    >
      {({ documents, teachers, searches }) => (
        <>
          <Ranked
            view={view}
            table="documents"
            heading={texts.documentsHeading}
            hint={texts.rankedHint}
            none={texts.noSales}
            rows={documents}
            columns={[
              {
                head: heads.document,
                cell: ({ id, title }) => <WordsLink to={`/shop-details/${id}`}>{title}</WordsLink>,
              },
              ...saleColumns<(typeof documents)[number]>(),
            ]}
          />
          <Ranked
            view={view}
            table="teachers"
            heading={texts.teachersHeading}
            hint={texts.rankedHint}
            none={texts.noSales}
            rows={teachers}
            columns={[
              {
                head: heads.teacher,
                cell: ({ id, name }) => <WordsLink to={`/teacher-details/${id}`}>{name}</WordsLink>,
              },
              ...saleColumns<(typeof teachers)[number]>(),
              moneyColumn<(typeof teachers)[number]>(heads.share, ({ share }) => share),
            ]}
          />
          <Ranked
            view={view}
            table="searches"
            heading={texts.searchesHeading}
            hint={texts.searchesHint}
            none={texts.noSearches}
            rows={searches}
            rowKey={({ words }) => words}
            columns={[
              { head: heads.words, cell: ({ words }) => <Words>{words}</Words> },
              { head: heads.times, isNumber: true, cell: ({ count }) => count },
            ]}
          />
        </>
      )}
    </LoadedStore>
  )
}

type RankedProps<Row> = Omit<ComponentProps<typeof ShortTable<Row>>, 'label'> & {
  view: FigureView
  table: FigureTable
  heading: string
  hint: string
  /** The text for an empty table. */
  none: string
}

function Ranked<Row>({ view, table, heading, hint, none, ...list }: RankedProps<Row>) {
  const isEmpty = list.rows.length === 0
  return (
    <section className="stack">
      <div className="cluster split gap-4 lines-2">
        <h2>{heading}</h2>
        {!isEmpty && <CsvButton view={view} table={table} name={heading} />}
      </div>
      <p className="soft">{hint}</p>
      {isEmpty ? <p>{none}</p> : <ShortTable label={heading} {...list} />}
    </section>
  )
}

interface CsvButtonProps {
  view: FigureView
  table: FigureTable
  /** The name of the table for the button's label. */
  name: string
}

function CsvButton({ view, table, name }: CsvButtonProps) {
  const locale = useLocale()
  const texts = useTexts('office-figures:figures')
  const { alert, attempt, isBusy } = useAction()
  return (
    <>
      <Button
        aria-label={fillText(texts.downloadOf, { table: name })}
        isBusy={isBusy}
        onClick={() => attempt(() => downloadTable(view, table, locale))}
      >
        <Icon name="download" />
        {texts.download}
      </Button>
      {alert}
    </>
  )
}

/** A day in words, including the year. */
const fullDay = (locale: Locale, day: string): string => formatDate(locale, `${day}T00:00:00Z`)

/** The name of the period that contains a day: `22 نوفمبر 2026`, `نوفمبر 2026`, `2026`. */
function periodText(locale: Locale, unit: PeriodUnit, day: string): string {
  if (unit === 'day') return fullDay(locale, day)
  return unit === 'month' ? monthText(locale, day.slice(0, 7)) : day.slice(0, 4)
}

export default island(FiguresPage)
