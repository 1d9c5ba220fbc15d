import './access.css'
import { useEffect, useRef, useState } from 'react'
import { pluralText } from '../../i18n/format.ts'
import { PasswordAdvice } from '../../islands/account/PasswordAdvice.tsx'
import { Button, ButtonLink } from '../../islands/parts/Button.tsx'
import { CopyButton } from '../../islands/parts/CopyButton.tsx'
import { Field, PasswordField } from '../../islands/parts/Field.tsx'
import { Icon } from '../../islands/parts/Icon.tsx'
import { useLocale } from '../../islands/parts/island.tsx'
import { Later } from '../../islands/parts/Later.tsx'
import { ErrorAlert, Message } from '../../islands/parts/Message.tsx'
import { useForm } from '../../islands/parts/use-form.ts'
import { checkConfirmation, checkPassword, required } from '../../rules/validators.ts'
import { createForm } from '../../stores/shared/form.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { LoadedStore } from '../kit/loaded-store.tsx'
import { officeTexts } from '../kit/office-texts.ts'
import { useAction, useProblemText } from '../kit/use-action.tsx'
import * as security from './security.ts'
import {
  changePassword,
  confirmSecondFactor,
  endOtherSessions,
  type Proof,
  type SecondFactor,
  type Setup,
  secondFactor,
} from './security.ts'
import { type Mistake, mistakesOf, useFields } from './use-fields.ts'

const { island, useTexts } = officeTexts(
  'office-access:security',
  'office-access:fields',
  'password:strength',
  'own-account:page',
  'own-account:contacts',
  'account:login',
)

interface Props {
  /** Whether codes can be sent to phones. */
  reachesPhones: boolean
}

function Security({ reachesPhones }: Props) {
  const texts = useTexts('office-access:security')
  return (
    <LoadedStore
      from={secondFactor}
      texts={{ loading: texts.loading, failed: { title: texts.loadFailed, retry: texts.retry } }}
      shapes={['line', 'line', 'button']}
    >
      {(factor) => <Sections factor={factor} reachesPhones={reachesPhones} />}
    </LoadedStore>
  )
}

const loadContacts = async () => (await import('./OwnContacts.tsx')).OwnContacts

function Sections({ factor, reachesPhones }: Props & { factor: SecondFactor }) {
  const texts = useTexts('office-access:security')
  const own = useTexts('own-account:page')
  const [wasLacking] = useState(factor.isNeeded && !factor.isOn)
  const [isShowingCodes, setShowingCodes] = useState(false)
  const isLacking = factor.isNeeded && !factor.isOn
  return (
    <div className="security stack gap-6">
      {isLacking && <p className="alert">{texts.needed}</p>}
      {wasLacking && !isLacking && !isShowingCodes && (
        <p>
          <ButtonLink kind="primary" to="/office">
            {texts.go}
          </ButtonLink>
        </p>
      )}
      <SecondFactorSection factor={factor} onShowCodes={setShowingCodes} />
      {!isLacking && <ChangePassword />}
      {!isLacking && (
        <Later
          load={loadContacts}
          give={{ reachesPhones }}
          loading={{ text: own.loading, shapes: ['line'] }}
          failed={own.failed}
        />
      )}
      <EndSessions />
    </div>
  )
}

type Step =
  | { kind: 'state' }
  | { kind: 'proof'; for: 'start' | 'replace' | 'renew' | 'off' }
  | { kind: 'setup'; setup: security.Setup }
  | { kind: 'codes'; codes: string[] }

const PROOF_TEXTS = {
  start: 'proofStart',
  replace: 'proofReplace',
  renew: 'proofRenew',
  off: 'proofOff',
} as const

interface SecondFactorSectionProps {
  factor: security.SecondFactor
  /** Called when the recovery codes appear and when the user has closed them. */
  onShowCodes: (isShowing: boolean) => void
}

function SecondFactorSection({ factor, onShowCodes }: SecondFactorSectionProps) {
  const locale = useLocale()
  const texts = useTexts('office-access:security')
  const [step, setStep] = useState<Step>({ kind: 'state' })
  const { isOn, isNeeded, recoveryCodesLeft } = factor

  const showState = () => setStep({ kind: 'state' })
  const showCodes = (codes: string[]) => {
    onShowCodes(true)
    setStep({ kind: 'codes', codes })
  }
  const prove = async (proof: security.Proof): Promise<Problem | null> => {
    if (step.kind !== 'proof') return null
    if (step.for === 'off') {
      const problem = await security.turnOffSecondFactor(proof)
      if (!problem) showState()
      return problem
    }
    if (step.for === 'renew') {
      const codes = await security.renewRecoveryCodes(proof)
      if ('code' in codes) return codes
      showCodes(codes)
      return null
    }
    const setup = await security.startSecondFactor(proof)
    if ('code' in setup) return setup
    setStep({ kind: 'setup', setup })
    return null
  }
  const stepButton = (to: 'start' | 'replace' | 'renew' | 'off', text: string, isMain = false) => (
    <Button
      kind={isMain ? 'primary' : undefined}
      onClick={() => setStep({ kind: 'proof', for: to })}
    >
      {text}
    </Button>
  )

  return (
    <section className="security__part stack" aria-labelledby="second-factor">
      <div className="security__head cluster split gap-4 lines-2">
        <h2 id="second-factor">{texts.factor}</h2>
        <p className="security__state row inline gap-1 strong" data-on={isOn}>
          {isOn && <Icon name="check" />} {isOn ? texts.on : texts.off}
        </p>
      </div>
      {step.kind === 'state' && (
        <>
          <p className="soft">{texts.factorText}</p>
          {isOn && (
            <p className={recoveryCodesLeft < 3 ? 'security__few strong' : undefined}>
              {pluralText(locale, texts, 'codesLeft', recoveryCodesLeft)}
            </p>
          )}
          <div className="cluster">
            {isOn ? (
              <>
                {stepButton('replace', texts.replace)}
                {stepButton('renew', texts.renew)}
                {!isNeeded && stepButton('off', texts.turnOff)}
              </>
            ) : (
              stepButton('start', texts.start, true)
            )}
          </div>
        </>
      )}
      {step.kind === 'proof' && (
        <ProofForm
          key={step.for}
          text={texts[PROOF_TEXTS[step.for]]}
          submit={step.for === 'off' ? texts.turnOff : texts.continue}
          isDangerous={step.for === 'off'}
          needsCode={isOn}
          send={prove}
          onCancel={showState}
        />
      )}
      {step.kind === 'setup' && (
        <AuthenticatorSetup setup={step.setup} onDone={showCodes} onCancel={showState} />
      )}
      {step.kind === 'codes' && (
        <RecoveryCodes
          codes={step.codes}
          onKept={() => {
            onShowCodes(false)
            showState()
          }}
        />
      )}
    </section>
  )
}

interface AuthenticatorSetupProps {
  setup: Setup
  onDone: (recoveryCodes: string[]) => void
  onCancel: () => void
}

const codeForm = () =>
  createForm<'code', Mistake>(['code'], ({ code }) => (required(code) ? { code: 'required' } : {}))

/** Shows the secret for an authenticator app as a QR code, as text and as a link for this phone. */
function AuthenticatorSetup({ setup, onDone, onCancel }: AuthenticatorSetupProps) {
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
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {texts.confirm}
        </Button>
        <Button kind="plain" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}

/** New recovery codes, shown only once; the user can copy them, or print them without the page. */
function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const texts = useTexts('office-access:security')
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => heading.current?.focus(), [])

  return (
    <div className="security__codes stack">
      <h3 ref={heading} tabIndex={-1}>
        {texts.codes}
      </h3>
      <p className="soft">{texts.codesText}</p>
      <ol className="security__list" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="cluster no-print">
        <CopyButton text={codes.join('\n')} label={texts.copy} copied={texts.copied} />
        <Button onClick={() => print()}>{texts.print}</Button>
        <Button kind="primary" onClick={onKept}>
          {texts.saved}
        </Button>
      </div>
    </div>
  )
}

interface ProofFormProps {
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
function ProofForm({ text, submit, isDangerous, needsCode, send, onCancel }: ProofFormProps) {
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
        <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isBusy={isBusy}>
          {submit}
        </Button>
        <Button kind="plain" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}

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

function ChangePassword() {
  const texts = useTexts('office-access:security')
  const [changes, setChanges] = useState(0)
  return (
    <section className="security__part stack" aria-labelledby="password">
      <h2 id="password">{texts.password}</h2>
      <p className="soft">{texts.passwordText}</p>
      {changes > 0 && <Message key={changes} kind="success" text={texts.passwordDone} />}
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
        <Button type="submit" isBusy={isBusy}>
          {texts.passwordSubmit}
        </Button>
      </p>
    </form>
  )
}

function EndSessions() {
  const texts = useTexts('office-access:security')
  const { message, attempt, isBusy } = useAction()
  const end = () =>
    attempt(async () => {
      await endOtherSessions()
      return texts.sessionsDone
    })
  return (
    <section className="security__part stack" aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      <p className="soft">{texts.sessionsText}</p>
      {message}
      <p>
        <Button isBusy={isBusy} onClick={end}>
          {texts.sessionsSubmit}
        </Button>
      </p>
    </section>
  )
}

export default island(Security)
