import './staff.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { officeLogIn } from '../../../i18n/office-paths.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { $lacksSecondFactor } from '../../../stores/office/backend.ts'
import { $officeSession } from '../../../stores/office/session.ts'
import { $staff, hasLoggedOut, loadStaff, logOutOfOffice } from '../../../stores/office/staff.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { settle } from '../../../stores/shared/settle.ts'
import { thisPage } from '../../parts/addresses.ts'
import { Icon } from '../../parts/Icon.tsx'
import { islandTexts, useLocale } from '../../parts/island.tsx'

const { island, useTexts } = islandTexts('office:staff')

/** How long the way out waits for the message to the server to leave (ms). */
const SENDING_MS = 1500

const nobody = () => null

/** Who is logged in, on the label of their exercise book, and the log-out. A session that ends leads to the log-in. */
function Staff() {
  const locale = useLocale()
  const texts = useTexts('office:staff')
  const session = useStore($officeSession, { ssr: nobody })
  const staff = useStore($staff, { ssr: notLoaded })
  const [isLeaving, setLeaving] = useState(false)

  useEffect(() => void loadStaff(), [])
  useEffect(() => {
    const leaveWhenOver = () => {
      if ($officeSession.get() || hasLoggedOut()) return
      location.replace(officeLogIn(locale, thisPage()))
    }
    return $officeSession.subscribe(leaveWhenOver)
  }, [locale])
  // Where no call of the page has been refused for it, who is logged in says so.
  const isLacking = staff.phase === 'ready' && staff.value.lacksSecondFactor
  const isShut = useStore($lacksSecondFactor, { ssr: () => false }) || isLacking
  useEffect(() => {
    const way = pathIn(locale, '/office/security')
    if (isShut && location.pathname !== way) location.replace(way)
  }, [isShut, locale])

  const leave = async () => {
    setLeaving(true)
    await settle([logOutOfOffice()], SENDING_MS)
    location.assign(pathIn(locale, '/office/login'))
  }
  return (
    <div className="staff">
      <div className="staff__lines">
        <p className="staff__name along" dir="auto">
          {staff.phase === 'ready' && staff.value.name}
        </p>
        <p className="small">{session && texts[session.role === 'ADMIN' ? 'admin' : 'teacher']}</p>
      </div>
      <button
        type="button"
        className="icon-button staff__out"
        aria-label={texts.logout}
        title={texts.logout}
        aria-busy={isLeaving}
        disabled={isLeaving}
        onClick={leave}
      >
        <Icon name="logout" />
      </button>
    </div>
  )
}

export default island(Staff)
