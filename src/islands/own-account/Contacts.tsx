import './leaving.css'
import type { ReactNode } from 'react'
import type { OwnAccount } from '../../contract/own-account.ts'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, isolate } from '../../i18n/format.ts'
import { type ContactKind, codesForm, contactForm } from '../../stores/shared/contacts.ts'
import { type Proof, proofOf } from '../../stores/shared/leaving.ts'
import type { Contacts as Calls } from '../../stores/shared/own-account.ts'
import { Button } from '../parts/Button.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { Field, PasswordField } from '../parts/Field.tsx'
import { useLocale, useTexts } from '../parts/island.tsx'
import { ErrorAlert, Message } from '../parts/Message.tsx'
import { Section } from '../parts/Section.tsx'
import { useChange } from '../parts/use-change.tsx'
import { useForm } from '../parts/use-form.ts'

interface Props {
  account: OwnAccount
  contacts: Calls
  /** Whether codes can be sent, without which no phone number changes. */
  reachesPhones: boolean
  children?: ReactNode
}

/** Changes the e-mail address or the phone number; what is asked for is confirmed or stopped. */
export function Contacts({ account, contacts, reachesPhones, children }: Props) {
  const texts = useTexts('own-account:contacts')
  const { contactChange, email } = account
  const given = { contacts, proof: proofOf(account) }
  const stopping = useChange()
  return (
    <Section name="contacts" title={texts.title}>
      {children}
      {contactChange ? (
        <Asked change={contactChange} contacts={contacts} stopping={stopping} />
      ) : (
        <>
          <Change
            kind="email"
            title={email === null ? texts.addEmail : texts.email.open}
            {...given}
          />
          {reachesPhones && <Change kind="phone" title={texts.phone.open} {...given} />}
        </>
      )}
      {stopping.alert}
    </Section>
  )
}

interface ChangeProps {
  kind: ContactKind
  title: string
  contacts: Calls
  proof: readonly Proof[]
}

function Change({ kind, title, contacts, proof }: ChangeProps) {
  const texts = useTexts('own-account:contacts')
  const { show, hide } = useTexts('account:login')
  const errors = useErrorTexts()
  const { formProps, mistakes, problem, isBusy } = useForm({
    make: () => contactForm(kind, proof),
    send: async (values) => {
      const problem = await contacts.ask(kind, values)
      return problem ? { problem } : 'done'
    },
  })
  return (
    <details>
      <summary className="button">{title}</summary>
      <form className="leaving measure stack" {...formProps}>
        <p className="soft">{texts[kind].text}</p>
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
        {proof.includes('code') && (
          <Field
            name="code"
            label={texts.code}
            error={mistakes.code && texts.mistakes[mistakes.code]}
            autoComplete="one-time-code"
            dir="ltr"
          />
        )}
        {problem && <ErrorAlert text={problemText(problem, errors)} />}
        <p>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {texts[kind].submit}
          </Button>
        </p>
      </form>
    </details>
  )
}

interface Asking {
  change: NonNullable<OwnAccount['contactChange']>
  contacts: Calls
}

interface AskedProps extends Asking {
  stopping: ReturnType<typeof useChange>
}

function Asked({ change, contacts, stopping }: AskedProps) {
  const locale = useLocale()
  const texts = useTexts('own-account:contacts')
  const { kind, value, dueAt } = change
  const values = {
    value: `\u2066${value}\u2069`,
    date: dueAt ? isolate(formatDate(locale, dueAt)) : '',
  }
  return (
    <>
      <Message kind="note" text={fillText(dueAt ? texts.waits : texts[kind].sent, values)} />
      {kind === 'phone' && dueAt === null && <Codes change={change} contacts={contacts} />}
      <p>
        <Button
          isBusy={stopping.isBusy}
          onClick={() => stopping.change(contacts.stop, texts.stopped)}
        >
          {texts.stop}
        </Button>
      </p>
    </>
  )
}

function Codes({ change: { asksOldPhone }, contacts }: Asking) {
  const texts = useTexts('own-account:contacts')
  const errors = useErrorTexts()
  const { formProps, mistakes, problem, isBusy } = useForm({
    make: codesForm,
    send: async (values) => {
      const problem = await contacts.confirmPhone(values)
      return problem ? { problem } : 'done'
    },
  })
  const names = asksOldPhone ? (['code', 'oldCode'] as const) : (['code'] as const)
  return (
    <form className="stack" {...formProps}>
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
      {problem && <ErrorAlert text={problemText(problem, errors)} />}
      <p>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {texts.codes.submit}
        </Button>
      </p>
    </form>
  )
}
