import { required } from '../../../rules/validators.ts'
import { confirmSecondFactor, type Setup } from '../../../stores/office/security.ts'
import { createForm } from '../../../stores/shared/form.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useProblemText } from '../parts/use-attempt.tsx'
import { type Mistake, useFields } from './use-fields.ts'

interface Props {
  setup: Setup
  onDone: (recoveryCodes: string[]) => void
  onCancel: () => void
}

const codeForm = () =>
  createForm<'code', Mistake>(['code'], ({ code }) => (required(code) ? { code: 'required' } : {}))

/** Shows the secret for an authenticator app as a QR code, as text and as a link for this phone. */
export function AuthenticatorSetup({ setup, onDone, onCancel }: Props) {
  const texts = useTexts('office-access:security')
  const problemText = useProblemText()
  const { formProps, mistakes, problem, isBusy } = useForm({
    make: codeForm,
    send: async ({ code }) => {
      const codes = await confirmSecondFactor(code)
      if ('code' in codes) return { problem: codes }
      onDone(codes)
      return 'done'
    },
  })
  const { field } = useFields(mistakes)
  // Shown as an image, so that markup from the server never becomes part of the page.
  const picture = `data:image/svg+xml,${encodeURIComponent(setup.qr)}`
  const groups = setup.secret.match(/.{1,4}/g) ?? []

  return (
    <form className="security__form stack" {...formProps}>
      <h3>{texts.scan}</h3>
      <p className="soft">{texts.scanText}</p>
      <img className="security__qr" src={picture} alt={texts.picture} width="200" height="200" />
      <p>
        <a className="button button--plain" href={setup.uri}>
          {texts.open}
        </a>
      </p>
      <p className="soft">{texts.secret}</p>
      <p>
        <code className="security__secret" dir="ltr">
          {groups.join(' ')}
        </code>
      </p>
      {problem && <ErrorAlert text={problemText(problem)} />}
      <Field
        {...field('code')}
        label={texts.firstCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        dir="ltr"
      />
      <div className="cluster">
        <button type="submit" className="button button--primary" aria-busy={isBusy}>
          {texts.confirm}
        </button>
        <button type="button" className="button button--plain" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
