import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { officeDrafts } from '../../../stores/office/kept.ts'
import { useDraft } from '../../parts/use-draft.ts'
import { Button } from './Button.tsx'
import { TextField } from './fields.tsx'

/** What the words are about: the headings of the row or section around the form. */
function subjectOf(form: HTMLElement): string {
  const around = form.parentElement?.closest('li, article, section')
  const headings = [...(around?.querySelectorAll('h1, h2, h3') ?? [])]
  return [...headings, form].map(({ textContent }) => textContent).join(' ')
}

interface Props {
  /** The maximum length of a reason in characters. */
  most: number
  hint?: string
  texts: Readonly<Record<'reason' | 'reasonRequired' | 'tooLong' | 'send' | 'cancel', string>>
  isBusy: boolean
  onSend: (reason: string) => void
  onCancel: () => void
}

export function ReasonForm({ most, hint, texts, isBusy, onSend, onCancel }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<string | undefined>()
  const focus = () => form.current?.querySelector('textarea')?.focus()
  useEffect(focus, [])
  useDraft(officeDrafts, form, subjectOf)

  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim()
    const isTooLong = [...reason].length > most
    if (reason && !isTooLong) return onSend(reason)
    setError(isTooLong ? fillText(texts.tooLong, { most }) : texts.reasonRequired)
    focus()
  }
  return (
    <form ref={form} className="stack" noValidate onSubmit={send}>
      <TextField
        name="reason"
        label={texts.reason}
        rows={3}
        {...(hint && { hint })}
        error={error}
        onKeyDown={({ key }) => key === 'Escape' && onCancel()}
      />
      <div className="cluster">
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {texts.send}
        </Button>
        <Button onClick={onCancel}>{texts.cancel}</Button>
      </div>
    </form>
  )
}
