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

/** How long the log-out waits for its call to the server (ms). */
const SENDING_MS = 1500

const nobody = () => null

/** The name and role of the logged-in staff member, and the log-out. When the session ends, the log-in opens. */
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
  // Known from the account itself even if no call of this page was refused for it.
  const isLacking = staff.phase === 'ready' && staff.value.lacksSecondFactor
  const isShut = useStore($lacksSecondFactor, { ssr: () => false }) || isLacking
  useEffect(() => {
    const way = pathIn(locale, '/office/security')
    if (isShut && location.pathname !== way) location.replace(way)
  }, [isShut, locale])

  const logOut = async () => {
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
        onClick={logOut}
      >
        <Icon name="logout" />
      </button>
    </div>
  )
}

export default island(Staff)
