import { useEffect, useRef } from 'react'
import type { ReceivedRating } from '../../../contract/office-ratings.ts'
import { fillText } from '../../../i18n/format.ts'
import { isBlank } from '../../../rules/pasted-text.ts'
import { ANSWER_MAX_LENGTH } from '../../../rules/rating.ts'
import { forgetKept, kept } from '../../../stores/office/kept.ts'
import { answerRating } from '../../../stores/office/ratings.ts'
import { TextField } from '../parts/fields.tsx'
import { SaveState } from '../parts/SaveState.tsx'
import { useOfficeForm } from '../parts/use-office-form.tsx'
import { useTexts } from './texts.ts'

/** The key under which this browser keeps an unsaved answer. */
export const answerDraft = (ratingId: number) => `answer-${ratingId}`

interface Props {
  rating: ReceivedRating
  onDone: () => void
  onClose: () => void
}

/** The form for an answer to a rating; its text survives a reload and a lost connection. */
export function AnswerForm({ rating, onDone, onClose }: Props) {
  const { form: texts } = useTexts('office-ratings:ratings')
  const limit = { most: ANSWER_MAX_LENGTH }
  const box = useRef<HTMLDivElement>(null)
  const form = useOfficeForm({
    fields: ['text'],
    initial: { text: rating.answer?.text ?? '' },
    keepAs: answerDraft(rating.id),
    check: ({ text }) => {
      if (isBlank(text)) return { text: 'required' }
      return [...text.trim()].length > ANSWER_MAX_LENGTH ? { text: 'maxLength' } : {}
    },
    save: async ({ text }) => {
      await answerRating(rating, text)
      onDone()
    },
    sentence: (_, mistake) =>
      fillText(mistake === 'required' ? texts.required : texts.tooLong, limit),
  })
  // The press on "answer" moves the focus to the field, unless the form restores an earlier text.
  const isFresh = useRef(kept(answerDraft(rating.id)) === undefined)
  useEffect(() => {
    if (isFresh.current) box.current?.querySelector('textarea')?.focus()
  }, [])
  const { state } = form.saveState
  return (
    <form className="received__form" {...form.formProps}>
      {form.notices}
      <div ref={box}>
        <TextField
          label={texts.label}
          hint={fillText(texts.hint, limit)}
          {...form.fieldOf('text')}
        />
      </div>
      <div className="cluster">
        <button
          type="submit"
          className="button button--primary"
          aria-busy={state.phase === 'saving'}
        >
          {texts.submit}
        </button>
        <button
          type="button"
          className="button button--plain"
          onClick={() => {
            forgetKept(answerDraft(rating.id))
            onClose()
          }}
        >
          {texts.cancel}
        </button>
        {state.phase !== 'saved' && <SaveState {...form.saveState} onRetry={form.retry} />}
      </div>
    </form>
  )
}
