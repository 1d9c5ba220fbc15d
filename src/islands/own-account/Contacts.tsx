import type { OwnAccount } from '../../contract/own-account.ts'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import {
  askForContact,
  codesForm,
  confirmPhone,
  contactForm,
  stopContactChange,
} from '../../stores/account/contacts.ts'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { Field, PasswordField } from '../parts/Field.tsx'
import { useLocale, useTexts } from '../parts/island.tsx'
import { Section } from '../parts/Section.tsx'
import { ErrorAlert } from '../parts/States.tsx'
import { useChange } from '../parts/use-change.tsx'
import { useForm } from '../parts/use-form.ts'

interface Props {
  account: OwnAccount
  /** Whether codes can be sent, without which no phone number changes. */
  reachesPhones: boolean
}

/** Changes the e-mail address or the phone number; what is asked for is confirmed or stopped. */
export function Contacts({ account, reachesPhones }: Props) {
  const texts = useTexts('own-account:contacts')
  const { contactChange, email } = account
  return (
    <Section name="contacts" title={texts.title}>
      {contactChange ? (
        <Asked change={contactChange} />
      ) : (
        <>
          <Change kind="email" title={email === null ? texts.addEmail : texts.email.open} />
          {reachesPhones && <Change kind="phone" title={texts.phone.open} />}
        </>
      )}
    </Section>
  )
}

function Change({ kind, title }: { kind: 'email' | 'phone'; title: string }) {
  const texts = useTexts('own-account:contacts')
  const { show, hide } = useTexts('account:login')
  const errors = useErrorTexts()
  const { formProps, mistakes, problem, isBusy } = useForm({
    make: () => contactForm(kind),
    send: async (values) => {
      const problem = await askForContact(kind, values)
      return problem ? { problem } : 'done'
    },
  })
  return (
    <details>
      <summary className="button">{title}</summary>
      <form className="leaving measure stack" {...formProps}>
        <p className="soft">{texts[kind].text}</p>
        {problem && <ErrorAlert text={problemText(problem, errors)} />}
        <Field
          name="value"
          label={texts[kind].label}
          error={mistakes.value && texts.mistakes[mistakes.value]}
          type={kind === 'email' ? 'email' : 'tel'}
          autoComplete={kind === 'email' ? 'email' : 'tel'}
          dir="ltr"
        />
        <PasswordField
          name="password"
          label={texts.password}
          error={mistakes.password && texts.mistakes[mistakes.password]}
          autoComplete="current-password"
          show={show}
          hide={hide}
        />
        <p>
          <button type="submit" className="button button--primary" aria-busy={isBusy}>
            {texts[kind].submit}
          </button>
        </p>
      </form>
    </details>
  )
}

type Asking = { change: NonNullable<OwnAccount['contactChange']> }

function Asked({ change }: Asking) {
  const locale = useLocale()
  const texts = useTexts('own-account:contacts')
  const stopping = useChange()
  const { kind, value, dueAt } = change
  const values = {
    value: `\u2066${value}\u2069`,
    date: dueAt ? `\u2068${formatDate(locale, dueAt)}\u2069` : '',
  }
  return (
    <>
      <p className="alert" role="status">
        {fillText(dueAt ? texts.waits : texts[kind].sent, values)}
      </p>
      {kind === 'phone' && dueAt === null && <Codes change={change} />}
      {stopping.alert}
      <p>
        <button
          type="button"
          className="button"
          aria-busy={stopping.isBusy}
          onClick={() => stopping.change(stopContactChange)}
        >
          {texts.stop}
        </button>
      </p>
    </>
  )
}

function Codes({ change: { asksOldPhone } }: Asking) {
  const texts = useTexts('own-account:contacts')
  const errors = useErrorTexts()
  const { formProps, mistakes, problem, isBusy } = useForm({
    make: codesForm,
    send: async (values) => {
      const problem = await confirmPhone(values)
      return problem ? { problem } : 'done'
    },
  })
  const names = asksOldPhone ? (['code', 'oldCode'] as const) : (['code'] as const)
  return (
    <form className="stack" {...formProps}>
      {problem && <ErrorAlert text={problemText(problem, errors)} />}
      {names.map((name) => (
        <Field
          key={name}
          name={name}
          label={texts.codes[name]}
          hint={name === 'oldCode' ? texts.codes.oldCodeHint : texts.codes.codeHint}
          error={mistakes[name] && texts.mistakes[mistakes[name]]}
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
        />
      ))}
      <p>
        <button type="submit" className="button button--primary" aria-busy={isBusy}>
          {texts.codes.submit}
        </button>
      </p>
    </form>
  )
}
