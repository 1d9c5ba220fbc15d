import { useState } from 'react'
import type { Adjustment } from '../../../contract/office-wallets.ts'
import { fillText } from '../../../i18n/format.ts'
import { decideAdjustment } from '../../../stores/office/wallets.ts'
import { randomId } from '../../../stores/shared/random-id.ts'
import { ConfirmMoney } from '../parts/ConfirmDialog.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { useTexts } from './texts.ts'

export type Act = 'confirm' | 'refuse' | 'withdraw'

interface Props {
  adjustment: Adjustment
  act: Act
  refresh: () => void
  onDone: () => void
  onClose: () => void
}

/** Asks for confirmation, with the amount and the customer, before deciding about an adjustment. */
export function DecideAdjustment({ adjustment, act, refresh, onDone, onClose }: Props) {
  const texts = useTexts('office-money:adjustments')
  const { to } = useTexts('office-money:adjust')
  const [key] = useState(randomId)
  const { id, amount, customer, reason: proposedReason } = adjustment
  const dialog = {
    title: texts.titles[act],
    amount,
    to: fillText(to, { name: `\u2068${customer.name}\u2069` }),
    submit: texts[act],
    onClose,
  }
  const decide = async (decision: Parameters<typeof decideAdjustment>[1]) => {
    await decideAdjustment({ id, key, refresh }, decision)
    onDone()
  }
  if (act === 'refuse') {
    return <ConfirmWithReason {...dialog} onConfirm={(reason) => decide({ act, reason })} />
  }
  return (
    <ConfirmMoney
      {...dialog}
      text={fillText(texts.texts[act], { reason: `\u2068${proposedReason}\u2069` })}
      onConfirm={() => decide({ act })}
    />
  )
}
