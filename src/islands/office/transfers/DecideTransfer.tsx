import { useState } from 'react'
import type { Transfer } from '../../../contract/office-transfers.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { readableReference } from '../../../rules/typed-numbers.ts'
import { decideTransfer } from '../../../stores/office/transfers.ts'
import { randomId } from '../../../stores/shared/random-id.ts'
import { useLocale } from '../../parts/island.tsx'
import { ConfirmMoney } from '../parts/ConfirmDialog.tsx'
import { Reference } from '../parts/cells.tsx'
import { useTexts } from './texts.ts'

export type Decision = 'confirm' | 'refuse'

interface Props {
  transfer: Transfer
  decision: Decision
  onDone: () => void
  onClose: () => void
}

/** Asks for confirmation, with the amount and the name, before deciding about a transfer. */
export function DecideTransfer({ transfer, decision, onDone, onClose }: Props) {
  const locale = useLocale()
  const { confirm, refuse, columns } = useTexts('office-money:transfers')
  const common = useTexts('office-money:common')
  const [key] = useState(randomId)
  const { amount, orderId, payer, paymentRef, state } = transfer
  const values = {
    amount: priceText(locale, amount),
    name: `\u2068${payer.name}\u2069`,
    order: fillText(common.order, { number: orderId ?? 0 }),
  }
  const sentence = () => {
    if (decision === 'refuse') return refuse.text
    const next = fillText(orderId === null ? confirm.topUp : confirm.order, values)
    return state === 'pending' ? next : `${confirm.late} ${next}`
  }
  return (
    <ConfirmMoney
      title={decision === 'confirm' ? confirm.title : refuse.title}
      amount={amount}
      label={columns.payer}
      to={
        <>
          <bdi>{payer.name}</bdi> · <Reference>{readableReference(paymentRef)}</Reference>
        </>
      }
      text={sentence()}
      submit={fillText(decision === 'confirm' ? confirm.submit : refuse.submit, values)}
      isDanger={decision === 'refuse'}
      onConfirm={async () => {
        await decideTransfer(transfer, decision, key)
        onDone()
      }}
      onClose={onClose}
    />
  )
}
