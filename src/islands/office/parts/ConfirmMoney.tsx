import './confirm-money.css'
import type { ReactNode } from 'react'
import type { Millimes } from '../../../rules/money.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Money } from './cells.tsx'

export interface ConfirmMoneyProps {
  title: string
  amount: Millimes
  /** The recipient or the payer, in words: "the account of …". */
  to: ReactNode
  /** The label of `to`; "to" by default. */
  label?: string
  /** A sentence about what happens next. */
  text?: string
  /** The text of the button that confirms. */
  submit: string
  /** Whether the action cannot be undone. */
  isDanger?: boolean
  /** Returns whether the input in `children` is valid. */
  check?: () => boolean
  /** Moves the money. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
  /** Further input fields. */
  children?: ReactNode
}

/** Asks for confirmation before money moves: how much, and to whom. */
export function ConfirmMoney({ amount, to, label, text, children, ...dialog }: ConfirmMoneyProps) {
  const texts = useTexts('office:confirm')
  return (
    <ConfirmDialog {...dialog}>
      <dl className="confirm-money">
        <dt>{texts.amount}</dt>
        <dd className="confirm-money__amount">
          <Money amount={amount} />
        </dd>
        <dt>{label ?? texts.to}</dt>
        <dd>
          <bdi>{to}</bdi>
        </dd>
      </dl>
      {text && <p className="soft">{text}</p>}
      {children}
    </ConfirmDialog>
  )
}
