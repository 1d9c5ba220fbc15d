import { useEffect } from 'react'
import { required } from '../../../rules/validators.ts'
import type { Proof } from '../../../stores/office/security.ts'
import { createForm } from '../../../stores/shared/form.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { Field, PasswordField } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useProblemText } from '../parts/use-attempt.tsx'
import { type Mistake, useFields } from './use-fields.ts'

interface Props {
  text: string
  submit: string
  isDangerous: boolean
  /** Whether a code is required, because the second factor is on. */
  needsCode: boolean
  /** Resolves to the problem, or null. */
  send: (proof: Proof) => Promise<Problem | null>
  onCancel: () => void
}

const proofForm = (needsCode: boolean) => () =>
  createForm<'password' | 'code', Mistake>(['password', 'code'], ({ password, code }) => ({
    ...(password === '' && { password: 'required' }),
    ...(needsCode && required(code) && { code: 'required' }),
  }))

/** Asks for the password, and for a code, to protect changes from others at an unlocked screen. */
export function ProofForm({ text, submit, isDangerous, needsCode, send, onCancel }: Props) {
  const texts = useTexts('office-access:security')
  const problemText = useProblemText()
  const { formProps, mistakes, problem, isBusy } = useForm({
    make: proofForm(needsCode),
    send: async (values) => {
      const refusal = await send(values)
      return refusal ? { problem: refusal } : 'done'
    },
  })
  const { field, secret } = useFields(mistakes)
  const element = formProps.ref

  useEffect(() => {
    const input = element.current?.elements.namedItem('password')
    if (input instanceof HTMLElement) input.focus()
  }, [element])

  return (
    <form className="security__form stack" {...formProps}>
      <p className="soft">{text}</p>
      {problem && <ErrorAlert text={problemText(problem)} />}
      <PasswordField {...secret('password')} />
      {needsCode && (
        <Field {...field('code')} autoComplete="one-time-code" spellCheck={false} dir="ltr" />
      )}
      <div className="cluster">
        <button
          type="submit"
          className={isDangerous ? 'button button--danger' : 'button button--primary'}
          aria-busy={isBusy}
        >
          {submit}
        </button>
        <button type="button" className="button button--plain" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
