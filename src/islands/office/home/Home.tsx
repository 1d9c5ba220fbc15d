import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $officeSession } from '../../../stores/office/session.ts'
import { loadStaff } from '../../../stores/office/staff.ts'
import { TeacherHome } from './TeacherHome.tsx'
import { island, useTexts } from './texts.ts'

const nobody = () => null

/** What waits for who is logged in; the outlines until the browser knows who that is. */
function Home() {
  const texts = useTexts('office:home')
  const session = useStore($officeSession, { ssr: nobody })
  useEffect(() => void loadStaff(), [])
  return session?.role === 'ADMIN' ? <p className="alert">{texts.admin}</p> : <TeacherHome />
}

export default island(Home)
