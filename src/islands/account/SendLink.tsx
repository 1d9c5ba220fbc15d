import { useState } from 'react'
import type { TextsAt } from '../../i18n/texts.ts'
import { askForConfirmationLink, type LinkOutcome } from '../../stores/account/confirmation.ts'
import { Button } from '../parts/Button.tsx'
import { Message } from '../parts/Message.tsx'

type SendLinkTexts = TextsAt<'own-rating:link'>

export function SendLink({ texts }: { texts: SendLinkTexts }) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<LinkOutcome | null>(null)
  const isFine = outcome === 'sent' || outcome === 'already'

  const send = async () => {
    if (isBusy) return
    setBusy(true)
    setOutcome(null)
    setOutcome(await askForConfirmationLink())
    setBusy(false)
  }

  return (
    <>
      {outcome && <Message kind={isFine ? 'success' : 'error'} text={texts[outcome]} />}
      {!isFine && (
        <p>
          <Button isBusy={isBusy} onClick={send}>
            {texts.send}
          </Button>
        </p>
      )}
    </>
  )
}
