import './confirm-money.css'
import type { ReactNode } from 'react'
import type { Millimes } from '../../../rules/money.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Money } from './cells.tsx'

export interface ConfirmMoneyProps {
  title: string
  amount: Millimes
  /** To whom it goes, or from whom it comes, in words: "the account of …". */
  to: string
  /** What stands before that; "to" unless given. */
  label?: string
  /** What happens next, in a sentence. */
  text?: string
  /** What the button says that moves it. */
  submit: string
  /** Whether it cannot be undone. */
  isDanger?: boolean
  /** Whether what was typed in `children` can be sent. */
  check?: () => boolean
  /** Moves it. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
  /** What has to be typed. */
  children?: ReactNode
}

/** Asks once before money moves: how much, and to whom. */
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
