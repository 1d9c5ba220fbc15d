import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { TextsAt } from '../../i18n/text-keys.ts'
import { checkConfirmation, checkPassword } from '../../rules/validators.ts'
import { resetPassword } from '../../stores/account/password.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { PasswordField } from '../parts/Field.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'
import { PasswordAdvice, type StrengthTexts } from './PasswordAdvice.tsx'

const RESET_REDIRECT_MS = 3000

/** `password:reset` of locales. */
export type ResetTexts = TextsAt<'password:reset'>

interface Props {
  locale: Locale
  texts: ResetTexts
  strength: StrengthTexts
  errors: ErrorTexts
  /** Where staff sign in: named after the success, and the browser stays. */
  office?: string
}

const FIELDS = ['newPassword', 'confirmPassword'] as const
type Name = (typeof FIELDS)[number]

/** Sets a password with the token of the address; a customer then goes to the log-in page. */
export default function ResetForm({ locale, texts, strength, errors, office }: Props) {
  const isHydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const isSending = useRef(false)
  const [values, setValues] = useState<Record<Name, string>>({
    newPassword: '',
    confirmPassword: '',
  })
  const [touched, setTouched] = useState<Partial<Record<Name, boolean>>>({})
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const [failure, setFailure] = useState('')
  const token = isHydrated ? (new URLSearchParams(location.search).get('token') ?? '') : null
  const loginPath = pathIn(locale, '/login')

  // What a password manager filled in before the script was there.
  useEffect(() => setValues(valuesOf(form.current)), [])
  useEffect(() => {
    if (!isDone || office) return
    // In place of this page: its address, with the token, is not gone back to.
    const timer = setTimeout(() => location.replace(loginPath), RESET_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [isDone, office, loginPath])

  const wrong = found(values, texts)
  const isWrong = FIELDS.some((name) => wrong[name])

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTouched({ newPassword: true, confirmPassword: true })
    if (isSending.current || isWrong || !token) return
    isSending.current = true
    setBusy(true)
    setFailure('')
    const outcome = await resetPassword(token, values.newPassword)
    isSending.current = false
    setBusy(false)
    if (outcome.kind === 'done') return setDone(true)
    const { code } = outcome.problem
    const isAboutToken = ['unknown', 'invalid_input', 'invalid_reset_token'].includes(code)
    setFailure(isAboutToken ? texts.errors.failed : errors[code])
  }

  if (isDone) {
    return (
      <div className="stack" role="status">
        <p className="alert alert--success">{texts.done}</p>
        <p>
          <a className="link" href={office ?? loginPath}>
            {texts.login}
          </a>
        </p>
      </div>
    )
  }

  const field = (name: Name) => ({
    name,
    label: texts[name],
    show: texts.show,
    hide: texts.hide,
    error: (touched[name] && wrong[name]) || undefined,
    autoComplete: 'new-password',
    required: true,
    onChange: () => setValues(valuesOf(form.current)),
    onBlur: () => setTouched((before) => ({ ...before, [name]: true })),
  })
  const problem = token === '' ? texts.errors.noToken : failure
  return (
    <form ref={form} className="stack" method="post" noValidate onSubmit={submit}>
      {problem && (
        <div className="alert alert--error" role="alert">
          <p>{problem}</p>
          {!office && (
            <p>
              <a className="link" href={pathIn(locale, '/forget-password')}>
                {texts.again}
              </a>
            </p>
          )}
        </div>
      )}
      <PasswordField {...field('newPassword')} hint={texts.hint} />
      <PasswordAdvice password={values.newPassword} texts={strength} />
      <PasswordField {...field('confirmPassword')} />
      <button
        type="submit"
        className="button button--primary button--wide"
        disabled={!token || isWrong}
        aria-busy={isBusy}
      >
        {texts.submit}
      </button>
    </form>
  )
}

/** What is wrong with which field (section 5). */
function found(values: Record<Name, string>, { errors }: ResetTexts): Record<Name, string> {
  const password = checkPassword(values.newPassword)
  const confirmation = checkConfirmation(values.newPassword, values.confirmPassword)
  return {
    newPassword: password ? errors[password] : '',
    confirmPassword: {
      required: errors.confirmRequired,
      mismatch: errors.mismatch,
      none: '',
    }[confirmation ?? 'none'],
  }
}

function valuesOf(form: HTMLFormElement | null): Record<Name, string> {
  const data = form ? new FormData(form) : new FormData()
  const value = (name: Name) => String(data.get(name) ?? '')
  return { newPassword: value('newPassword'), confirmPassword: value('confirmPassword') }
}
