import { useState } from 'react'
import { sendMailsAgain } from '../../../stores/office/desk.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useTexts } from '../../parts/island.tsx'
import { useProblemText } from '../parts/use-problem-text.ts'

/** The button that resends the mails whose delivery was given up. */
export function SendMails() {
  const texts = useTexts('office-waiting:page')
  const problemText = useProblemText()
  const [state, setState] = useState<'idle' | 'busy' | 'sent' | Problem>('idle')
  const send = async () => {
    if (state === 'busy') return
    setState('busy')
    try {
      await sendMailsAgain()
      setState('sent')
    } catch (error) {
      setState(problemOf(error))
    }
  }
  return (
    <>
      {typeof state === 'object' && <ErrorAlert text={problemText(state)} />}
      <p>
        <button type="button" className="button" aria-busy={state === 'busy'} onClick={send}>
          {texts.sendAgain}
        </button>
      </p>
      <p role="status" className="soft small">
        {state === 'sent' && texts.sent}
      </p>
    </>
  )
}
