import { useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { plainSigns } from '../../../rules/pasted-text.ts'
import {
  DEFAULT_SHARE_PERCENT,
  SHARE_PERCENT_MAX,
  SHARE_PERCENT_MIN,
} from '../../../rules/payouts.ts'
import { setShare } from '../../../stores/office/commissions.ts'
import { Field } from '../../parts/Field.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { useTexts } from './texts.ts'

/** A share as the page showed it; the whole shop's share if `teacherId` is null. */
export interface ShownShare {
  teacherId: number | null
  name: string
  percent: number
  isSet: boolean
  seen: number | null
}

interface Props {
  shared: ShownShare
  onDone: () => void
  onClose: () => void
}

/** Asks for a new share and the reason for the change. */
export function ChangeShare({ shared, onDone, onClose }: Props) {
  const { dialog, mistakes } = useTexts('office-commissions:commissions')
  const { teacherId, name, percent, isSet, seen } = shared
  const [input, setInput] = useState(String(percent))
  const [reason, setReason] = useState('')
  const [restoresDefault, setRestoresDefault] = useState(false)
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const chosen = readPercent(input)
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
        setHasSubmitted(true)
        return (restoresDefault || chosen !== null) && length > 0 && !isTooLong
      }}
      onConfirm={async () => {
        await setShare({
          teacherId,
          percent: restoresDefault ? null : chosen,
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
          onChange={({ target }) => setRestoresDefault(target.value === 'usual')}
        />
      )}
      {!restoresDefault && (
        <Field
          name="percent"
          label={dialog.percent}
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          defaultValue={input}
          hint={fillText(dialog.hint, { shop: chosen === null ? '–' : 100 - chosen })}
          error={
            hasSubmitted && chosen === null
              ? fillText(mistakes.percent, { least: SHARE_PERCENT_MIN, most: SHARE_PERCENT_MAX })
              : undefined
          }
          onChange={({ target }) => setInput(target.value)}
        />
      )}
      <TextField
        name="reason"
        label={dialog.reason}
        hint={dialog.reasonHint}
        error={hasSubmitted && (length === 0 || isTooLong) ? reasonMistake : undefined}
        rows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  )
}

/** Parses a typed whole percentage; null if it is invalid or out of range. */
function readPercent(input: string): number | null {
  const text = plainSigns(input)
  const percent = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  return percent >= SHARE_PERCENT_MIN && percent <= SHARE_PERCENT_MAX ? percent : null
}
