import { type ReactNode, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { TextField } from './fields.tsx'

interface Props {
  title: string
  submit: string
  /** Tells who will read the reason. */
  hint: string
  /** The maximum length of a reason in characters. */
  most: number
  isDanger?: boolean
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Asks for confirmation and a reason before an action. */
export function ReasonDialog({ hint, most, onConfirm, children, ...dialog }: Props) {
  const field = useReason(most)
  return (
    <ConfirmDialog {...dialog} check={field.check} onConfirm={() => onConfirm(field.reason)}>
      {children}
      <TextField {...field.fieldProps} hint={hint} rows={2} />
    </ConfirmDialog>
  )
}

/** The state of a field for a reason: its props, its validation and the trimmed reason. */
export function useReason(most: number) {
  const texts = useTexts('office-goods:reason')
  const [text, setText] = useState('')
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const reason = text.trim()
  const { length } = [...reason]
  const mistake = length === 0 ? texts.missing : fillText(texts.tooLong, { most })
  const isValid = length > 0 && length <= most
  return {
    reason,
    check: () => {
      setHasSubmitted(true)
      return isValid
    },
    fieldProps: {
      name: 'reason',
      label: texts.label,
      error: hasSubmitted && !isValid ? mistake : undefined,
      value: text,
      onChange: ({ target }: { target: { value: string } }) => setText(target.value),
    },
  }
}
