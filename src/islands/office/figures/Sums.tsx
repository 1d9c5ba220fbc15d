import type { Figures, PeriodSums } from '../../../contract/office-figures.ts'
import { fillText } from '../../../i18n/format.ts'
import { ORDER_METHODS } from '../../../rules/payment-methods.ts'
import type { FigureView } from '../../../stores/office/figures.ts'
import { useLocale } from '../../parts/island.tsx'
import { Money } from '../parts/cells.tsx'
import { CsvButton } from './CsvButton.tsx'
import { Figure } from './Figure.tsx'
import { fullDay } from './period-text.ts'
import { useTexts } from './texts.ts'

const SALES = ['gross', 'refunds', 'shop', 'teachers'] as const
const SOLD = ['orders', 'documents'] as const
const BUYERS = ['newBuyers', 'returningBuyers'] as const

/** Sales, top-ups and buyers of the period, compared with the previous period. */
export function Sums({ figures, view }: { figures: Figures; view: FigureView }) {
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
        <div className="figures__head">
          <h2>{texts.sales}</h2>
          <CsvButton view={view} table="sums" name={texts.sales} />
        </div>
        <p className="soft">{texts.salesHint}</p>
        <dl className="figures__grid">
          <Amounts figures={figures} names={SALES} />
          <Counts figures={figures} names={SOLD} />
        </dl>
      </section>
      <section className="stack">
        <h2>{texts.topUps}</h2>
        <dl className="figures__grid">
          <Amounts figures={figures} names={ORDER_METHODS} />
        </dl>
      </section>
      <section className="stack">
        <h2>{texts.buyers}</h2>
        <dl className="figures__grid">
          <Counts figures={figures} names={BUYERS} />
        </dl>
      </section>
    </>
  )
}

interface LinesProps {
  figures: Figures
  names: readonly (keyof PeriodSums)[]
}

function Amounts({ figures: { sums, sumsBefore }, names }: LinesProps) {
  const { lines } = useTexts('office-figures:figures')
  return names.map((name) => (
    <Figure
      key={name}
      name={lines[name]}
      now={sums[name]}
      before={sumsBefore[name]}
      show={(amount) => <Money amount={amount} />}
    />
  ))
}

function Counts({ figures: { sums, sumsBefore }, names }: LinesProps) {
  const { lines } = useTexts('office-figures:figures')
  return names.map((name) => (
    <Figure
      key={name}
      name={lines[name]}
      now={sums[name]}
      before={sumsBefore[name]}
      show={(count) => <bdi>{count}</bdi>}
    />
  ))
}
