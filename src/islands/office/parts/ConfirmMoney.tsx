import './confirm-money.css'
import { useState } from 'react'
import type { Millimes } from '../../../rules/money.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { Dialog } from '../../parts/Dialog.tsx'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useTexts } from '../../parts/island.tsx'
import { Money } from './cells.tsx'
import { useProblemText } from './use-problem-text.ts'

interface Props {
  title: string
  amount: Millimes
  /** To whom it goes, in words: "the account of …". */
  to: string
  /** What happens next, in a sentence. */
  text?: string
  /** What the button says that moves it. */
  submit: string
  /** Moves it; what it throws is said in the dialog, which stays for another try. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks once before money moves: how much, and to whom. Closed after it has moved. */
export function ConfirmMoney({ title, amount, to, text, submit, onConfirm, onClose }: Props) {
  const texts = useTexts('office:confirm')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  const confirm = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem(problemOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      closeText={texts.close}
      onClose={onClose}
      isBusy={isBusy}
      foot={
        <>
          <button type="button" className="button" disabled={isBusy} onClick={onClose}>
            {texts.no}
          </button>
          <button
            type="button"
            className="button button--primary"
            aria-busy={isBusy}
            onClick={confirm}
          >
            {submit}
          </button>
        </>
      }
    >
      {problem && <ErrorAlert text={problemText(problem)} />}
      <dl className="confirm-money">
        <dt>{texts.amount}</dt>
        <dd className="confirm-money__amount">
          <Money amount={amount} />
        </dd>
        <dt>{texts.to}</dt>
        <dd>
          <bdi>{to}</bdi>
        </dd>
      </dl>
      {text && <p className="soft">{text}</p>}
    </Dialog>
  )
}
