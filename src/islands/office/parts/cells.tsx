import './cells.css'
import { formatDate } from '../../../i18n/format.ts'
import type { Millimes } from '../../../rules/money.ts'
import { useLocale } from '../../parts/island.tsx'
import { Price } from '../../parts/Price.tsx'

/** An amount, possibly negative; its digits align with those of other rows. */
export function Money({ amount, isStruck = false }: { amount: Millimes; isStruck?: boolean }) {
  const price = <Price amount={amount} className="money" />
  return isStruck ? <s>{price}</s> : price
}

/** A date in words; `withTime` adds the time of day. Both are those of Tunisia. */
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

/** `14:05` in Tunisia (UTC+1 all year). */
function clock(at: string): string {
  return new Date(Date.parse(at) + 3_600_000).toISOString().slice(11, 16)
}

/** What is copied or compared digit by digit, such as a payment's reference: on one line. */
export function Reference({ children }: { children: string }) {
  return (
    <bdi className="reference" dir="ltr">
      {children}
    </bdi>
  )
}

/** Text that people wrote, such as a document's title, in its own direction. */
export function Words({ children }: { children: string }) {
  return (
    <span className="along" dir="auto">
      {children}
    </span>
  )
}

const MARKS = { waiting: '…', good: '✓', bad: '!', off: '–' } as const

/** A state in words, with a mark that does not rely on colour. */
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
