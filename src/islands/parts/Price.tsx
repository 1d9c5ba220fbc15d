import '../../parts/price.css'
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

export function PriceOrFree({ free, ...price }: Props & { free: string }) {
  return price.amount === 0 ? (
    <strong className="price price--free">{free}</strong>
  ) : (
    <Price {...price} />
  )
}

interface ChangedProps extends Props {
  /** The price that was shown before; undefined, or the same, if it has not changed. */
  seen: Millimes | undefined
  /** The word for 0; without it, 0 is an amount. */
  free?: string
  /** What screen readers say before each of the two prices. */
  texts: { before: string; now: string }
}

/** A price, after the one that was shown before, struck through, if that was another. */
export function ChangedPrice({ seen, free, texts, ...price }: ChangedProps) {
  const now = free === undefined ? <Price {...price} /> : <PriceOrFree {...price} free={free} />
  if (seen === undefined || seen === price.amount) return now
  return (
    <>
      <s>
        <span className="visually-hidden">{texts.before}</span>{' '}
        <Price amount={seen} className="price--old" />
      </s>{' '}
      <span className="visually-hidden">{texts.now}</span> {now}
    </>
  )
}
