import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { pathIn } from '../../../i18n/paths.ts'
import { officeReturnTo } from '../../../rules/return-to.ts'
import { required } from '../../../rules/validators.ts'
import { logInToOffice } from '../../../stores/office/access.ts'
import { $officeSession } from '../../../stores/office/session.ts'
import { createForm } from '../../../stores/shared/form.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { Field, PasswordField } from '../../parts/Field.tsx'
import { islandTexts, useLocale } from '../../parts/island.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useProblemText } from '../parts/use-attempt.tsx'
import { CodeStep } from './CodeStep.tsx'
import { type Mistake, useFields } from './use-fields.ts'

const { island, useTexts } = islandTexts(
  'office-access:login',
  'office-access:fields',
  'errors:codes',
  'office-errors:codes',
)

const noSession = () => null

const logInForm = () =>
  createForm<'username' | 'password', Mistake>(
    ['username', 'password'],
    ({ username, password }) => ({
      ...(required(username) && { username: 'required' }),
      ...(password === '' && { password: 'required' }),
    }),
  )

/** The log-in of the office: a password, then a code if the account has a second factor. */
function LogIn() {
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
  const { field, secret } = useFields(mistakes)

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
          <p className="alert alert--error" role="alert">
            {texts.customer}{' '}
            <a className="link" href={pathIn(locale, '/login')}>
              {texts.customerLink}
            </a>
          </p>
        ) : (
          problem && <ErrorAlert text={problemText(asWrongCredentials(problem))} />
        )}
        <Field
          {...field('username')}
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
        <button type="submit" className="button button--primary button--wide" aria-busy={isBusy}>
          {texts.submit}
        </button>
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

export default island(LogIn)
