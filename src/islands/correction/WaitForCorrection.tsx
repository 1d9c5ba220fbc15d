import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import { $session } from '../../stores/session/session.ts'
import { ask } from '../../stores/shared/backend.ts'
import { logOnly } from '../../stores/shared/problem.ts'
import { Button } from '../parts/Button.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'

const { island, useTexts } = islandTexts('document:wait')

const nobody = () => null

/** On the page of a paper without a correction: asks to be told when there is one, and takes it back. */
function WaitForCorrection({ documentId }: { documentId: number }) {
  const locale = useLocale()
  const texts = useTexts('document:wait')
  const session = useStore($session, { ssr: nobody })
  const [isWaiting, setWaiting] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [isFailed, setFailed] = useState(false)
  const hasChanged = useRef(false)
  const userId = session?.userId
  const params = { id: documentId }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each account
  useEffect(() => {
    if (userId === undefined) return
    ask(({ corrections }) => corrections.isWaiting, { params }).then(
      // The press that loaded this may have been answered first.
      (known) => !hasChanged.current && setWaiting(known),
      logOnly('wait for a correction'),
    )
  }, [userId])

  const change = async (wanted: boolean) => {
    if (isBusy) return
    if (userId === undefined) return location.assign(accountAddress(locale))
    hasChanged.current = true
    setBusy(true)
    setFailed(false)
    try {
      await (wanted
        ? ask(({ corrections }) => corrections.waitForCorrection, { params })
        : ask(({ corrections }) => corrections.stopWaiting, { params }))
      setWaiting(wanted)
    } catch {
      setFailed(true)
    }
    setBusy(false)
  }
  return (
    <div className="details__wait">
      {isWaiting ? <Message kind="success" text={texts.waiting} /> : <p>{texts.none}</p>}
      {isFailed && <Message kind="line" text={texts.failed} />}
      <p>
        <Button isBusy={isBusy} onClick={() => void change(!isWaiting)}>
          {isWaiting ? texts.stop : texts.ask}
        </Button>
      </p>
    </div>
  )
}

export default island(WaitForCorrection)
