import { useState } from 'react'
import { ask } from '../../stores/shared/backend.ts'
import { type Problem, problemOf } from '../../stores/shared/problem.ts'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { islandTexts } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { useChange } from '../parts/use-change.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'

const { island, useTexts } = islandTexts('following:unsubscribe', 'errors:codes')

/**
 * Ends the mails about news with the token in the page's URL. The user has to press a button: mail
 * scanners open links.
 */
function EndNewsMails() {
  const texts = useTexts('following:unsubscribe')
  const isHydrated = useHydrated()
  const [areEnded, setEnded] = useState(false)
  const { isBusy, change, alert } = useChange()
  const token = isHydrated ? (new URLSearchParams(location.search).get('token') ?? '') : null

  const end = async (): Promise<Problem | null> => {
    try {
      await ask(({ following }) => following.endNewsMails, { body: { token: token ?? '' } })
      setEnded(true)
      return null
    } catch (error) {
      return problemOf(error)
    }
  }

  if (areEnded) {
    return (
      <div className="stack">
        <Message kind="success" text={texts.done} />
        <p>
          <ButtonLink to="/shop">{texts.shop}</ButtonLink>
        </p>
      </div>
    )
  }
  return (
    <div className="stack">
      {token === '' ? (
        <Message kind="error" text={texts.noToken} />
      ) : (
        <>
          <p>{texts.intro}</p>
          <Button
            kind="primary"
            className="button--wide"
            disabled={!token}
            isBusy={isBusy}
            onClick={() => void change(end)}
          >
            {texts.submit}
          </Button>
        </>
      )}
      {alert}
    </div>
  )
}

export default island(EndNewsMails)
