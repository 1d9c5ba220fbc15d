import type { Figures } from '../../../contract/office-figures.ts'
import type { FigureView } from '../../../stores/office/figures.ts'
import { useLocale } from '../../parts/island.tsx'
import { BarChart } from '../parts/BarChart.tsx'
import { dayText, monthText } from '../parts/dates.ts'
import { CsvButton } from './CsvButton.tsx'
import { useTexts } from './texts.ts'

/** Charts of sales and top-ups over time. */
export function Charts({
  figures: { unit, points },
  view,
}: {
  figures: Figures
  view: FigureView
}) {
  const locale = useLocale()
  const texts = useTexts('office-figures:figures')
  if (points.length === 0) return null
  const head = unit === 'year' ? texts.charts.month : texts.charts.day
  return (
    <section className="stack">
      <div className="figures__head">
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
