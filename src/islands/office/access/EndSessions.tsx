import { useState } from 'react'
import { endOtherSessions } from '../../../stores/office/security.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useTexts } from '../../parts/island.tsx'
import { useProblemText } from '../parts/use-problem-text.ts'

/** Ends all other sessions of the account. */
export function EndSessions() {
  const texts = useTexts('office-access:security')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<'done' | Problem | null>(null)

  const end = async () => {
    if (isBusy) return
    setBusy(true)
    setOutcome((await endOtherSessions()) ?? 'done')
    setBusy(false)
  }
  return (
    <section className="security__part stack" aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      <p className="soft">{texts.sessionsText}</p>
      {outcome && outcome !== 'done' && <ErrorAlert text={problemText(outcome)} />}
      <p className="security__done" role="status">
        {outcome === 'done' && texts.sessionsDone}
      </p>
      <p>
        <button type="button" className="button" aria-busy={isBusy} onClick={end}>
          {texts.sessionsSubmit}
        </button>
      </p>
    </section>
  )
}
