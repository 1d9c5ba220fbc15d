import '../../parts/dialog.css'
import { type ReactNode, useRef, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import type { Millimes } from '../../../rules/money.ts'
import { officeDrafts } from '../../../stores/office/kept.ts'
import { Dialog } from '../../parts/Dialog.tsx'
import { useTexts } from '../../parts/island.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import { Button } from './Button.tsx'
import { Facts, Money } from './cells.tsx'
import { useAttempt } from './use-attempt.tsx'

interface Props {
  title: string
  submit: string
  /** Whether the action cannot be undone. */
  isDanger?: boolean
  /** Returns whether the input in the dialog is valid, and shows its mistakes. */
  check?: () => boolean
  /** Performs the action; if it throws, the dialog shows the error and stays open. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

export function ConfirmDialog({
  title,
  submit,
  isDanger = false,
  check = () => true,
  onConfirm,
  onClose,
  children,
}: Props) {
  const texts = useTexts('office:confirm')
  const { alert, attempt, isBusy } = useAttempt()
  const body = useRef<HTMLDivElement>(null)
  // The question with all it shows, so that the words meant for one thing are never another's.
  useDraft(officeDrafts, body, ({ textContent }) => `${title} ${textContent}`)

  const confirm = async () => {
    if (isBusy || !check()) return
    await attempt(async () => {
      await onConfirm()
      onClose()
    })
  }
  return (
    <Dialog
      title={title}
      closeText={texts.close}
      onClose={onClose}
      isBusy={isBusy}
      foot={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {texts.no}
          </Button>
          <Button kind={isDanger ? 'danger' : 'primary'} isBusy={isBusy} onClick={confirm}>
            {submit}
          </Button>
        </>
      }
    >
      <div ref={body} className="dialog__question">
        {children}
      </div>
      {alert}
    </Dialog>
  )
}

export interface ConfirmMoneyProps {
  title: string
  amount: Millimes
  /** The recipient or the payer, in words: "the account of …". */
  to: ReactNode
  /** The label of `to`; "to" by default. */
  label?: string
  /** A sentence about what happens next. */
  text?: string
  submit: string
  isDanger?: boolean
  check?: () => boolean
  /** Moves the money. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
  /** Further input fields. */
  children?: ReactNode
}

/** Asks for confirmation before money moves: how much, and to whom. */
export function ConfirmMoney({ amount, to, label, text, children, ...dialog }: ConfirmMoneyProps) {
  const texts = useTexts('office:confirm')
  return (
    <ConfirmDialog {...dialog}>
      <Facts
        facts={[
          [
            texts.amount,
            <span className="facts__amount" key="amount">
              <Money amount={amount} />
            </span>,
          ],
          [label ?? texts.to, <bdi key="to">{to}</bdi>],
        ]}
      />
      {text && <p className="soft">{text}</p>}
      {children}
    </ConfirmDialog>
  )
}

/** The state of a field for a reason: its props, its validation and the trimmed reason. */
export function useReason(
  most: number,
  texts: Readonly<Record<'label' | 'missing' | 'tooLong', string>>,
) {
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
