import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { REVIEW_REASON_MAX_LENGTH } from '../../../rules/document-life.ts'
import { useTexts } from '../../parts/island.tsx'
import { TextField } from '../parts/fields.tsx'
import type { Subject } from './subject.ts'

interface Props {
  subject: Subject
  isBusy: boolean
  onSend: (reason: string) => void
  onCancel: () => void
}

/** Why a document goes back, written beside the field that it is about. */
export function ReturnForm({ subject, isBusy, onSend, onCancel }: Props) {
  const texts = useTexts('office-review:page')
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<string | undefined>()
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])

  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim()
    const isTooLong = [...reason].length > REVIEW_REASON_MAX_LENGTH
    setError(
      reason === ''
        ? texts.reasonRequired
        : isTooLong
          ? fillText(texts.tooLong, { most: REVIEW_REASON_MAX_LENGTH })
          : undefined,
    )
    if (reason === '' || isTooLong) form.current?.querySelector('textarea')?.focus()
    else onSend(reason)
  }
  return (
    <form ref={form} className="review__return" noValidate onSubmit={send}>
      <TextField
        name="reason"
        label={texts.reason}
        rows={3}
        {...(subject !== 'whole' && { hint: texts.reasonHint })}
        error={error}
        onKeyDown={({ key }) => key === 'Escape' && onCancel()}
      />
      <div className="review__acts">
        <button type="submit" className="button button--primary" aria-busy={isBusy}>
          {texts.send}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
