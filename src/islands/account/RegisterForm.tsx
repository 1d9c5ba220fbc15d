import type { Locale } from '../../i18n/locales.ts'
import {
  type RegistrationField,
  type RegistrationMistake,
  registrationForm,
  sendRegistration,
} from '../../stores/account/registration.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { type ErrorTexts, problemText } from '../parts/error-texts.ts'
import { Field, PasswordField } from '../parts/Field.tsx'
import { useForm } from '../parts/use-form.ts'
import { GenderField } from './GenderField.tsx'
import { OtherWay } from './OtherWay.tsx'
import { PasswordAdvice, type StrengthTexts } from './PasswordAdvice.tsx'
import { withReturnTo } from './way-back.ts'

/** `account:register` of locales. */
export interface RegisterTexts extends Record<RegistrationField, string> {
  phoneHint: string
  passwordHint: string
  male: string
  female: string
  show: string
  hide: string
  submit: string
  haveAccount: string
  login: string
  errors: Record<RegistrationMistake, string> & { failed: string }
}

interface Props {
  locale: Locale
  texts: RegisterTexts
  strength: StrengthTexts
  errors: ErrorTexts
}

/** Registration of a customer; success leads to the log-in page, which says so. */
export default function RegisterForm({ locale, texts, strength, errors }: Props) {
  const { formProps, values, mistakes, problem, isBusy } = useForm({
    make: registrationForm,
    send: async (typed) => {
      const sessionId = new URLSearchParams(location.search).get('sessionId')
      const sent = await sendRegistration(typed, locale, sessionId)
      if (sent === 'leaving') location.assign(withReturnTo(locale, '/login'))
      return sent
    },
  })

  const field = (name: RegistrationField) => {
    const mistake = mistakes[name]
    return { name, label: texts[name], error: mistake && texts.errors[mistake], required: true }
  }
  const toggle = { show: texts.show, hide: texts.hide, autoComplete: 'new-password' }

  return (
    <>
      <form className="stack" {...formProps}>
        {problem && <ErrorAlert text={problemText(problem, errors, texts.errors.failed)} />}
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
        <PasswordField {...field('password')} {...toggle} hint={texts.passwordHint} />
        <PasswordAdvice password={values.password} texts={strength} />
        <PasswordField {...field('confirmPassword')} {...toggle} />
        <button type="submit" className="button button--primary button--wide" aria-busy={isBusy}>
          {texts.submit}
        </button>
      </form>
      <OtherWay locale={locale} path="/login" question={texts.haveAccount} text={texts.login} />
    </>
  )
}
