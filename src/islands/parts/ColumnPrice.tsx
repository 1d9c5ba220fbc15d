import './column-price.css'
import '../../parts/price.css'
import { priceParts } from '../../i18n/format.ts'
import type { Millimes } from '../../rules/money.ts'
import { useLocale } from './island.tsx'

/**
 * The number of a price in a column, whose head names the currency: amounts are under each other by
 * their decimal marks, though the digits of the font have different widths. Its cell is `dir="ltr"`
 * and aligned to the end, in Arabic too.
 */
export function ColumnPrice({ amount, className = '' }: { amount: Millimes; className?: string }) {
  const { number } = priceParts(useLocale(), amount)
  const mark = number.search(/[.,]\d+$/)
  return (
    <bdi className={`price ${className}`.trim()} dir="ltr">
      {number.slice(0, mark)}
      <span className="price__rest">{number.slice(mark)}</span>
    </bdi>
  )
}

/** The head of a column of such prices: `Price (TND)`. */
export function useColumnHead(): (head: string) => string {
  const { currency } = priceParts(useLocale(), 0)
  return (head) => `${head} (${currency})`
}
