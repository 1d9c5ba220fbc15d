import { useState } from 'react'
import { pathIn } from '../../../i18n/paths.ts'
import { confirmJoining } from '../../../stores/office/access.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { useProblemText } from '../parts/use-attempt.tsx'

/**
 * Confirms a request to join when the user presses a button. The visit alone does not confirm it,
 * because mail scanners open links and would confirm requests made in another person's name.
 */
export function ConfirmJoining({ token }: { token: string }) {
  const locale = useLocale()
  const texts = useTexts('office-access:join')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<'confirmed' | 'already' | Problem | null>(null)

  const confirm = async () => {
    if (isBusy) return
    setBusy(true)
    setOutcome(await confirmJoining(token))
    setBusy(false)
  }

  if (typeof outcome === 'string') {
    return (
      <div className="stack" role="status">
        <p className="alert alert--success">{texts[outcome]}</p>
        <p>
          <a className="button" href={pathIn(locale, '/')}>
            {texts.home}
          </a>
        </p>
      </div>
    )
  }
  const isSpent = outcome?.code === 'invalid_confirmation_token'
  return (
    <div className="stack">
      {outcome && <ErrorAlert text={isSpent ? texts.spent : problemText(outcome)} />}
      {isSpent ? (
        <p>
          <a className="button" href={pathIn(locale, '/office/join')}>
            {texts.again}
          </a>
        </p>
      ) : (
        <>
          <p>{texts.confirmText}</p>
          <button
            type="button"
            className="button button--primary button--wide"
            aria-busy={isBusy}
            onClick={confirm}
          >
            {texts.confirm}
          </button>
        </>
      )}
    </div>
  )
}
