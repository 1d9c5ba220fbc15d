import { useEffect, useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import type { TextsAt } from '../../i18n/texts.ts'
import type { PagePath } from '../../rules/pages.ts'
import { checkConfirmation, checkPassword } from '../../rules/validators.ts'
import { resetPassword } from '../../stores/account/password.ts'
import { createForm } from '../../stores/shared/form.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { Button } from '../parts/Button.tsx'
import { type ErrorTexts, problemText, useErrorTexts } from '../parts/error-texts.ts'
import { PasswordField } from '../parts/Field.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { useForm } from '../parts/use-form.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { PasswordAdvice } from './PasswordAdvice.tsx'

const { island, useTexts } = islandTexts('password:reset', 'password:strength', 'errors:codes')

const RESET_REDIRECT_MS = 3000

interface Props {
  /** Where the user logs in afterwards, or requests another link. */
  logInPath: PagePath
  forgotPath: PagePath
}

const FIELDS = ['newPassword', 'confirmPassword'] as const
type Name = (typeof FIELDS)[number]
type Mistake = Exclude<keyof TextsAt<'password:reset'>['errors'], 'noToken' | 'failed'>

const newPasswordForm = () =>
  createForm<Name, Mistake>(FIELDS, ({ newPassword, confirmPassword }) => {
    const password = checkPassword(newPassword)
    const confirmation = checkConfirmation(newPassword, confirmPassword)
    const mistake = confirmation === 'required' ? 'confirmRequired' : confirmation
    return {
      ...(password && { newPassword: password }),
      ...(mistake && { confirmPassword: mistake }),
    }
  })

/** Sets a new password with the token in the page's URL; then opens the log-in page. */
function ResetForm({ logInPath, forgotPath }: Props) {
  const locale = useLocale()
  const loginHref = pathIn(locale, logInPath)
  const texts = useTexts('password:reset')
  const errors = useErrorTexts()
  const isHydrated = useHydrated()
  const [isDone, setDone] = useState(false)
  const token = isHydrated ? (new URLSearchParams(location.search).get('token') ?? '') : null
  const { formProps, values, mistakes, isRight, problem, isBusy } = useForm({
    make: newPasswordForm,
    checksOnLeave: true,
    send: async ({ newPassword }) => {
      const outcome = await resetPassword(token ?? '', newPassword)
      if (outcome.kind !== 'done') return outcome
      setDone(true)
      return 'done'
    },
  })

  useEffect(() => {
    if (!isDone) return
    // Replaces this page in the history, so that "back" does not lead to a URL with a used token.
    const timer = setTimeout(() => location.replace(loginHref), RESET_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [isDone, loginHref])

  if (isDone) {
    return (
      <div className="stack">
        <Message kind="success" text={texts.done} />
        <p>
          <a className="link" href={loginHref}>
            {texts.login}
          </a>
        </p>
      </div>
    )
  }

  const field = (name: Name) => {
    const mistake = mistakes[name]
    return {
      name,
      label: texts[name],
      show: texts.show,
      hide: texts.hide,
      error: mistake && texts.errors[mistake],
      autoComplete: 'new-password',
      required: true,
    }
  }
  const failure = token === '' ? texts.errors.noToken : problem && failureOf(problem, texts, errors)
  return (
    <form className="stack" {...formProps}>
      {failure && (
        <Message kind="error">
          <p>{failure}</p>
          <p>
            <a className="link" href={pathIn(locale, forgotPath)}>
              {texts.again}
            </a>
          </p>
        </Message>
      )}
      <PasswordField {...field('newPassword')} hint={texts.hint} />
      <PasswordAdvice password={values.newPassword} />
      <PasswordField {...field('confirmPassword')} />
      <Button
        type="submit"
        kind="primary"
        className="button--wide"
        disabled={!token || !isRight}
        isBusy={isBusy}
      >
        {texts.submit}
      </Button>
    </form>
  )
}

/** Most refusals concern the link: it was already used, or it is too old. */
function failureOf(problem: Problem, texts: TextsAt<'password:reset'>, errors: ErrorTexts): string {
  const isAboutLink = ['unknown', 'invalid_input', 'invalid_reset_token'].includes(problem.code)
  return isAboutLink ? texts.errors.failed : problemText(problem, errors)
}

export default island(ResetForm)
