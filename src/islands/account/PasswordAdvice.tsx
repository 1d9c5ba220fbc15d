import './password-advice.css'
import { type PasswordStrength, passwordStrength } from '../../rules/password-strength.ts'

/** `password:strength` of locales. */
export type StrengthTexts = Readonly<Record<PasswordStrength | 'label', string>>

interface Props {
  password: string
  texts: StrengthTexts
}

const STEPS: readonly PasswordStrength[] = ['weak', 'fair', 'strong']

/** How strong a new password is and what would make it stronger; it refuses nothing. */
export function PasswordAdvice({ password, texts }: Props) {
  const strength = passwordStrength(password)
  return (
    <div className="strength" data-strength={password && strength}>
      <span className="strength__bars" aria-hidden="true">
        {STEPS.map((step) => (
          <span key={step} />
        ))}
      </span>
      <p className="field__hint" role="status">
        {password && (
          <>
            <span className="visually-hidden">{texts.label} </span>
            {texts[strength]}
          </>
        )}
      </p>
    </div>
  )
}
