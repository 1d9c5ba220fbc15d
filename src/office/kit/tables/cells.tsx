import './cells.css'
import { Fragment, type ReactNode } from 'react'
import type { Contact } from '../../../contract/office-transfers.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Price } from '../../../islands/parts/Price.tsx'
import type { Millimes } from '../../../rules/money.ts'
import type { PageAddress } from '../../../rules/pages.ts'
import { clockText } from '../dates.ts'

/** An amount, possibly negative, whose digits align with those of other rows. */
export function Money({ amount, isStruck = false }: { amount: Millimes; isStruck?: boolean }) {
  const price = (
    <Price amount={amount} className={amount === 0 ? 'money money--none soft' : 'money'} />
  )
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
          <bdi className="soft">{clockText(at)}</bdi>
        </>
      )}
    </time>
  )
}

/** Text that users copy or compare digit by digit, such as a payment reference, on one line. */
export function Reference({ children }: { children: string }) {
  return (
    <bdi className="reference" dir="ltr">
      {children}
    </bdi>
  )
}

export function Words({ children }: { children: string }) {
  return (
    <span className="along" dir="auto">
      {children}
    </span>
  )
}

interface PickProps {
  isPicked: boolean
  onPick: (isPicked: boolean) => void
  children: ReactNode
}

/** The name of a row with a box that picks it. */
export function Pick({ isPicked, onPick, children }: PickProps) {
  return (
    <label className="pick row gap-3 touch">
      <input type="checkbox" checked={isPicked} onChange={({ target }) => onPick(target.checked)} />
      {children}
    </label>
  )
}

export function WordsLink({ to, children }: { to: PageAddress; children: string }) {
  return (
    <a href={pathIn(useLocale(), to)}>
      <Words>{children}</Words>
    </a>
  )
}

const MARKS = { waiting: '…', good: '✓', bad: '!', off: '–' } as const

/** A state as text, with a mark that does not rely on colour. */
export function StateMark({ kind, text }: { kind: keyof typeof MARKS; text: string }) {
  return (
    <span className={`state-mark row inline gap-2 state-mark--${kind}`}>
      <span className="state-mark__sign rigid small strong" aria-hidden="true">
        {MARKS[kind]}
      </span>
      {text}
    </span>
  )
}

export const ORDER_MARKS = {
  pending: 'waiting',
  paid: 'good',
  cancelled: 'off',
  expired: 'off',
  replaced: 'off',
} as const

export const PAYMENT_MARKS = {
  pending: 'waiting',
  paid: 'good',
  refused: 'bad',
  expired: 'off',
  cancelled: 'off',
} as const

export const PAYOUT_MARKS = {
  requested: 'waiting',
  paid: 'good',
  refused: 'bad',
  cancelled: 'off',
} as const

export function PersonCell({ person: { name, email, phone } }: { person: Contact }) {
  return (
    <span className="person-cell stack items-start gap-0">
      <Words>{name}</Words>
      <bdi className="person-cell__reach small soft" dir="ltr">
        {phone ?? email}
      </bdi>
    </span>
  )
}

interface FactsProps {
  /** Names with their values; falsy entries are left out. */
  facts: readonly (readonly [name: string, value: ReactNode] | false | 0 | '' | null)[]
}

export function Facts({ facts }: FactsProps) {
  return (
    <dl className="facts">
      {facts.map(
        (fact) =>
          fact && (
            <Fragment key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
