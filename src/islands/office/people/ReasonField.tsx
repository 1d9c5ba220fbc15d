import type { RefObject } from 'react'
import { ACCOUNT_REASON_MAX_LENGTH } from '../../../contract/office-people.ts'
import { TextField } from '../parts/fields.tsx'

interface Props {
  texts: { reason: string; reasonHint?: string; reasonMissing: string }
  form: RefObject<HTMLFormElement | null>
  isMissing: boolean
}

/** A field for the reason of an action on an account. */
export function ReasonField({ texts, form, isMissing }: Props) {
  return (
    <form ref={form} method="post" noValidate onSubmit={(event) => event.preventDefault()}>
      <TextField
        name="reason"
        label={texts.reason}
        {...(texts.reasonHint && { hint: texts.reasonHint })}
        error={isMissing ? texts.reasonMissing : undefined}
        rows={2}
        maxLength={ACCOUNT_REASON_MAX_LENGTH}
      />
    </form>
  )
}

/** Returns the trimmed reason; if it is '', moves the focus to the field. */
export function readReason(form: HTMLFormElement | null): string {
  const reason = String(new FormData(form ?? undefined).get('reason') ?? '').trim()
  if (reason === '') form?.querySelector('textarea')?.focus()
  return reason
}
