import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmMoney, type ConfirmMoneyProps, useReason } from './ConfirmDialog.tsx'
import { TextField } from './fields.tsx'

interface Props extends Omit<ConfirmMoneyProps, 'onConfirm' | 'check' | 'children'> {
  /** Moves the money for the given reason. */
  onConfirm: (reason: string) => Promise<unknown>
}

export function ConfirmWithReason({ onConfirm, ...dialog }: Props) {
  const texts = useTexts('office-money:common')
  const { required: missing, maxLength: tooLong } = texts.mistakes
  const field = useReason(STAFF_REASON_MAX_LENGTH, { label: texts.reason, missing, tooLong })
  return (
    <ConfirmMoney {...dialog} check={field.check} onConfirm={() => onConfirm(field.reason)}>
      <TextField {...field.fieldProps} hint={texts.reasonHint} rows={2} />
    </ConfirmMoney>
  )
}
