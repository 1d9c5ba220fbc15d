import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $officeSession } from '../../../stores/office/session.ts'
import { loadStaff } from '../../../stores/office/staff.ts'
import { Later } from '../../parts/Later.tsx'
import { Skeleton } from '../../parts/States.tsx'
import { adminTexts } from '../parts/office-texts.ts'

const { island, useTexts } = adminTexts(
  'office:home',
  'office-waiting:page',
  'office-notices:folder',
  'office-waiting:opening',
)

const LINES = ['button', 'button', 'button'] as const

const noSession = () => null

// The page of the other role is never loaded.
const loadTeacher = async () => (await import('./TeacherHome.tsx')).TeacherHome
const loadDesk = async () => (await import('../waiting/Desk.tsx')).Desk

/** The start page with the staff member's tasks; a skeleton until the session is known. */
function Home() {
  const texts = useTexts('office:home')
  const session = useStore($officeSession, { ssr: noSession })
  useEffect(() => void loadStaff(), [])
  const waiting = { text: texts.loading, shapes: LINES }
  if (!session) return <Skeleton {...waiting} />
  const load = session.role === 'ADMIN' ? loadDesk : loadTeacher
  return <Later key={session.role} load={load} give={{}} loading={waiting} failed={texts.failed} />
}

export default island(Home)
