import { useState } from 'react'
import { sendMailsAgain } from '../../../stores/office/desk.ts'
import { useTexts } from '../../parts/island.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'

/** The button that resends the mails whose delivery was given up. */
export function SendMails() {
  const texts = useTexts('office-waiting:page')
  const { alert, attempt, isBusy } = useAttempt()
  const [isSent, setSent] = useState(false)
  const send = () =>
    attempt(async () => {
      setSent(false)
      await sendMailsAgain()
      setSent(true)
    })
  return (
    <>
      {alert}
      <p>
        <button type="button" className="button" aria-busy={isBusy} onClick={send}>
          {texts.sendAgain}
        </button>
      </p>
      <p role="status" className="soft small">
        {isSent && texts.sent}
      </p>
    </>
  )
}
