import './access.css'
import { useState } from 'react'
import { fillText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { Button, ButtonLink } from '../../islands/parts/Button.tsx'
import { Field } from '../../islands/parts/Field.tsx'
import { useLocale } from '../../islands/parts/island.tsx'
import { ErrorAlert, Message } from '../../islands/parts/Message.tsx'
import { useForm } from '../../islands/parts/use-form.ts'
import { useHydrated } from '../../islands/parts/use-hydrated.ts'
import { plainEmail, plainName } from '../../rules/pasted-text.ts'
import { JOIN_MESSAGE_MAX_LENGTH, JOIN_SUBJECTS_MAX_LENGTH } from '../../rules/roles.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import {
  composeValidators,
  EMAIL_MAX_LENGTH,
  email,
  maxLength,
  NAME_MAX_LENGTH,
  required,
} from '../../rules/validators.ts'
import { createForm } from '../../stores/shared/form.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { TextField } from '../kit/forms/fields.tsx'
import { officeTexts } from '../kit/office-texts.ts'
import { useAction, useProblemText } from '../kit/use-action.tsx'
import { askToJoin, confirmJoining } from './access.ts'
import { type Mistake, mistakesOf, useFields } from './use-fields.ts'

const { island, useTexts } = officeTexts('office-access:join', 'office-access:fields')

const FIELDS = ['firstName', 'lastName', 'email', 'phone', 'subjects', 'message'] as const
type Name = (typeof FIELDS)[number]

const name = composeValidators(required, maxLength(NAME_MAX_LENGTH))
const address = composeValidators(required, maxLength(EMAIL_MAX_LENGTH), email)
const subjects = composeValidators(required, maxLength(JOIN_SUBJECTS_MAX_LENGTH))
const message = maxLength(JOIN_MESSAGE_MAX_LENGTH)

const cleaned = ({ firstName, lastName, email, ...others }: Record<Name, string>) => ({
  ...others,
  firstName: plainName(firstName),
  lastName: plainName(lastName),
  email: plainEmail(email),
})

const joinForm = () =>
  createForm<Name, Mistake>(FIELDS, (input) => {
    const values = cleaned(input)
    const phone = normalisePhone(values.phone) === null ? 'phone' : null
    return mistakesOf(FIELDS, {
      firstName: name(values.firstName),
      lastName: name(values.lastName),
      email: address(values.email),
      phone: required(values.phone) ?? phone,
      subjects: subjects(values.subjects),
      message: message(values.message),
    })
  })

function Join() {
  const isHydrated = useHydrated()
  const token = isHydrated && new URLSearchParams(location.search).get('token')
  return token ? <ConfirmJoining token={token} /> : <Request />
}

function Request() {
  const locale = useLocale()
  const texts = useTexts('office-access:join')
  const problemText = useProblemText()
  const [sentTo, setSentTo] = useState('')
  const { formProps, mistakes, problem, isBusy } = useForm({
    make: joinForm,
    checksOnLeave: true,
    send: async (input) => {
      const values = cleaned(input)
      const refusal = await askToJoin({ ...values, locale })
      if (refusal) return { problem: refusal, mistakes: mistakesOf(FIELDS, refusal.fields) }
      setSentTo(values.email)
      return 'done'
    },
  })
  const { texts: fields, errorOf, field } = useFields(mistakes)

  if (sentTo) {
    return (
      <div className="stack">
        <h2>{texts.sent}</h2>
        <Message
          kind="success"
          text={fillText(texts.sentText, { email: `\u2066${sentTo}\u2069` })}
        />
      </div>
    )
  }
  return (
    <>
      <p className="soft">{texts.intro}</p>
      <ol className="join-steps">
        {texts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <form className="stack" {...formProps}>
        {problem && <ErrorAlert text={problemText(problem)} />}
        <div className="field--row">
          <Field {...field('firstName')} autoComplete="given-name" dir="auto" />
          <Field {...field('lastName')} autoComplete="family-name" dir="auto" />
        </div>
        <Field {...field('email')} type="email" autoComplete="email" dir="ltr" />
        <Field
          {...field('phone')}
          hint={fields.phoneHint}
          type="tel"
          autoComplete="tel"
          dir="ltr"
        />
        <Field
          name="subjects"
          label={texts.subjects}
          hint={texts.subjectsHint}
          error={errorOf('subjects')}
          dir="auto"
          required
        />
        <TextField
          name="message"
          label={texts.message}
          hint={texts.messageHint}
          error={errorOf('message')}
          rows={4}
        />
        <Button type="submit" kind="primary" className="button--wide" isBusy={isBusy}>
          {texts.submit}
        </Button>
      </form>
      <p>
        {texts.haveAccount}{' '}
        <a className="link" href={pathIn(locale, '/office/login')}>
          {texts.login}
        </a>
      </p>
    </>
  )
}

/**
 * Confirms a request to join when the user presses a button. The visit alone does not confirm it,
 * because mail scanners open links and would confirm requests made in another person's name.
 */
function ConfirmJoining({ token }: { token: string }) {
  const texts = useTexts('office-access:join')
  const problemText = useProblemText()
  const { isBusy, attempt } = useAction()
  const [outcome, setOutcome] = useState<'confirmed' | 'already' | Problem | null>(null)

  const confirm = () =>
    attempt(async () => {
      setOutcome(null)
      setOutcome(await confirmJoining(token))
    })
  if (typeof outcome === 'string') {
    return (
      <div className="stack">
        <Message kind="success" text={texts[outcome]} />
        <p>
          <ButtonLink to="/">{texts.home}</ButtonLink>
        </p>
      </div>
    )
  }
  const isSpent = outcome?.code === 'invalid_confirmation_token'
  return (
    <div className="stack">
      {outcome && <ErrorAlert text={isSpent ? texts.spent : problemText(outcome)} />}
      {isSpent ? (
        <p>
          <ButtonLink to="/office/join">{texts.again}</ButtonLink>
        </p>
      ) : (
        <>
          <p>{texts.confirmText}</p>
          <Button kind="primary" className="button--wide" isBusy={isBusy} onClick={confirm}>
            {texts.confirm}
          </Button>
        </>
      )}
    </div>
  )
}

export default island(Join)
