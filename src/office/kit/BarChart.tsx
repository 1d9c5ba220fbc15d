import './bar-chart.css'
import { useTexts } from '../../islands/parts/island.tsx'
import type { Millimes } from '../../rules/money.ts'
import { Money } from './tables/cells.tsx'

/** A bar: a day or a month, and its amount. */
interface ChartPoint {
  /** Unique among the points. */
  key: string
  /** The day or month in words. */
  label: string
  amount: Millimes
}

interface Props {
  title: string
  /** In chronological order, up to now; at least one. */
  points: readonly ChartPoint[]
  /** The heading of the table's first column: "Day". */
  unit: string
}

/** A bar's share of its slot; the rest is the gap to the next bar. */
const WIDTH = 0.7
const HEIGHT = 100
/** The minimum height of the bar of an amount above 0. */
const MIN_HEIGHT = 1.5

/**
 * A bar chart of amounts over time, in the direction of the text, with a table of the same data.
 */
export function BarChart({ title, points, unit }: Props) {
  const texts = useTexts('office:chart')
  const highest = Math.max(...points.map(({ amount }) => amount), 0)
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return null

  const heightOf = (amount: number) =>
    amount <= 0 || highest === 0 ? 0 : Math.max((amount / highest) * HEIGHT, MIN_HEIGHT)
  return (
    <figure className="bar-chart stack gap-2">
      <figcaption className="bar-chart__head cluster split items-stretch gap-4 lines-1">
        <span className="strong">{title}</span>
        <span>
          <bdi>{last.label}</bdi>{' '}
          <strong>
            <Money amount={last.amount} />
          </strong>
        </span>
      </figcaption>
      <p className="bar-chart__top soft small">
        {texts.highest} <Money amount={highest} />
      </p>
      <svg
        className="bar-chart__bars"
        viewBox={`0 0 ${points.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {points.map(({ key, amount }, at) => (
          <rect
            key={key}
            x={at + (1 - WIDTH) / 2}
            width={WIDTH}
            y={HEIGHT - heightOf(amount)}
            height={heightOf(amount)}
          />
        ))}
      </svg>
      <p className="row split items-stretch soft small">
        <bdi>{first.label}</bdi>
        {points.length > 1 && <bdi>{last.label}</bdi>}
      </p>
      <details className="bar-chart__table">
        <summary className="row touch">{texts.table}</summary>
        <table className="bar-chart__rows">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">{texts.amount}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ key, label, amount }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>
                  <Money amount={amount} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
