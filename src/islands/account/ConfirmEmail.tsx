import { useStore } from '@nanostores/react'
import { useRef, useState } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import { pathIn } from '../../i18n/paths.ts'
import { type ConfirmationOutcome, confirmAddress } from '../../stores/account/confirmation.ts'
import { $session } from '../../stores/session/session.ts'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'
import { SendLink } from './SendLink.tsx'

const { island, useTexts } = islandTexts('confirm-email:island', 'own-rating:link', 'errors:codes')

/**
 * Confirms the e-mail address with the token in the page's URL. The user has to press a button:
 * mail scanners open links, some even run scripts, and would confirm addresses without their owner.
 */
function ConfirmEmail() {
  const texts = useTexts('confirm-email:island')
  const errors = useErrorTexts()
  const isHydrated = useHydrated()
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<ConfirmationOutcome | null>(null)
  const token = isHydrated ? (new URLSearchParams(location.search).get('token') ?? '') : null

  const confirm = async () => {
    if (isSending.current || !token) return
    isSending.current = true
    setBusy(true)
    setOutcome(null)
    setOutcome(await confirmAddress(token))
    isSending.current = false
    setBusy(false)
  }

  if (outcome && outcome.kind !== 'refused') {
    return (
      <div className="stack">
        <Message kind="success" text={texts[outcome.kind]} />
        <p>
          {outcome.kind === 'changed' ? (
            <ButtonLink to="/login">{texts.enter}</ButtonLink>
          ) : (
            <ButtonLink to="/shop">{texts.shop}</ButtonLink>
          )}
        </p>
      </div>
    )
  }
  const isSpent = outcome?.code === 'invalid_confirmation_token'
  const problem =
    token === '' ? texts.noToken : outcome && problemText({ ...outcome, message: '' }, errors)
  return (
    <div className="stack">
      {problem && <Message kind="error" text={problem} />}
      {token === '' || isSpent ? (
        <AnotherLink />
      ) : (
        <>
          <p>{texts.intro}</p>
          <Button
            kind="primary"
            className="button--wide"
            disabled={!token}
            isBusy={isBusy}
            onClick={confirm}
          >
            {texts.submit}
          </Button>
        </>
      )}
    </div>
  )
}

const noSession = () => null

function AnotherLink() {
  const locale = useLocale()
  const texts = useTexts('confirm-email:island')
  const link = useTexts('own-rating:link')
  const isIn = useStore($session, { ssr: noSession }) !== null
  if (isIn) return <SendLink texts={link} />
  return (
    <p>
      <a className="link" href={accountAddress(locale, pathIn(locale, '/confirm-email'))}>
        {texts.logIn}
      </a>
    </p>
  )
}

export default island(ConfirmEmail)
