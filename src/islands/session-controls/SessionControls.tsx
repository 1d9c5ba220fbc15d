import { useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { logOut } from '../../stores/session/session.ts'
import { settle } from '../../stores/shared/settle.ts'
import { Icon } from '../parts/Icon.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'

const { island, useTexts } = islandTexts('account:session')

/** How long the log-out waits for its API call (ms). */
const SENDING_MS = 1500

/** The log-out button; the page shows it only to logged-in visitors. */
function SessionControls() {
  const locale = useLocale()
  const texts = useTexts('account:session')
  const [isLeaving, setLeaving] = useState(false)
  const logOutAndLeave = async () => {
    setLeaving(true)
    await settle([logOut()], SENDING_MS)
    location.assign(pathIn(locale, '/'))
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={texts.logout}
      title={texts.logout}
      aria-busy={isLeaving}
      disabled={isLeaving}
      onClick={logOutAndLeave}
    >
      <Icon name="logout" />
    </button>
  )
}

export default island(SessionControls)
