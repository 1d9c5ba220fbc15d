import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { Button } from '../../islands/parts/Button.tsx'
import { Field, PasswordField } from '../../islands/parts/Field.tsx'
import { useLocale } from '../../islands/parts/island.tsx'
import { ErrorAlert, Message } from '../../islands/parts/Message.tsx'
import { useForm } from '../../islands/parts/use-form.ts'
import { officeReturnTo } from '../../rules/return-to.ts'
import { required } from '../../rules/validators.ts'
import { createForm } from '../../stores/shared/form.ts'
import { officeTexts } from '../kit/office-texts.ts'
import { $officeSession } from '../kit/session.ts'
import { useProblemText } from '../kit/use-action.tsx'
import { logInToOffice } from './access.ts'
import { type Mistake, useFields } from './use-fields.ts'

const { island, useTexts } = officeTexts('office-access:login', 'office-access:fields')

const noSession = () => null

const logInForm = () =>
  createForm<'username' | 'password', Mistake>(
    ['username', 'password'],
    ({ username, password }) => ({
      ...(required(username) && { username: 'required' }),
      ...(password === '' && { password: 'required' }),
    }),
  )

interface Props {
  /** Whether a phone number also is a user name. */
  reachesPhones: boolean
}

function LogIn({ reachesPhones }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-access:login')
  const problemText = useProblemText()
  const [firstFactor, setFirstFactor] = useState<{ username: string; password: string } | null>(
    null,
  )
  const isLoggedIn = useStore($officeSession, { ssr: noSession }) !== null

  const enter = (lacksSecondFactor: boolean) => {
    const returnTo = new URLSearchParams(location.search).get('returnTo')
    const target = officeReturnTo(returnTo, pathIn(locale, '/office'))
    location.assign(lacksSecondFactor ? pathIn(locale, '/office/security') : target)
  }
  const { form, formProps, mistakes, problem, isBusy } = useForm({
    make: logInForm,
    send: async (values) => {
      const outcome = await logInToOffice({ ...values, code: null }, locale)
      if (outcome.kind === 'refused') return { problem: outcome.problem }
      if (outcome.kind === 'code') {
        setFirstFactor(values)
        return 'done'
      }
      enter(outcome.lacksSecondFactor)
      return 'leaving'
    },
  })
  const { texts: fields, field, secret } = useFields(mistakes)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once; the user may be logged in already
  useEffect(() => {
    if ($officeSession.get() && !form.$state.get().isBusy) enter(false)
  }, [])

  if (firstFactor && !isLoggedIn) {
    return <CodeStep {...firstFactor} onEntered={enter} onBack={() => setFirstFactor(null)} />
  }
  return (
    <>
      <form className="stack" {...formProps}>
        {problem?.code === 'wrong_role' ? (
          <Message kind="error">
            {texts.customer}{' '}
            <a className="link" href={pathIn(locale, '/login')}>
              {texts.customerLink}
            </a>
          </Message>
        ) : (
          problem && <ErrorAlert text={problemText(asWrongCredentials(problem))} />
        )}
        <Field
          {...field('username')}
          {...(reachesPhones && { label: fields.emailOrPhone })}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
        <PasswordField {...secret('password')} />
        <p>
          <a className="link" href={pathIn(locale, '/office/forget-password')}>
            {texts.forgotten}
          </a>
        </p>
        <Button type="submit" kind="primary" className="button--wide" isBusy={isBusy}>
          {texts.submit}
        </Button>
      </form>
      <p>
        {texts.join}{' '}
        <a className="link" href={pathIn(locale, '/office/join')}>
          {texts.joinLink}
        </a>
      </p>
    </>
  )
}

/** Shows invalid input as wrong credentials, like a wrong user name or password. */
function asWrongCredentials<P extends { code: string; message: string }>(problem: P) {
  return problem.code === 'invalid_input'
    ? ({ ...problem, code: 'wrong_credentials' } as const)
    : problem
}

interface CodeStepProps {
  username: string
  password: string
  onEntered: (lacksSecondFactor: boolean) => void
  onBack: () => void
}

const codeForm = () =>
  createForm<'code', Mistake>(['code'], ({ code }) => (required(code) ? { code: 'required' } : {}))

function CodeStep({ username, password, onEntered, onBack }: CodeStepProps) {
  const locale = useLocale()
  const texts = useTexts('office-access:login')
  const problemText = useProblemText()
  const [isRecovery, setRecovery] = useState(false)
  const { form, formProps, mistakes, problem, isBusy } = useForm({
    make: codeForm,
    send: async ({ code }) => {
      const outcome = await logInToOffice({ username, password, code }, locale)
      if (outcome.kind !== 'welcome') {
        form.leave('code')
        return outcome.kind === 'refused' ? { problem: outcome.problem } : 'done'
      }
      onEntered(outcome.lacksSecondFactor)
      return 'leaving'
    },
  })
  const { field } = useFields(mistakes)
  const element = formProps.ref

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is emptied for the other kind of code
  useEffect(() => {
    const input = element.current?.elements.namedItem('code')
    if (!(input instanceof HTMLInputElement)) return
    input.value = ''
    input.focus()
  }, [isRecovery, element])

  return (
    <form className="stack" {...formProps}>
      <h2>{isRecovery ? texts.recovery : texts.step}</h2>
      <p className="soft">{isRecovery ? texts.recoveryText : texts.stepText}</p>
      {problem && <ErrorAlert text={problemText(problem)} />}
      <Field
        {...field('code')}
        {...(isRecovery && { label: texts.recovery })}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
      />
      <Button type="submit" kind="primary" className="button--wide" isBusy={isBusy}>
        {texts.submit}
      </Button>
      <Button
        kind="plain"
        onClick={() => {
          form.forgetProblem()
          setRecovery(!isRecovery)
        }}
      >
        {isRecovery ? texts.useCode : texts.useRecovery}
      </Button>
      {isRecovery && <p className="soft">{texts.lost}</p>}
      <Button kind="plain" onClick={onBack}>
        {texts.back}
      </Button>
    </form>
  )
}

export default island(LogIn)
