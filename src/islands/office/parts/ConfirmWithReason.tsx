import { useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmMoney, type ConfirmMoneyProps } from './ConfirmDialog.tsx'
import { TextField } from './fields.tsx'

interface Props extends Omit<ConfirmMoneyProps, 'onConfirm' | 'check' | 'children'> {
  /** Moves the money for the given reason. */
  onConfirm: (reason: string) => Promise<unknown>
}

/** Asks for confirmation and a reason before money moves. */
export function ConfirmWithReason({ onConfirm, ...dialog }: Props) {
  const texts = useTexts('office-money:common')
  const [reason, setReason] = useState('')
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const length = [...reason.trim()].length
  const mistake = () => {
    if (length === 0) return texts.mistakes.required
    if (length <= STAFF_REASON_MAX_LENGTH) return undefined
    return fillText(texts.mistakes.maxLength, { most: STAFF_REASON_MAX_LENGTH })
  }
  return (
    <ConfirmMoney
      {...dialog}
      check={() => {
        setHasSubmitted(true)
        return mistake() === undefined
      }}
      onConfirm={() => onConfirm(reason.trim())}
    >
      <TextField
        name="reason"
        label={texts.reason}
        hint={texts.reasonHint}
        error={hasSubmitted ? mistake() : undefined}
        rows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmMoney>
  )
}
