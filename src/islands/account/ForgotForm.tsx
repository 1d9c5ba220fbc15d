import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import type { TextsAt } from '../../i18n/text-keys.ts'
import { email as emailRule, required } from '../../rules/validators.ts'
import { askForResetLink } from '../../stores/account/password.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { Field } from '../parts/Field.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'
import { serverSentence } from './server-sentence.ts'

/** `password:forgot` of locales. */
export type ForgotTexts = TextsAt<'password:forgot'>

interface Props {
  locale: Locale
  texts: ForgotTexts
  errors: ErrorTexts
  /** What the embedded backend says, and so `texts.sent` in the other languages. */
  usual: string
}

/** Asks for the mail with the link that resets a password (section 2). */
export default function ForgotForm({ locale, texts, errors, usual }: Props) {
  const isHydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const isSending = useRef(false)
  const [email, setEmail] = useState('')
  const [isTouched, setTouched] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [sent, setSent] = useState('')
  const [failure, setFailure] = useState('')

  // What was typed, or filled in by the browser, before the script was there.
  useEffect(() => {
    const typed = emailOf(form.current)
    setEmail(typed)
    // It may have been left already, and a disabled button has to say why.
    if (typed) setTouched(true)
  }, [])

  const found = required(email) ?? emailRule(email.trim())
  const error = found && (found === 'required' ? texts.errors.required : texts.errors.email)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTouched(true)
    if (isSending.current || found) return
    isSending.current = true
    setBusy(true)
    setSent('')
    setFailure('')
    const outcome = await askForResetLink(email, locale)
    isSending.current = false
    setBusy(false)
    if (outcome.kind === 'done') setSent(serverSentence(outcome.message, usual, texts.sent))
    else if (outcome.problem.code !== 'too_many_requests') setFailure(texts.errors.failed)
    else setFailure(errors.too_many_requests)
  }

  return (
    <form ref={form} className="stack" method="post" noValidate onSubmit={submit}>
      <div aria-live="polite">
        {sent && (
          <p className="alert alert--success" dir="auto">
            {sent}
          </p>
        )}
      </div>
      {failure && (
        <p className="alert alert--error" role="alert">
          {failure}
        </p>
      )}
      <Field
        name="email"
        label={texts.email}
        error={(isTouched && error) || undefined}
        type="email"
        autoComplete="email"
        dir="ltr"
        required
        onChange={(event) => setEmail(event.target.value)}
        onBlur={() => setTouched(true)}
      />
      <button
        type="submit"
        className="button button--primary button--wide"
        disabled={!isHydrated || Boolean(found)}
        aria-busy={isBusy}
      >
        {texts.submit}
      </button>
    </form>
  )
}

function emailOf(form: HTMLFormElement | null): string {
  return form ? String(new FormData(form).get('email') ?? '') : ''
}
