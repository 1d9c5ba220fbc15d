import type { ReactNode } from 'react'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmDialog, useReason } from './ConfirmDialog.tsx'
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

export function ReasonDialog({ hint, most, onConfirm, children, ...dialog }: Props) {
  const field = useReason(most, useTexts('office-goods:reason'))
  return (
    <ConfirmDialog {...dialog} check={field.check} onConfirm={() => onConfirm(field.reason)}>
      {children}
      <TextField {...field.fieldProps} hint={hint} rows={2} />
    </ConfirmDialog>
  )
}
