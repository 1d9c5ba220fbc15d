import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import type { TextsAt } from '../../i18n/text-keys.ts'
import { registerAccount } from '../../stores/account/account.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { Field, focusFirstError, PasswordField } from '../parts/Field.tsx'
import { GenderField } from './GenderField.tsx'
import { OtherWay } from './OtherWay.tsx'
import { PasswordAdvice, type StrengthTexts } from './PasswordAdvice.tsx'
import {
  REGISTRATION_FIELDS,
  type RegistrationErrors,
  type RegistrationField,
  type RegistrationValues,
  registrationErrors,
  serverErrors,
} from './registration-errors.ts'
import { withReturnTo } from './way-back.ts'

/** `account:register` of locales. */
export type RegisterTexts = TextsAt<'account:register'>

interface Props {
  locale: Locale
  texts: RegisterTexts
  strength: StrengthTexts
  errors: ErrorTexts
}

/** Registration of a customer; SUCCESS leads to the log-in page, which says so. */
export default function RegisterForm({ locale, texts, strength, errors }: Props) {
  const whole = useRef<HTMLFormElement>(null)
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [password, setPassword] = useState('')
  const [message, setMessage] = useState('')
  const [wrong, setWrong] = useState<RegistrationErrors>({})

  // What was typed before the script was there.
  useEffect(() => {
    if (whole.current) setPassword(valuesOf(whole.current).password)
  }, [])

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending.current) return
    const form = event.currentTarget
    const show = (found: RegistrationErrors) => {
      setWrong(found)
      focusFirstError(form, found)
    }
    const values = valuesOf(form)
    const found = registrationErrors(values)
    show(found)
    setMessage('')
    if (Object.keys(found).length > 0) return

    isSending.current = true
    setBusy(true)
    const { confirmPassword: _, gender, ...account } = values
    const sessionId = new URLSearchParams(location.search).get('sessionId')
    const problem = await registerAccount(
      { ...account, gender: gender === 'male' ? 'male' : 'female', locale },
      sessionId,
    )
    if (!problem) return location.assign(withReturnTo(locale, '/login'))
    isSending.current = false
    setBusy(false)
    show(serverErrors(problem.fields))
    const { code } = problem
    setMessage(code === 'unknown' ? problem.message || texts.errors.failed : errors[code])
  }

  const field = (name: RegistrationField) => {
    const error = wrong[name]
    return { name, label: texts[name], error: error && texts.errors[error], required: true }
  }
  const toggle = { show: texts.show, hide: texts.hide, autoComplete: 'new-password' }

  return (
    <>
      <form ref={whole} className="stack" method="post" noValidate onSubmit={submit}>
        {message && (
          <p className="alert alert--error" role="alert">
            {message}
          </p>
        )}
        <Field {...field('username')} autoComplete="nickname" dir="auto" />
        <div className="field--row">
          <Field {...field('firstName')} autoComplete="given-name" dir="auto" />
          <Field {...field('lastName')} autoComplete="family-name" dir="auto" />
        </div>
        <div className="field--row">
          <Field
            {...field('phone')}
            hint={texts.phoneHint}
            type="tel"
            autoComplete="tel"
            dir="ltr"
          />
          <GenderField {...field('gender')} options={{ male: texts.male, female: texts.female }} />
        </div>
        <Field {...field('email')} type="email" autoComplete="email" dir="ltr" />
        <PasswordField
          {...field('password')}
          {...toggle}
          hint={texts.passwordHint}
          onChange={(event) => setPassword(event.target.value)}
        />
        <PasswordAdvice password={password} texts={strength} />
        <PasswordField {...field('confirmPassword')} {...toggle} />
        <button type="submit" className="button button--primary button--wide" aria-busy={isBusy}>
          {texts.submit}
        </button>
      </form>
      <OtherWay locale={locale} path="/login" question={texts.haveAccount} text={texts.login} />
    </>
  )
}

/** Passwords as they are; everything else without the spaces around it. */
function valuesOf(form: HTMLFormElement): RegistrationValues {
  const data = new FormData(form)
  const value = (name: RegistrationField) => {
    const text = String(data.get(name) ?? '')
    return /password/i.test(name) ? text : text.trim()
  }
  const entries = REGISTRATION_FIELDS.map((name) => [name, value(name)])
  return Object.fromEntries(entries) as RegistrationValues
}
