import { useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { latinDigits } from '../../../rules/digits.ts'
import {
  DEFAULT_SHARE_PERCENT,
  SHARE_PERCENT_MAX,
  SHARE_PERCENT_MIN,
} from '../../../rules/shares.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/staff-reasons.ts'
import { setShare } from '../../../stores/office/commissions.ts'
import { Field } from '../../parts/Field.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { useTexts } from './texts.ts'

/** A share as the page showed it: the shop's, where `teacherId` is null. */
export interface Shared {
  teacherId: number | null
  name: string
  percent: number
  isSet: boolean
  seen: number | null
}

interface Props {
  shared: Shared
  onDone: () => void
  onClose: () => void
}

/** Asks which share holds from now on, and why. */
export function ChangeShare({ shared, onDone, onClose }: Props) {
  const { dialog, mistakes } = useTexts('office-commissions:commissions')
  const { teacherId, name, percent, isSet, seen } = shared
  const [typed, setTyped] = useState(String(percent))
  const [reason, setReason] = useState('')
  const [isUsual, setUsual] = useState(false)
  const [isTried, setTried] = useState(false)
  const chosen = readPercent(typed)
  const length = [...reason.trim()].length
  const isTooLong = length > STAFF_REASON_MAX_LENGTH
  const reasonMistake = isTooLong
    ? fillText(mistakes.tooLong, { most: STAFF_REASON_MAX_LENGTH })
    : mistakes.required
  const isShop = teacherId === null
  return (
    <ConfirmDialog
      title={isShop ? dialog.shop : fillText(dialog.teacher, { name: `\u2068${name}\u2069` })}
      submit={dialog.submit}
      check={() => {
        setTried(true)
        return (isUsual || chosen !== null) && length > 0 && !isTooLong
      }}
      onConfirm={async () => {
        await setShare({
          teacherId,
          percent: isUsual ? null : chosen,
          reason: reason.trim(),
          seen,
        })
        onDone()
      }}
      onClose={onClose}
    >
      <p>{isShop ? dialog.shopText : dialog.teacherText}</p>
      {isSet && (
        <SelectField
          name="kind"
          label={dialog.kind}
          options={[
            { value: 'own', text: dialog.own },
            {
              value: 'usual',
              text: isShop
                ? fillText(dialog.toDefault, { percent: DEFAULT_SHARE_PERCENT })
                : dialog.toUsual,
            },
          ]}
          onChange={({ target }) => setUsual(target.value === 'usual')}
        />
      )}
      {!isUsual && (
        <Field
          name="percent"
          label={dialog.percent}
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          defaultValue={typed}
          hint={fillText(dialog.hint, { shop: chosen === null ? '–' : 100 - chosen })}
          error={
            isTried && chosen === null
              ? fillText(mistakes.percent, { least: SHARE_PERCENT_MIN, most: SHARE_PERCENT_MAX })
              : undefined
          }
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <TextField
        name="reason"
        label={dialog.reason}
        hint={dialog.reasonHint}
        error={isTried && (length === 0 || isTooLong) ? reasonMistake : undefined}
        rows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  )
}

/** A whole percent as it is typed; null where it is none. */
function readPercent(typed: string): number | null {
  const text = latinDigits(typed).trim()
  const percent = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  return percent >= SHARE_PERCENT_MIN && percent <= SHARE_PERCENT_MAX ? percent : null
}
