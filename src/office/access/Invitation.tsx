import { useEffect, useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { PasswordAdvice } from '../../islands/account/PasswordAdvice.tsx'
import { Button, ButtonLink } from '../../islands/parts/Button.tsx'
import { Field, PasswordField } from '../../islands/parts/Field.tsx'
import { useLocale } from '../../islands/parts/island.tsx'
import { ErrorAlert } from '../../islands/parts/Message.tsx'
import { ErrorState, Skeleton } from '../../islands/parts/States.tsx'
import { useForm } from '../../islands/parts/use-form.ts'
import { plainName } from '../../rules/pasted-text.ts'
import {
  checkConfirmation,
  checkPassword,
  composeValidators,
  maxLength,
  NAME_MAX_LENGTH,
  required,
} from '../../rules/validators.ts'
import { createForm } from '../../stores/shared/form.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { officeTexts } from '../kit/office-texts.ts'
import { useProblemText } from '../kit/use-action.tsx'
import * as access from './access.ts'
import { type Mistake, mistakesOf, useFields } from './use-fields.ts'

const { island, useTexts } = officeTexts(
  'office-access:invitation',
  'office-access:fields',
  'password:strength',
)

const FIELDS = ['firstName', 'lastName', 'newPassword', 'confirmPassword'] as const
type Name = (typeof FIELDS)[number]

const name = composeValidators(required, maxLength(NAME_MAX_LENGTH))

const invitationForm = () =>
  createForm<Name, Mistake>(FIELDS, (values) =>
    mistakesOf(FIELDS, {
      firstName: name(plainName(values.firstName)),
      lastName: name(plainName(values.lastName)),
      newPassword: checkPassword(values.newPassword),
      confirmPassword: checkConfirmation(values.newPassword, values.confirmPassword),
    }),
  )

function Invitation() {
  const texts = useTexts('office-access:invitation')
  const problemText = useProblemText()
  const [token, setToken] = useState<string | null>(null)
  const [result, setResult] = useState<access.Invitation | Problem | null>(null)

  const load = async (urlToken: string) => {
    setResult(null)
    setResult(await access.readInvitation(urlToken))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the token in the URL once
  useEffect(() => {
    const urlToken = new URLSearchParams(location.search).get('token') ?? ''
    setToken(urlToken)
    if (urlToken) void load(urlToken)
  }, [])

  if (token === '') return <ErrorAlert text={texts.incomplete} />
  if (!result || token === null) {
    return <Skeleton text={texts.reading} shapes={['line', 'line', 'button']} />
  }
  if ('email' in result) return <Acceptance invitation={result} token={token} />
  if (isSpent(result)) {
    return (
      <div className="stack">
        <ErrorAlert text={texts.spent} />
        <ButtonLink className="button--wide" to="/office/login">
          {texts.login}
        </ButtonLink>
      </div>
    )
  }
  return (
    <ErrorState text={problemText(result)}>
      <Button kind="primary" onClick={() => load(token)}>
        {texts.retry}
      </Button>
    </ErrorState>
  )
}

function Acceptance({ invitation, token }: { invitation: access.Invitation; token: string }) {
  const locale = useLocale()
  const texts = useTexts('office-access:invitation')
  const problemText = useProblemText()
  const { formProps, values, mistakes, problem, isBusy } = useForm({
    make: invitationForm,
    checksOnLeave: true,
    send: async ({ firstName, lastName, newPassword: password }) => {
      const done = await access.acceptInvitation({
        token,
        firstName: plainName(firstName),
        lastName: plainName(lastName),
        password,
        locale,
      })
      if ('code' in done) return { problem: done, mistakes: mistakesOf(FIELDS, done.fields) }
      const next = done.lacksSecondFactor ? '/office/security' : '/office'
      // Replaces this page in the history, because its URL contains a used token.
      location.replace(pathIn(locale, done.isLoggedIn ? next : '/office/login'))
      return 'leaving'
    },
  })
  const { texts: fields, field, secret } = useFields(mistakes)

  return (
    <form className="stack" {...formProps}>
      <p>
        {texts[invitation.role]} <bdi dir="ltr">{invitation.email}</bdi>
      </p>
      {problem && <ErrorAlert text={isSpent(problem) ? texts.spent : problemText(problem)} />}
      <div className="field--row">
        <Field
          {...field('firstName')}
          hint={texts.nameHint}
          defaultValue={invitation.firstName}
          autoComplete="given-name"
          dir="auto"
        />
        <Field
          {...field('lastName')}
          defaultValue={invitation.lastName}
          autoComplete="family-name"
          dir="auto"
        />
      </div>
      <PasswordField
        {...secret('newPassword')}
        label={fields.password}
        hint={fields.passwordHint}
      />
      <PasswordAdvice password={values.newPassword} />
      <PasswordField {...secret('confirmPassword')} />
      <Button type="submit" kind="primary" className="button--wide" isBusy={isBusy}>
        {texts.submit}
      </Button>
    </form>
  )
}

const isSpent = ({ code }: Problem) => code === 'invalid_invitation' || code === 'invalid_input'

export default island(Invitation)
