import { type ReactNode, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { TextField } from './fields.tsx'

interface Props {
  title: string
  submit: string
  /** Who reads the reason. */
  hint: string
  /** The most characters of a reason. */
  most: number
  isDanger?: boolean
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Asks once more before something is done, and why. */
export function ReasonDialog({ hint, most, onConfirm, children, ...dialog }: Props) {
  const field = useReason(most)
  return (
    <ConfirmDialog {...dialog} check={field.check} onConfirm={() => onConfirm(field.reason)}>
      {children}
      <TextField {...field.given} hint={hint} rows={2} />
    </ConfirmDialog>
  )
}

/** A field for a reason: what it is given, whether it can be sent, and what it says. */
export function useReason(most: number) {
  const texts = useTexts('office-goods:reason')
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const reason = text.trim()
  const { length } = [...reason]
  const mistake = length === 0 ? texts.missing : fillText(texts.tooLong, { most })
  const isRight = length > 0 && length <= most
  return {
    reason,
    check: () => {
      setTried(true)
      return isRight
    },
    given: {
      name: 'reason',
      label: texts.label,
      error: isTried && !isRight ? mistake : undefined,
      value: text,
      onChange: ({ target }: { target: { value: string } }) => setText(target.value),
    },
  }
}
