import { useState } from 'react'
import { pluralText } from '../../../i18n/format.ts'
import * as security from '../../../stores/office/security.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { AuthenticatorSetup } from './AuthenticatorSetup.tsx'
import { ProofForm } from './ProofForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** The content of the section: the state, the proof of identity, the setup, or new codes. */
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

interface Props {
  factor: security.SecondFactor
  /** Called when the recovery codes appear and when the user has closed them. */
  onShowCodes: (isShowing: boolean) => void
}

/** Turns the second factor on or off, moves it to another phone, and renews the recovery codes. */
export function SecondFactorSection({ factor, onShowCodes }: Props) {
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
    <button
      type="button"
      className={isMain ? 'button button--primary' : 'button'}
      onClick={() => setStep({ kind: 'proof', for: to })}
    >
      {text}
    </button>
  )

  return (
    <section className="security__part stack" aria-labelledby="second-factor">
      <div className="security__head">
        <h2 id="second-factor">{texts.factor}</h2>
        <p className="security__state" data-on={isOn}>
          {isOn && <Icon name="check" />} {isOn ? texts.on : texts.off}
        </p>
      </div>
      {step.kind === 'state' && (
        <>
          <p className="soft">{texts.factorText}</p>
          {isOn && (
            <p className={recoveryCodesLeft < 3 ? 'security__few' : undefined}>
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
