import { useEffect, useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { readCode } from '../../rules/sms.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { checkPassword } from '../../rules/validators.ts'
import { askForResetLink, keptRequest, sendCode } from '../../stores/account/password.ts'
import { createForm } from '../../stores/shared/form.ts'
import { takeNotice } from '../../stores/shared/page-notices.ts'
import { Button } from '../parts/Button.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { Field, PasswordField } from '../parts/Field.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { ErrorAlert, Message } from '../parts/Message.tsx'
import { useForm } from '../parts/use-form.ts'
import { withReturnTo } from './OtherWay.tsx'
import { PasswordAdvice } from './PasswordAdvice.tsx'

const { island, useTexts } = islandTexts('password:code', 'password:strength', 'errors:codes')

interface Props {
  /** Whether the code sets a new password; otherwise it confirms the number. */
  isForPassword: boolean
  /** Whether another code can be sent. */
  reachesPhones: boolean
}

const FIELDS = ['phone', 'code', 'newPassword'] as const
type Name = (typeof FIELDS)[number]
type Mistake = 'phone' | 'code' | 'required' | 'minLength' | 'maxLength'

const codeForm = (isForPassword: boolean) =>
  createForm<Name, Mistake>(FIELDS, ({ phone, code, newPassword }) => {
    const password = isForPassword ? checkPassword(newPassword) : null
    return {
      ...(normalisePhone(phone) === null && { phone: 'phone' }),
      ...(readCode(code) === null && { code: 'code' }),
      ...(password && { newPassword: password }),
    }
  })

/** The code that was sent to a phone, or read out at the counter. */
function CodeForm({ isForPassword, reachesPhones }: Props) {
  const locale = useLocale()
  const texts = useTexts('password:code')
  const errors = useErrorTexts()
  const [said, setSaid] = useState('')
  const [isSendingAgain, setSendingAgain] = useState(false)
  const { formProps, values, mistakes, problem, isBusy } = useForm({
    make: () => codeForm(isForPassword),
    send: async (typed) => {
      setSaid('')
      const problem = await sendCode(typed, isForPassword)
      if (problem) return { problem }
      location.assign(withReturnTo(locale, '/login'))
      return 'leaving'
    },
  })
  const element = formProps.ref

  useEffect(() => {
    const notice = takeNotice(['code_sent'])
    if (!notice || !element.current) return
    const phone = element.current.elements.namedItem('phone') as HTMLInputElement
    const code = element.current.elements.namedItem('code') as HTMLInputElement
    if (phone.value === '') phone.value = notice.phone
    code.focus()
    setSaid(texts.sent)
  }, [element, texts])

  const sendAgain = async () => {
    const phone = element.current?.elements.namedItem('phone') as HTMLInputElement
    if (isSendingAgain) return
    if (normalisePhone(phone.value) === null) return phone.focus()
    setSendingAgain(true)
    setSaid('')
    const registration = isForPassword ? null : keptRequest(phone.value, 'register')
    const outcome = await askForResetLink(phone.value, locale, registration)
    // Without the registration in this browser the code sets a new password.
    const isElsewhere = !isForPassword && registration === null
    if (outcome.kind === 'done' && isElsewhere) {
      return location.assign(withReturnTo(locale, '/new-password'))
    }
    takeNotice(['code_sent'])
    setSendingAgain(false)
    setSaid(outcome.kind === 'done' ? texts.sent : problemText(outcome.problem, errors))
  }

  return (
    <form className="stack" {...formProps}>
      <Field
        name="phone"
        label={texts.phone}
        error={mistakes.phone && texts.errors.phone}
        type="tel"
        autoComplete="tel"
        dir="ltr"
        required
      />
      <Field
        name="code"
        label={texts.code}
        hint={texts.codeHint}
        error={mistakes.code && texts.errors.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        required
      />
      {isForPassword && (
        <>
          <PasswordField
            name="newPassword"
            label={texts.newPassword}
            show={texts.show}
            hide={texts.hide}
            error={mistakes.newPassword && texts.errors[mistakes.newPassword]}
            autoComplete="new-password"
            required
          />
          <PasswordAdvice password={values.newPassword} />
        </>
      )}
      {said && !problem && <Message kind="note" text={said} />}
      {problem && <ErrorAlert text={problemText(problem, errors)} />}
      <Button type="submit" kind="primary" className="button--wide" isBusy={isBusy}>
        {isForPassword ? texts.setPassword : texts.confirm}
      </Button>
      {reachesPhones && (
        <p>
          <Button isBusy={isSendingAgain} onClick={sendAgain}>
            {texts.again}
          </Button>
        </p>
      )}
      <p>
        <a className="link" href={pathIn(locale, '/login')}>
          {texts.login}
        </a>
      </p>
    </form>
  )
}

export default island(CodeForm)
