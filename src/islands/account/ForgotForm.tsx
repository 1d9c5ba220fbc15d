import { useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { email as emailRule, required } from '../../rules/validators.ts'
import { askForResetLink } from '../../stores/account/password.ts'
import { createForm } from '../../stores/shared/form.ts'
import { Button } from '../parts/Button.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { Field } from '../parts/Field.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { ErrorAlert, Message } from '../parts/Message.tsx'
import { useForm } from '../parts/use-form.ts'
import { useHydrated } from '../parts/use-hydrated.ts'

const { island, useTexts } = islandTexts('password:forgot', 'errors:codes')

interface Props {
  /** The sentence that the embedded backend returns; `texts.sent` is its translation. */
  usual: string
  /** Whether a code can be sent to a phone. */
  reachesPhones: boolean
}

const forgottenForm = (reachesPhones: boolean) =>
  createForm<'email', 'required' | 'email'>(['email'], ({ email }) => {
    if (required(email)) return { email: 'required' }
    if (reachesPhones && normalisePhone(email) !== null) return {}
    return emailRule(email) ? { email: 'email' } : {}
  })

function ForgotForm({ usual, reachesPhones }: Props) {
  const locale = useLocale()
  const texts = useTexts('password:forgot')
  const errors = useErrorTexts()
  const isHydrated = useHydrated()
  const [sent, setSent] = useState('')
  const { formProps, mistakes, isRight, problem, isBusy } = useForm({
    make: () => forgottenForm(reachesPhones),
    checksOnLeave: true,
    send: async ({ email }) => {
      setSent('')
      const outcome = await askForResetLink(email, locale)
      if (outcome.kind !== 'done') return outcome
      if (normalisePhone(email) !== null) {
        location.assign(pathIn(locale, '/new-password'))
        return 'leaving'
      }
      setSent(serverSentence(outcome.message, usual, texts.sent))
      return 'done'
    },
  })
  const isKnown = problem?.code === 'too_many_requests' || problem?.code === 'no_texts_left'

  return (
    <form className="stack" {...formProps}>
      {sent && (
        <Message kind="success">
          <span dir="auto">{sent}</span>
        </Message>
      )}
      {problem && (
        <ErrorAlert text={isKnown ? problemText(problem, errors) : texts.errors.failed} />
      )}
      <Field
        name="email"
        label={reachesPhones ? texts.emailOrPhone : texts.email}
        error={mistakes.email && texts.errors[mistakes.email]}
        type={reachesPhones ? 'text' : 'email'}
        autoComplete={reachesPhones ? 'username' : 'email'}
        autoCapitalize="none"
        dir="ltr"
        required
      />
      <Button
        type="submit"
        kind="primary"
        className="button--wide"
        disabled={!isHydrated || !isRight}
        isBusy={isBusy}
      >
        {texts.submit}
      </Button>
    </form>
  )
}

export default island(ForgotForm)

/**
 * The sentence to show for a server's message: the `usual` message of our own backend is replaced
 * by its translation; a message of another backend is shown unchanged.
 */
function serverSentence(message: string, usual: string, translated: string): string {
  return message === '' || message === usual ? translated : message
}
