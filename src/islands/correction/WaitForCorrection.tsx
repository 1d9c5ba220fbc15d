import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import type { Locale } from '../../i18n/locales.ts'
import { drafts } from '../../stores/session/drafts.ts'
import { $session } from '../../stores/session/session.ts'
import { ask } from '../../stores/shared/backend.ts'
import { logOnly, problemOf } from '../../stores/shared/problem.ts'
import { Button } from '../parts/Button.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'

const { island, useTexts } = islandTexts('document:wait')

const nobody = () => null

/** The draft by which a press without a log-in is known after it. */
const ASKED = 'wait-for-correction'

// Few calls fail, so the sentences about it are not loaded for the others.
const sentences = import.meta.glob<Record<string, string>>('../../../locales/*/errors.json', {
  import: 'codes',
})

/** Why a call failed; `otherwise` if there is no sentence for that, or no network to load it. */
async function reasonOf(error: unknown, locale: Locale, otherwise: string): Promise<string> {
  const { code } = problemOf(error)
  const load = code !== 'network' && sentences[`../../../locales/${locale}/errors.json`]
  const codes = load ? await load().catch(() => undefined) : undefined
  return codes?.[code] ?? otherwise
}

/** On the page of a paper without a correction: asks to be told when there is one, and takes it back. */
function WaitForCorrection({ documentId }: { documentId: number }) {
  const locale = useLocale()
  const texts = useTexts('document:wait')
  const session = useStore($session, { ssr: nobody })
  const [isWaiting, setWaiting] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const hasChanged = useRef(false)
  const userId = session?.userId
  const params = { id: documentId }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each account
  useEffect(() => {
    if (userId === undefined) return
    let isShown = true
    if (drafts.read(ASKED)) {
      drafts.forget(ASKED)
      void change(true)
    } else {
      ask(({ corrections }) => corrections.isWaiting, { params }).then(
        // The press that loaded this may have been answered first.
        (known) => isShown && !hasChanged.current && setWaiting(known),
        logOnly('wait for a correction'),
      )
    }
    return () => {
      // Another account's wait is not this one's.
      isShown = false
      hasChanged.current = false
      setWaiting(false)
    }
  }, [userId])

  const change = async (wanted: boolean) => {
    if (isBusy) return
    if (userId === undefined) {
      drafts.keep(ASKED, { asked: 'true' })
      return location.assign(accountAddress(locale))
    }
    hasChanged.current = true
    setBusy(true)
    setFailure('')
    try {
      await (wanted
        ? ask(({ corrections }) => corrections.waitForCorrection, { params })
        : ask(({ corrections }) => corrections.stopWaiting, { params }))
      setWaiting(wanted)
    } catch (error) {
      setFailure(await reasonOf(error, locale, texts.failed))
    }
    setBusy(false)
  }
  return (
    <div className="details__wait">
      {isWaiting ? <Message kind="success" text={texts.waiting} /> : <p>{texts.none}</p>}
      {failure && <Message kind="line" text={failure} />}
      <p>
        <Button isBusy={isBusy} onClick={() => void change(!isWaiting)}>
          {isWaiting ? texts.stop : texts.ask}
        </Button>
      </p>
    </div>
  )
}

export default island(WaitForCorrection)
