import { useState } from 'react'
import { checkConfirmation, checkPassword } from '../../../rules/validators.ts'
import { changePassword } from '../../../stores/office/security.ts'
import { createForm } from '../../../stores/shared/form.ts'
import { PasswordAdvice } from '../../account/PasswordAdvice.tsx'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { PasswordField } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useProblemText } from '../parts/use-attempt.tsx'
import { type Mistake, mistakesOf, useFields } from './use-fields.ts'

const FIELDS = ['password', 'newPassword', 'confirmPassword'] as const
type Name = (typeof FIELDS)[number]

const passwordForm = () =>
  createForm<Name, Mistake>(FIELDS, (values) =>
    mistakesOf(FIELDS, {
      password: values.password === '' ? 'required' : null,
      newPassword: checkPassword(values.newPassword),
      confirmPassword: checkConfirmation(values.newPassword, values.confirmPassword),
    }),
  )

/** Changes the password, which ends all other sessions. */
export function ChangePassword() {
  const texts = useTexts('office-access:security')
  const [changes, setChanges] = useState(0)
  return (
    <section className="security__part stack" aria-labelledby="password">
      <h2 id="password">{texts.password}</h2>
      <p className="soft">{texts.passwordText}</p>
      <p className="security__done" role="status">
        {changes > 0 && texts.passwordDone}
      </p>
      {/* The key creates a new form after each change, so that no password stays in the fields. */}
      <Form key={changes} onDone={() => setChanges(changes + 1)} />
    </section>
  )
}

function Form({ onDone }: { onDone: () => void }) {
  const texts = useTexts('office-access:security')
  const problemText = useProblemText()
  const { formProps, values, mistakes, problem, isBusy } = useForm({
    make: passwordForm,
    send: async ({ password, newPassword }) => {
      const refusal = await changePassword(password, newPassword)
      if (refusal) return { problem: refusal, mistakes: mistakesOf(FIELDS, refusal.fields) }
      onDone()
      return 'done'
    },
  })
  const { texts: fields, secret } = useFields(mistakes)
  return (
    <form className="security__form stack" {...formProps}>
      {problem && <ErrorAlert text={problemText(problem)} />}
      <PasswordField {...secret('password')} label={texts.current} />
      <PasswordField {...secret('newPassword')} hint={fields.passwordHint} />
      <PasswordAdvice password={values.newPassword} />
      <PasswordField {...secret('confirmPassword')} />
      <p>
        <button type="submit" className="button" aria-busy={isBusy}>
          {texts.passwordSubmit}
        </button>
      </p>
    </form>
  )
}
