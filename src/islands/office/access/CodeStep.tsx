import { useEffect, useState } from 'react'
import { required } from '../../../rules/validators.ts'
import { logInToOffice } from '../../../stores/office/access.ts'
import { createForm } from '../../../stores/shared/form.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { Field } from '../../parts/Field.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useProblemText } from '../parts/use-attempt.tsx'
import { type Mistake, useFields } from './use-fields.ts'

interface Props {
  username: string
  password: string
  onEntered: (lacksSecondFactor: boolean) => void
  onBack: () => void
}

const codeForm = () =>
  createForm<'code', Mistake>(['code'], ({ code }) => (required(code) ? { code: 'required' } : {}))

/** The second step of the log-in: a code from the authenticator app, or a recovery code. */
export function CodeStep({ username, password, onEntered, onBack }: Props) {
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
      <button type="submit" className="button button--primary button--wide" aria-busy={isBusy}>
        {texts.submit}
      </button>
      <button
        type="button"
        className="button button--plain"
        onClick={() => {
          form.forgetProblem()
          setRecovery(!isRecovery)
        }}
      >
        {isRecovery ? texts.useCode : texts.useRecovery}
      </button>
      {isRecovery && <p className="soft">{texts.lost}</p>}
      <button type="button" className="button button--plain" onClick={onBack}>
        {texts.back}
      </button>
    </form>
  )
}
