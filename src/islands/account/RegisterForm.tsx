import { useRef } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import {
  type RegistrationField,
  registrationForm,
  sendRegistration,
  suggestUsername,
} from '../../stores/account/registration.ts'
import { Button } from '../parts/Button.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { Field, PasswordField } from '../parts/Field.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { ErrorAlert } from '../parts/Message.tsx'
import { useForm } from '../parts/use-form.ts'
import { GenderField } from './GenderField.tsx'
import { OtherWay, withReturnTo } from './OtherWay.tsx'
import { PasswordAdvice } from './PasswordAdvice.tsx'

const { island, useTexts } = islandTexts('account:register', 'password:strength', 'errors:codes')

interface Props {
  /** The number of the terms to accept; null: none are binding. */
  terms: number | null
  /** Whether a phone number is enough. */
  reachesPhones: boolean
}

function RegisterForm({ terms, reachesPhones }: Props) {
  const locale = useLocale()
  const texts = useTexts('account:register')
  const errors = useErrorTexts()
  const filledName = useRef('')
  const { fill, formProps, values, mistakes, problem, isBusy } = useForm({
    make: () => registrationForm({ asksForTerms: terms !== null, needsEmail: !reachesPhones }),
    onChange: (typed) => {
      const username = suggestUsername(typed, filledName.current)
      if (username === null || username === filledName.current) return
      filledName.current = username
      fill({ username })
    },
    send: async (typed) => {
      const sessionId = new URLSearchParams(location.search).get('sessionId')
      const sent = await sendRegistration(typed, locale, sessionId, terms)
      const isByPhone = reachesPhones && typed.email.trim() === ''
      const next = isByPhone ? '/confirm-phone' : '/login'
      if (sent === 'leaving') location.assign(withReturnTo(locale, next))
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
        <div className="field--row">
          <Field {...field('firstName')} autoComplete="given-name" dir="auto" />
          <Field {...field('lastName')} autoComplete="family-name" dir="auto" />
        </div>
        <Field
          {...field('username')}
          hint={texts.usernameHint}
          autoComplete="nickname"
          dir="auto"
        />
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
        <Field
          {...field('email')}
          {...(reachesPhones && { hint: texts.emailHint, required: false })}
          type="email"
          autoComplete="email"
          dir="ltr"
        />
        <PasswordField {...field('password')} {...toggle} hint={texts.passwordHint} />
        <PasswordAdvice password={values.password} />
        <PasswordField {...field('confirmPassword')} {...toggle} />
        {terms !== null && (
          <div className="field">
            <label className="choice">
              <input
                type="checkbox"
                name="terms"
                required
                aria-invalid={mistakes.terms ? true : undefined}
              />
              {texts.terms}
            </label>
            <a className="link" href={pathIn(locale, '/terms')} target="_blank" rel="noreferrer">
              {texts.readTerms}
            </a>
            {mistakes.terms && <p className="field__error">{texts.errors[mistakes.terms]}</p>}
          </div>
        )}
        {problem && <ErrorAlert text={problemText(problem, errors, texts.errors.failed)} />}
        <Button type="submit" kind="primary" className="button--wide" isBusy={isBusy}>
          {texts.submit}
        </Button>
      </form>
      <OtherWay path="/login" question={texts.haveAccount} text={texts.login} />
    </>
  )
}

export default island(RegisterForm)
