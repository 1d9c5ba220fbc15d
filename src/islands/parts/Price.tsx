import './price.css'
import { priceParts } from '../../i18n/format.ts'
import type { Millimes } from '../../rules/money.ts'
import { useLocale } from './island.tsx'

interface Props {
  amount: Millimes
  className?: string
}

/**
 * A price, isolated from the direction of the text around it; like `Price.astro`, but the number is
 * isolated as well.
 */
export function Price({ amount, className = '' }: Props) {
  const locale = useLocale()
  const { number, currency } = priceParts(locale, amount)
  return (
    <bdi className={`price ${className}`.trim()}>
      <span dir="ltr">{number}</span> <span>{currency}</span>
    </bdi>
  )
}

/** A price, or the word "free" if it is 0. */
export function PriceOrFree({ free, ...price }: Props & { free: string }) {
  return price.amount === 0 ? (
    <strong className="price price--free">{free}</strong>
  ) : (
    <Price {...price} />
  )
}
