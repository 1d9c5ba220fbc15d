import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $officeSession } from '../../../stores/office/session.ts'
import { loadStaff } from '../../../stores/office/staff.ts'
import { Skeleton } from '../../parts/States.tsx'
import { LINES, TeacherHome } from './TeacherHome.tsx'
import { island, useTexts } from './texts.ts'

const nobody = () => null

/** The start page: what waits for the logged-in staff member; a skeleton until the browser knows who that is. */
function Home() {
  const texts = useTexts('office:home')
  const session = useStore($officeSession, { ssr: nobody })
  useEffect(() => void loadStaff(), [])
  if (!session) return <Skeleton text={texts.loading} shapes={LINES} />
  return session.role === 'ADMIN' ? <p className="alert">{texts.admin}</p> : <TeacherHome />
}

export default island(Home)
