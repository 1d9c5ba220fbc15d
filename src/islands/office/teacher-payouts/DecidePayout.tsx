import { useState } from 'react'
import type { TeacherPayout } from '../../../contract/payouts.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { PAYOUT_NOTE_MAX_LENGTH } from '../../../rules/payouts.ts'
import { readableRib } from '../../../rules/rib.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { recordPayout, refusePayout } from '../../../stores/office/teacher-payouts.ts'
import { randomId } from '../../../stores/shared/random-id.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale } from '../../parts/island.tsx'
import { ConfirmMoney } from '../parts/ConfirmDialog.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { Reference } from '../parts/cells.tsx'
import { useTexts } from './texts.ts'

export type Decision = 'record' | 'refuse'

interface Props {
  payout: TeacherPayout
  decision: Decision
  onDone: () => void
  onClose: () => void
}

/**
 * Asks for confirmation, with the amount and the account, before recording or refusing a payout.
 */
export function DecidePayout({ payout, decision, onDone, onClose }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-money:payouts')
  const { mistakes } = useTexts('office-money:common')
  const [key] = useState(randomId)
  const [reference, setReference] = useState('')
  const [transferredOn, setDay] = useState(() => tunisianDay(new Date()))
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const { amount, holder, rib, left } = payout
  const to = (
    <>
      <bdi>{holder}</bdi> · <Reference>{readableRib(rib)}</Reference>
    </>
  )
  const commonProps = { amount, to, onClose }
  if (decision === 'refuse') {
    return (
      <ConfirmWithReason
        {...commonProps}
        {...texts.refuse}
        isDanger
        onConfirm={async (reason) => {
          await refusePayout(payout, reason, key)
          onDone()
        }}
      />
    )
  }
  const { record } = texts
  const today = tunisianDay(new Date())
  const isValid = reference.trim() !== '' && transferredOn !== '' && transferredOn <= today
  return (
    <ConfirmMoney
      {...commonProps}
      title={record.title}
      text={left !== null && left < 0 ? texts.owed : record.text}
      submit={fillText(record.submit, { amount: priceText(locale, amount) })}
      check={() => {
        setHasSubmitted(true)
        return isValid
      }}
      onConfirm={async () => {
        await recordPayout(payout, { reference: reference.trim(), transferredOn }, key)
        onDone()
      }}
    >
      <Field
        name="reference"
        label={record.reference}
        error={hasSubmitted && reference.trim() === '' ? mistakes.required : undefined}
        maxLength={PAYOUT_NOTE_MAX_LENGTH}
        autoComplete="off"
        dir="auto"
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      <Field
        name="day"
        type="date"
        label={record.day}
        error={
          hasSubmitted && !(transferredOn && transferredOn <= today) ? mistakes.required : undefined
        }
        max={today}
        value={transferredOn}
        onChange={({ target }) => setDay(target.value)}
      />
    </ConfirmMoney>
  )
}
