import './password-advice.css'
import { type PasswordStrength, passwordStrength } from '../../rules/password-strength.ts'
import { useTexts } from '../parts/island.tsx'

const STEPS: readonly PasswordStrength[] = ['weak', 'fair', 'strong']

/** Shows how strong a new password is and how to make it stronger; it never rejects a password. */
export function PasswordAdvice({ password }: { password: string }) {
  const texts = useTexts('password:strength')
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
