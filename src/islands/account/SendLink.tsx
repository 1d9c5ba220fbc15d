import { useState } from 'react'
import type { TextsAt } from '../../i18n/texts.ts'
import { askForConfirmationLink, type LinkOutcome } from '../../stores/account/confirmation.ts'

type SendLinkTexts = TextsAt<'own-rating:link'>

export function SendLink({ texts }: { texts: SendLinkTexts }) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<LinkOutcome | null>(null)
  const isFine = outcome === 'sent' || outcome === 'already'

  const send = async () => {
    if (isBusy) return
    setBusy(true)
    setOutcome(await askForConfirmationLink())
    setBusy(false)
  }

  return (
    <>
      <div aria-live="polite">
        {outcome && (
          <p className={`alert alert--${isFine ? 'success' : 'error'}`}>{texts[outcome]}</p>
        )}
      </div>
      {!isFine && (
        <p>
          <button type="button" className="button" aria-busy={isBusy} onClick={send}>
            {texts.send}
          </button>
        </p>
      )}
    </>
  )
}
