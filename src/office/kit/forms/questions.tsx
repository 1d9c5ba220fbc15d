import '../../../islands/parts/dialog.css'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../../../islands/parts/Button.tsx'
import { Dialog } from '../../../islands/parts/Dialog.tsx'
import { useTexts } from '../../../islands/parts/island.tsx'
import { useDraft } from '../../../islands/parts/use-draft.ts'
import type { Millimes } from '../../../rules/money.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import type { Values } from '../../../stores/shared/form.ts'
import { officeDrafts } from '../kept.ts'
import { Facts, Money } from '../tables/cells.tsx'
import { useAction } from '../use-action.tsx'
import { type FieldRow, type ReasonTexts, reasonField, useFieldTable } from './field-table.tsx'

/** What a dialog asks before something is done: its sentences and a table of its fields. */
export interface Question<F extends string = never> {
  title: string
  /** The text of the button. */
  submit: string
  /** Whether it cannot be undone. */
  isDanger?: boolean
  /** What moves, and the recipient or the payer: "the account of …"; the label is "to" by default. */
  money?: { amount: Millimes; to: ReactNode; label?: string }
  /** What it is about, above the text. */
  about?: ReactNode
  /** What happens next. */
  text?: string | undefined
  fields?: readonly FieldRow<F>[]
  /**
   * Does it, once for each `key`, and resolves to the sentence that says so, if there is one. If it
   * throws, the dialog shows the problem and stays open.
   */
  send: (values: Values<F>, key: string) => Promise<unknown>
}

/**
 * Asks before something is done. `message` says what was done, unless `onDone` hears it, which also
 * receives '' when a question opens.
 */
export function useQuestions(onDone?: (text: string) => void) {
  const own = useAction()
  const say = onDone ?? own.say
  const [question, setQuestion] = useState<Question<string> | null>(null)
  return {
    say,
    message: own.message,
    ask<F extends string = never>(next: Question<F>) {
      say('')
      setQuestion(next as Question<string>)
    },
    dialog: question && (
      <QuestionDialog question={question} say={say} onClose={() => setQuestion(null)} />
    ),
  }
}

interface Props<F extends string> {
  question: Question<F>
  say?: (text: string) => void
  onClose: () => void
}

/** A question that is open, for a page that loads it only then; others use `useQuestions`. */
export function QuestionDialog<F extends string>({ question, say, onClose }: Props<F>) {
  const { title, submit, isDanger, money, about, text, fields = [], send } = question
  const texts = useTexts('office:confirm')
  const [key] = useState(randomId)
  const { alert, attempt, isBusy } = useAction()
  const table = useFieldTable(fields)
  const body = useRef<HTMLDivElement>(null)
  // The question with all it shows, so that the words meant for one thing are never another's.
  useDraft(officeDrafts, body, ({ textContent }) => `${title} ${textContent}`)

  const confirm = async () => {
    if (isBusy || !table.check()) return
    await attempt(async () => {
      const done = await send(table.values, key)
      onClose()
      if (typeof done === 'string') say?.(done)
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
        {money && (
          <Facts
            facts={[
              [
                texts.amount,
                <span className="facts__amount" key="amount">
                  <Money amount={money.amount} />
                </span>,
              ],
              [money.label ?? texts.to, <bdi key="to">{money.to}</bdi>],
            ]}
          />
        )}
        {about}
        {text && <p className={money ? 'soft' : undefined}>{text}</p>}
        {table.view}
      </div>
      {alert}
    </Dialog>
  )
}

/** Returns a function for the field of a reason that the log keeps; `texts` replace the usual ones. */
export function useReason() {
  const usual = useTexts('office:confirm').reason
  return (most: number, texts: Partial<ReasonTexts> = {}) =>
    reasonField(most, { ...usual, ...texts })
}
