import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import type { TextsAt } from '../../i18n/texts.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { required } from '../../rules/validators.ts'
import { type LogInOutcome, logIn } from '../../stores/account/account.ts'
import { askToConfirm } from '../../stores/account/password.ts'
import { $session } from '../../stores/session/session.ts'
import { whileLoading } from '../../stores/shared/browser.ts'
import { createForm } from '../../stores/shared/form.ts'
import { takeNotice } from '../../stores/shared/page-notices.ts'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { type ErrorTexts, problemText, useErrorTexts } from '../parts/error-texts.ts'
import { Field, PasswordField } from '../parts/Field.tsx'
import { islandTexts, useLocale, useTexts } from '../parts/island.tsx'
import { ErrorAlert, Message } from '../parts/Message.tsx'
import { useForm } from '../parts/use-form.ts'
import { OtherWay, wayBack, withReturnTo } from './OtherWay.tsx'

const { island } = islandTexts('account:login', 'errors:codes')

interface Props {
  /** The text of the link to `/forget-password`. */
  forgotten: string
  /** Whether a phone number can be used. */
  takesPhones: boolean
  /** Where staff log in. */
  officeUrl: string | null
}

type Fillable = HTMLFormControlsCollection & Record<'username' | 'password', HTMLInputElement>
type Refusal = Exclude<LogInOutcome, { kind: 'welcome' }>

const logInForm = (takesPhones: boolean) =>
  createForm<'username' | 'password', 'required' | 'emailOnly', Refusal>(
    ['username', 'password'],
    ({ username, password }) => ({
      ...(!takesPhones && normalisePhone(username) !== null && { username: 'emailOnly' }),
      ...(required(username) && { username: 'required' }),
      ...(password === '' && { password: 'required' }),
    }),
  )

/** Log-in by e-mail or phone number; staff are refused and sent to the office. */
function LoginForm({ forgotten, takesPhones, officeUrl }: Props) {
  const locale = useLocale()
  const texts = useTexts('account:login')
  const errors = useErrorTexts()
  const [notice, setNotice] = useState<keyof typeof NOTICES | null>(null)
  const isIn = useStore($session, { ssr: noSession }) !== null
  const { form, formProps, mistakes, problem, isBusy } = useForm({
    make: () => logInForm(takesPhones),
    send: async ({ username, password }) => {
      const outcome = await whileLoading(logIn(username, password, locale))
      if (outcome.kind === 'refused' && outcome.problem.code === 'phone_unconfirmed') {
        const next = await whileLoading(askToConfirm(username, locale))
        if (next === null) return { problem: outcome }
        location.assign(withReturnTo(locale, next))
        return 'leaving'
      }
      if (outcome.kind !== 'welcome') return { problem: outcome }
      location.assign(wayBack(locale))
      return 'leaving'
    },
  })
  const element = formProps.ref

  useEffect(() => {
    const notice = takeNotice(['registered', 'phone_confirmed', 'password_set'])
    if (!notice || !element.current) return
    setNotice(notice.kind)
    // Keep what was typed before the script arrived.
    const { username, password } = element.current.elements as Fillable
    if (username.value === '') {
      username.value = notice.kind === 'registered' ? notice.email : notice.phone
    }
    password.focus()
  }, [element])
  useEffect(() => {
    // The visitor logged in earlier, or in another tab; a log-in through this form navigates by
    // itself.
    if (isIn && !form.$state.get().isBusy) location.replace(wayBack(locale))
  }, [isIn, form, locale])

  return (
    <>
      {notice && <Message kind="success" text={texts[NOTICES[notice]]} />}
      <form className="stack" {...formProps}>
        {problem && problem.kind !== 'staff' && (
          <ErrorAlert text={sentence(problem, texts, errors)} />
        )}
        <Field
          name="username"
          label={takesPhones ? texts.usernameOrPhone : texts.username}
          error={mistakes.username && texts.errors[mistakes.username]}
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
          error={mistakes.password && texts.errors.required}
          autoComplete="current-password"
          required
        />
        <p>
          <a className="link" href={pathIn(locale, '/forget-password')}>
            {forgotten}
          </a>
        </p>
        <Button type="submit" kind="primary" className="button--wide" isBusy={isBusy}>
          {texts.submit}
        </Button>
      </form>
      <OtherWay path="/register" question={texts.newHere} text={texts.register} />
      {problem?.kind === 'staff' && (
        <AccessDenied officeUrl={officeUrl} onClose={form.forgetProblem} />
      )}
    </>
  )
}

/** The sentence of each notice. */
const NOTICES = {
  registered: 'registered',
  phone_confirmed: 'phoneConfirmed',
  password_set: 'passwordSet',
} as const

const noSession = () => null

function sentence(
  outcome: Exclude<Refusal, { kind: 'staff' }>,
  texts: TextsAt<'account:login'>,
  errors: ErrorTexts,
): string {
  if (outcome.kind === 'no_token') return texts.errors.noToken
  if (outcome.kind === 'invalid_token') return texts.errors.invalidToken
  // A malformed user name or password gets the same message as a wrong one.
  if (outcome.problem.code === 'invalid_input') return errors.wrong_credentials
  return problemText(outcome.problem, errors, texts.errors.failed)
}

export default island(LoginForm)

/** Shown to staff who log in to the shop: a link to the office, which is a separate site. */
function AccessDenied({ officeUrl, onClose }: { officeUrl: string | null; onClose: () => void }) {
  const texts = useTexts('account:login').denied
  return (
    <Dialog
      title={texts.title}
      closeText={texts.close}
      onClose={onClose}
      foot={
        officeUrl !== null && (
          <a className="button button--primary" href={officeUrl}>
            {texts.office}
          </a>
        )
      }
    >
      <p>{texts.text}</p>
    </Dialog>
  )
}
