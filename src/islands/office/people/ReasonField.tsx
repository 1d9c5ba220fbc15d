import type { RefObject } from 'react'
import { ACCOUNT_REASON_MAX_LENGTH, type Person } from '../../../contract/office-people.ts'
import { useTexts } from '../../parts/island.tsx'
import { StateMark } from '../parts/cells.tsx'
import { TextField } from '../parts/fields.tsx'

interface ReasonFieldProps {
  texts: { reason: string; reasonHint?: string; reasonMissing: string }
  form: RefObject<HTMLFormElement | null>
  isMissing: boolean
}

export function ReasonField({ texts, form, isMissing }: ReasonFieldProps) {
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

const MARKS = {
  active: 'good',
  blocked: 'bad',
  invited: 'waiting',
  closed: 'off',
  deleted: 'off',
} as const

export function StateOfPerson({ state }: Pick<Person, 'state'>) {
  const texts = useTexts('office-people:states')
  return <StateMark kind={MARKS[state]} text={texts[state]} />
}
