import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { TextsAt } from '../../i18n/text-keys.ts'
import { required } from '../../rules/validators.ts'
import { type LogInOutcome, logIn } from '../../stores/account/account.ts'
import { $session } from '../../stores/account/session.ts'
import { whileLoading } from '../../stores/shared/loading.ts'
import { takeNotice } from '../../stores/shared/notices.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { Field, focusFirstError, PasswordField } from '../parts/Field.tsx'
import { AccessDenied } from './AccessDenied.tsx'
import { OtherWay } from './OtherWay.tsx'
import { wayBack } from './way-back.ts'

/** `account:login` of locales. */
export type LoginTexts = TextsAt<'account:login'>

interface Props {
  locale: Locale
  texts: LoginTexts
  errors: ErrorTexts
  /** The words of the link to `/forget-password`. */
  forgotten: string
  /** The staff's own site. */
  officeUrl: string
}

type Fillable = HTMLFormControlsCollection & Record<'username' | 'password', HTMLInputElement>
type Fields = Partial<Record<'username' | 'password', string>>

/** Log-in by e-mail or phone number; whoever is no customer is refused and pointed to the office. */
export default function LoginForm({ locale, texts, errors, forgotten, officeUrl }: Props) {
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [isDenied, setDenied] = useState(false)
  const [isRegistered, setRegistered] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const [message, setMessage] = useState('')
  const [wrong, setWrong] = useState<Fields>({})
  const isIn = useStore($session, { ssr: nobody }) !== null

  useEffect(() => {
    const notice = takeNotice(['registered'])
    if (!notice || !form.current) return
    setRegistered(true)
    // Not over what was typed before the script was there.
    const { username, password } = form.current.elements as Fillable
    if (username.value === '') username.value = notice.email
    password.focus()
  }, [])
  useEffect(() => {
    // Logged in already, or in another tab; one's own log-in finds its way by itself.
    if (isIn && !isSending.current) location.replace(wayBack(locale))
  }, [isIn, locale])

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending.current) return
    const data = new FormData(event.currentTarget)
    const username = String(data.get('username'))
    const password = String(data.get('password'))
    const missing: Fields = {
      ...(required(username) && { username: texts.errors.required }),
      ...(password === '' && { password: texts.errors.required }),
    }
    setWrong(missing)
    setMessage('')
    if (Object.keys(missing).length > 0) return focusFirstError(event.currentTarget, missing)

    isSending.current = true
    setBusy(true)
    const outcome = await whileLoading(logIn(username, password, locale))
    if (outcome.kind === 'welcome') return location.assign(wayBack(locale))
    isSending.current = false
    setBusy(false)
    if (outcome.kind === 'staff') setDenied(true)
    else setMessage(sentence(outcome, texts, errors))
  }

  return (
    <>
      {isRegistered && (
        <p className="alert alert--success" role="status">
          {texts.registered}
        </p>
      )}
      {/* Posted, should it be sent before the script is there: no password in an address. */}
      <form ref={form} className="stack" method="post" noValidate onSubmit={submit}>
        {message && (
          <p className="alert alert--error" role="alert">
            {message}
          </p>
        )}
        <Field
          name="username"
          label={texts.username}
          error={wrong.username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          required
        />
        <PasswordField
          name="password"
          label={texts.password}
          show={texts.show}
          hide={texts.hide}
          error={wrong.password}
          autoComplete="current-password"
          required
        />
        <p>
          <a className="link" href={pathIn(locale, '/forget-password')}>
            {forgotten}
          </a>
        </p>
        <button type="submit" className="button button--primary button--wide" aria-busy={isBusy}>
          {texts.submit}
        </button>
      </form>
      <OtherWay locale={locale} path="/register" question={texts.newHere} text={texts.register} />
      {isDenied && (
        <AccessDenied texts={texts.denied} officeUrl={officeUrl} onClose={() => setDenied(false)} />
      )}
    </>
  )
}

const nobody = () => null

/** What a failed log-in is told; the server's own words where its code has no sentence. */
function sentence(
  outcome: Exclude<LogInOutcome, { kind: 'welcome' | 'staff' }>,
  texts: LoginTexts,
  errors: ErrorTexts,
): string {
  if (outcome.kind === 'no_token') return texts.errors.noToken
  if (outcome.kind === 'invalid_token') return texts.errors.invalidToken
  const { code, message } = outcome.problem
  if (code === 'unknown') return message || texts.errors.failed
  // A name or password that cannot be one is as wrong as any other.
  return code === 'invalid_input' ? errors.wrong_credentials : errors[code]
}
