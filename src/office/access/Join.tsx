import './access.css'
import { useState } from 'react'
import type { JoinRequest } from '../../contract/office-access.ts'
import { fillText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { PasswordAdvice } from '../../islands/account/PasswordAdvice.tsx'
import { Button, ButtonLink } from '../../islands/parts/Button.tsx'
import { Field, PasswordField } from '../../islands/parts/Field.tsx'
import { useLocale } from '../../islands/parts/island.tsx'
import { ErrorAlert, Message } from '../../islands/parts/Message.tsx'
import { useForm } from '../../islands/parts/use-form.ts'
import { useHydrated } from '../../islands/parts/use-hydrated.ts'
import { plainEmail, plainName } from '../../rules/pasted-text.ts'
import { JOIN_MESSAGE_MAX_LENGTH, JOIN_SUBJECTS_MAX_LENGTH } from '../../rules/roles.ts'
import { readCode } from '../../rules/sms.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import {
  checkPassword,
  composeValidators,
  EMAIL_MAX_LENGTH,
  email,
  maxLength,
  NAME_MAX_LENGTH,
  required,
} from '../../rules/validators.ts'
import { createForm } from '../../stores/shared/form.ts'
import { TextField } from '../kit/forms/fields.tsx'
import { officeTexts } from '../kit/office-texts.ts'
import { useAction, useProblemText } from '../kit/use-action.tsx'
import { askToJoin, openAccount, requestCode } from './access.ts'
import { type Mistake, mistakesOf, useFields } from './use-fields.ts'

const { island, useTexts } = officeTexts(
  'office-access:join',
  'office-access:fields',
  'password:strength',
)

interface Props {
  /** Whether the phone is confirmed, by a code; otherwise the e-mail address is, by a link. */
  reachesPhones: boolean
}

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

const joinForm = (reachesPhones: boolean) =>
  createForm<Name, Mistake>(FIELDS, (input) => {
    const values = cleaned(input)
    const phone = normalisePhone(values.phone) === null ? 'phone' : null
    return mistakesOf(FIELDS, {
      firstName: name(values.firstName),
      lastName: name(values.lastName),
      email: reachesPhones ? null : address(values.email),
      phone: required(values.phone) ?? phone,
      subjects: subjects(values.subjects),
      message: message(values.message),
    })
  })

function Join(props: Props) {
  const isHydrated = useHydrated()
  const given = isHydrated ? new URLSearchParams(location.search) : null
  const token = given?.get('token')
  const request = given?.get(CODE_IS_FOR)
  if (token) return <OpenAccount token={token} asked={null} />
  // The page was loaded again, such as by a phone on which the message was read meanwhile.
  if (request) return <OpenAccount token={request} asked={{ phone: given?.get('phone') ?? '' }} />
  return <Request {...props} />
}

/** The parameter of this page's address that names the code which was sent. */
const CODE_IS_FOR = 'request'

function keepInAddress(request: string, phone: string): void {
  history.replaceState(
    history.state,
    '',
    `?${new URLSearchParams({ [CODE_IS_FOR]: request, phone })}`,
  )
}

function Request({ reachesPhones }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-access:join')
  const problemText = useProblemText()
  const [sentTo, setSentTo] = useState('')
  const [asked, setAsked] = useState<{ token: string; form: JoinRequest } | null>(null)
  const { formProps, mistakes, problem, isBusy } = useForm({
    make: () => joinForm(reachesPhones),
    checksOnLeave: true,
    send: async (input) => {
      const form = { ...cleaned(input), ...(reachesPhones && { email: '' }), locale }
      const sent = await askToJoin(form)
      if ('code' in sent) return { problem: sent, mistakes: mistakesOf(FIELDS, sent.fields) }
      if (sent.request === null) setSentTo(form.email)
      else {
        keepInAddress(sent.request, form.phone)
        setAsked({ token: sent.request, form })
      }
      return 'done'
    },
  })
  const { texts: fields, errorOf, field } = useFields(mistakes)

  if (asked) return <OpenAccount token={asked.token} asked={asked.form} />
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
        {!reachesPhones && (
          <Field {...field('email')} type="email" autoComplete="email" dir="ltr" />
        )}
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

const OPENING = ['code', 'newPassword'] as const

const openingForm = (isByPhone: boolean) =>
  createForm<(typeof OPENING)[number], Mistake>(OPENING, ({ code, newPassword }) =>
    mistakesOf(OPENING, {
      code: isByPhone && readCode(code) === null ? 'invalid' : null,
      newPassword: checkPassword(newPassword),
    }),
  )

interface OpenAccountProps {
  /** The token of the mailed link, or what names the code that was sent. */
  token: string
  /** The form that was sent for a phone, or its number alone; null: an e-mail address is confirmed. */
  asked: JoinRequest | { phone: string } | null
}

/**
 * Opens the account when its owner has chosen a password. The visit alone does not: mail scanners
 * open links, and would open accounts in another person's name.
 */
function OpenAccount({ token: first, asked }: OpenAccountProps) {
  const locale = useLocale()
  const texts = useTexts('office-access:join')
  const problemText = useProblemText()
  const [token, setToken] = useState(first)
  const { message, attempt, isBusy: isSendingAgain } = useAction()
  const { formProps, values, mistakes, problem, isBusy } = useForm({
    make: () => openingForm(asked !== null),
    send: async ({ code, newPassword: password }) => {
      const given = { token, code: asked && code, password, locale }
      const refusal = await openAccount(given)
      if (refusal) return { problem: refusal, mistakes: mistakesOf(OPENING, refusal.fields) }
      // Replaces this page in the history: its address contains a used token.
      location.replace(pathIn(locale, '/office'))
      return 'leaving'
    },
  })
  const { texts: fields, secret } = useFields(mistakes)
  const isSpent = problem?.code === 'invalid_confirmation_token'

  const sendAgain = (form: JoinRequest) =>
    attempt(async () => {
      const request = await requestCode(form)
      if (request === null) return
      setToken(request)
      keepInAddress(request, form.phone)
      return texts.codeSent
    })
  return (
    <div className="stack">
      <p>
        {asked
          ? fillText(texts.codeText, { phone: `\u2066${asked.phone}\u2069` })
          : texts.confirmText}
      </p>
      <form className="stack" {...formProps}>
        {asked && (
          <Field
            name="code"
            label={texts.code}
            hint={texts.codeHint}
            error={mistakes.code && texts.codeMistake}
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            required
          />
        )}
        <PasswordField
          {...secret('newPassword')}
          label={fields.password}
          hint={fields.passwordHint}
        />
        <PasswordAdvice password={values.newPassword} />
        {problem && <ErrorAlert text={isSpent ? texts.spent : problemText(problem)} />}
        <Button type="submit" kind="primary" className="button--wide" isBusy={isBusy}>
          {texts.confirm}
        </Button>
      </form>
      {message}
      {asked && 'subjects' in asked ? (
        <p>
          <Button isBusy={isSendingAgain} onClick={() => sendAgain(asked)}>
            {texts.codeAgain}
          </Button>
        </p>
      ) : (
        (isSpent || asked) && (
          <p>
            <ButtonLink to="/office/join">{texts.again}</ButtonLink>
          </p>
        )
      )}
    </div>
  )
}

export default island(Join)
