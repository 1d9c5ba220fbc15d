import { type InputHTMLAttributes, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field, PasswordField } from '../../../islands/parts/Field.tsx'
import { useDraft } from '../../../islands/parts/use-draft.ts'
import type { Values } from '../../../stores/shared/form.ts'
import { officeDrafts } from '../kept.ts'
import { SelectField, TextField } from './fields.tsx'

type InputAttribute =
  | 'type'
  | 'dir'
  | 'inputMode'
  | 'maxLength'
  | 'max'
  | 'autoComplete'
  | 'spellCheck'
  | 'lang'

/** A field of a question or of a short form. */
export interface FieldRow<F extends string>
  extends Pick<InputHTMLAttributes<HTMLInputElement>, InputAttribute> {
  name: F
  label: string
  hint?: string | undefined
  /** A hint that depends on what was typed. */
  hintFor?: (value: string) => string
  /** The height of a text of several lines. */
  rows?: number
  /** The options of a choice; the first is chosen unless `initial` is another. */
  options?: readonly { value: string; text: string }[]
  /** The texts of the button that shows a password. */
  secret?: { show: string; hide: string }
  initial?: string
  /** Whether the field is there, beside these values. */
  isShown?: (values: Values<F>) => boolean
  /** The sentence about a mistake; none if the value is right. */
  check?: (value: string, values: Values<F>) => string | false | undefined
}

/** The attributes of a field for an amount in dinars or another number. */
export const NUMBER = { inputMode: 'decimal', dir: 'ltr' } as const

/** The state of the fields in a table: what was typed, its mistakes once it is checked, its view. */
export function useFieldTable<F extends string>(rows: readonly FieldRow<F>[]) {
  const fresh = () =>
    Object.fromEntries(
      rows.map(({ name, options, initial = options?.[0]?.value ?? '' }) => [name, initial]),
    ) as Values<F>
  const [typed, setTyped] = useState(fresh)
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<Partial<Record<F, string>>>({})
  const controls = useRef<Partial<Record<F, HTMLElement>>>({})
  const values = Object.fromEntries(
    rows.map(({ name, secret }) => [name, secret ? typed[name] : typed[name].trim()]),
  ) as Values<F>
  const shown = rows.filter(({ isShown }) => isShown?.(values) ?? true)
  const mistakeIn = ({ name, check }: FieldRow<F>) => check?.(values[name], values) || undefined
  const controlOf = (row: FieldRow<F>) => {
    const {
      name,
      check,
      isShown,
      initial,
      hint,
      hintFor,
      rows: height,
      options,
      secret,
      ...input
    } = row
    const props = {
      ...input,
      name,
      ref: (control: HTMLElement | null) => {
        if (control) controls.current[name] = control
      },
      hint: hintFor?.(values[name]) ?? hint,
      error: (isChecked && mistakeIn(row)) || refused[name],
      value: typed[name],
      // The value is read at once: React resets the control before it renders, where a draft is entered.
      onChange: ({ target: { value } }: { target: { value: string } }) => {
        // Another choice may show other fields, which nobody has filled in yet.
        if (options) setChecked(false)
        setRefused({})
        setTyped((before) => ({ ...before, [name]: value }))
      },
    }
    if (options) return <SelectField key={name} {...props} options={options} />
    if (height) return <TextField key={name} {...props} rows={height} />
    if (secret) return <PasswordField key={name} {...props} {...secret} />
    return <Field key={name} dir="auto" autoComplete="off" {...props} />
  }
  return {
    values,
    /** Returns whether all is right; else shows the mistakes, and moves the focus to the first. */
    check(): boolean {
      setChecked(true)
      const wrong = shown.find(mistakeIn)
      if (wrong) controls.current[wrong.name]?.focus()
      return !wrong
    },
    /** Shows what the server says of a field, until something is typed. */
    refuse(name: F, sentence: string) {
      setRefused({ [name]: sentence } as typeof refused)
      controls.current[name]?.focus()
    },
    clear() {
      setTyped(fresh)
      setChecked(false)
    },
    view: shown.map(controlOf),
  }
}

export interface ReasonTexts {
  label: string
  hint?: string | undefined
  missing: string
  tooLong: string
}

/** The field for a reason of at most so many characters. */
export const reasonField = (
  most: number,
  { label, hint, missing, tooLong }: ReasonTexts,
): FieldRow<'reason'> => ({
  name: 'reason',
  label,
  hint,
  rows: 2,
  check: (text) => (text === '' ? missing : [...text].length > most && fillText(tooLong, { most })),
})

/** What the words are about: the headings of the row or section around the form. */
function subjectOf(form: HTMLElement): string {
  const around = form.parentElement?.closest('li, article, section')
  const headings = [...(around?.querySelectorAll('h1, h2, h3') ?? [])]
  return [...headings, form].map(({ textContent }) => textContent).join(' ')
}

interface ReasonFormProps {
  /** The maximum length of a reason in characters. */
  most: number
  hint?: string
  texts: Readonly<Record<'reason' | 'reasonRequired' | 'tooLong' | 'send' | 'cancel', string>>
  isBusy: boolean
  onSend: (reason: string) => void
  onCancel: () => void
}

/** Asks for a reason beside what it is about, which stays in sight. */
export function ReasonForm({ most, hint, texts, isBusy, onSend, onCancel }: ReasonFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { reason: label, reasonRequired: missing, tooLong } = texts
  const table = useFieldTable([reasonField(most, { label, hint, missing, tooLong })])
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  useDraft(officeDrafts, form, subjectOf)

  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (table.check()) onSend(table.values.reason)
  }
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      onSubmit={send}
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
    >
      {table.view}
      <div className="cluster">
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {texts.send}
        </Button>
        <Button onClick={onCancel}>{texts.cancel}</Button>
      </div>
    </form>
  )
}
