import { useState } from 'react'
import { endOtherSessions } from '../../../stores/office/security.ts'
import { useTexts } from '../../parts/island.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'

/** Ends all other sessions of the account. */
export function EndSessions() {
  const texts = useTexts('office-access:security')
  const { alert, attempt, isBusy } = useAttempt()
  const [isDone, setDone] = useState(false)

  const end = () =>
    attempt(async () => {
      setDone(false)
      await endOtherSessions()
      setDone(true)
    })
  return (
    <section className="security__part stack" aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      <p className="soft">{texts.sessionsText}</p>
      {alert}
      <p className="security__done" role="status">
        {isDone && texts.sessionsDone}
      </p>
      <p>
        <button type="button" className="button" aria-busy={isBusy} onClick={end}>
          {texts.sessionsSubmit}
        </button>
      </p>
    </section>
  )
}
