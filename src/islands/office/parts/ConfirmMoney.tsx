import './confirm-money.css'
import type { Millimes } from '../../../rules/money.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Money } from './cells.tsx'

interface Props {
  title: string
  amount: Millimes
  /** The recipient, in words: "the account of …". */
  to: string
  /** What happens next, in a sentence. */
  text?: string
  /** The text of the button that confirms. */
  submit: string
  /** Moves the money. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks for confirmation before money moves: how much, and to whom. */
export function ConfirmMoney({ amount, to, text, ...dialog }: Props) {
  const texts = useTexts('office:confirm')
  return (
    <ConfirmDialog {...dialog}>
      <dl className="confirm-money">
        <dt>{texts.amount}</dt>
        <dd className="confirm-money__amount">
          <Money amount={amount} />
        </dd>
        <dt>{texts.to}</dt>
        <dd>
          <bdi>{to}</bdi>
        </dd>
      </dl>
      {text && <p className="soft">{text}</p>}
    </ConfirmDialog>
  )
}
