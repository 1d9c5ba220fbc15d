import './cells.css'
import { formatDate } from '../../../i18n/dates.ts'
import type { Millimes } from '../../../rules/money.ts'
import { useLocale } from '../../parts/island.tsx'
import { Price } from '../../parts/Price.tsx'

/** An amount, possibly negative, whose digits align with those of other rows. */
export function Money({ amount, isStruck = false }: { amount: Millimes; isStruck?: boolean }) {
  const price = <Price amount={amount} className="money" />
  return isStruck ? <s>{price}</s> : price
}

/** A date in words, in Tunisia's time zone; `withTime` adds the time of day. */
export function Moment({ at, withTime = false }: { at: string; withTime?: boolean }) {
  const locale = useLocale()
  return (
    <time className="moment" dateTime={at}>
      {formatDate(locale, at)}
      {withTime && (
        <>
          {' '}
          <bdi className="soft">{clock(at)}</bdi>
        </>
      )}
    </time>
  )
}

/** The time of day in Tunisia (UTC+1 all year): `14:05`. */
function clock(at: string): string {
  return new Date(Date.parse(at) + 3_600_000).toISOString().slice(11, 16)
}

/** Text that users copy or compare digit by digit, such as a payment reference, on one line. */
export function Reference({ children }: { children: string }) {
  return (
    <bdi className="reference" dir="ltr">
      {children}
    </bdi>
  )
}

/** Text written by users, such as a document's title, in its own direction. */
export function Words({ children }: { children: string }) {
  return (
    <span className="along" dir="auto">
      {children}
    </span>
  )
}

const MARKS = { waiting: '…', good: '✓', bad: '!', off: '–' } as const

/** A state as text, with a mark that does not rely on colour. */
export function StateMark({ kind, text }: { kind: keyof typeof MARKS; text: string }) {
  return (
    <span className={`state-mark state-mark--${kind}`}>
      <span className="state-mark__sign" aria-hidden="true">
        {MARKS[kind]}
      </span>
      {text}
    </span>
  )
}

/** The kinds of `StateMark` for an order's states. */
export const ORDER_MARKS = {
  pending: 'waiting',
  paid: 'good',
  cancelled: 'off',
  expired: 'off',
  replaced: 'off',
} as const

/** The same for a payment's states. */
export const PAYMENT_MARKS = {
  pending: 'waiting',
  paid: 'good',
  refused: 'bad',
  expired: 'off',
  cancelled: 'off',
} as const

/** The same for a payout's states. */
export const PAYOUT_MARKS = {
  requested: 'waiting',
  paid: 'good',
  refused: 'bad',
  cancelled: 'off',
} as const
