import './staff.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { thisPage } from '../../i18n/addresses.ts'
import { officeLogIn } from '../../i18n/office-paths.ts'
import { pathIn } from '../../i18n/paths.ts'
import { IconButton } from '../../islands/parts/Icon.tsx'
import { islandTexts, useLocale } from '../../islands/parts/island.tsx'
import { notLoaded } from '../../stores/shared/loader.ts'
import { settle } from '../../stores/shared/settle.ts'
import { $lacksSecondFactor } from '../kit/backend.ts'
import { $officeSession } from '../kit/session.ts'
import { Finder } from './Finder.tsx'
import { $staff, hasLoggedOut, loadStaff, logOutOfOffice } from './staff.ts'

const { island, useTexts } = islandTexts('office:staff', 'office:search')

/** The longest time that the log-out waits for its call to the server (ms). */
const SENDING_MS = 1500

const noSession = () => null

/**
 * The logged-in staff member's name and role, the log-out and the search; opens the log-in at the
 * session's end.
 */
function Staff() {
  const locale = useLocale()
  const texts = useTexts('office:staff')
  const session = useStore($officeSession, { ssr: noSession })
  const staff = useStore($staff, { ssr: notLoaded })
  const [isLeaving, setLeaving] = useState(false)

  useEffect(() => void loadStaff(), [])
  useEffect(() => {
    const openLogInAtEnd = () => {
      if ($officeSession.get() || hasLoggedOut()) return
      location.replace(officeLogIn(locale, thisPage()))
    }
    return $officeSession.subscribe(openLogInAtEnd)
  }, [locale])
  // The account itself shows this even before the server refuses a call of this page.
  const isLacking = staff.phase === 'ready' && staff.value.lacksSecondFactor
  const needsSecondFactor = useStore($lacksSecondFactor, { ssr: () => false }) || isLacking
  useEffect(() => {
    const securityPath = pathIn(locale, '/office/security')
    if (needsSecondFactor && location.pathname !== securityPath) location.replace(securityPath)
  }, [needsSecondFactor, locale])

  const logOut = async () => {
    setLeaving(true)
    await settle([logOutOfOffice()], SENDING_MS)
    location.assign(pathIn(locale, '/office/login'))
  }
  return (
    <>
      <div className="staff row gap-2">
        <div className="staff__lines grow">
          <p className="staff__name strong one-line along" dir="auto">
            {staff.phase === 'ready' && staff.value.name}
          </p>
          <p className="one-line small">
            {session && texts[session.role === 'ADMIN' ? 'admin' : 'teacher']}
          </p>
        </div>
        <IconButton
          icon="logout"
          label={texts.logout}
          className="staff__out"
          title={texts.logout}
          isBusy={isLeaving}
          disabled={isLeaving}
          onClick={logOut}
        />
      </div>
      <Finder />
    </>
  )
}

export default island(Staff)
