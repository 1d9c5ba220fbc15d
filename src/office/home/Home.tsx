import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Later } from '../../islands/parts/Later.tsx'
import { Skeleton } from '../../islands/parts/States.tsx'
import { loadStaff } from '../frame/staff.ts'
import { adminTexts } from '../kit/office-texts.ts'
import { $officeSession } from '../kit/session.ts'

const { island, useTexts } = adminTexts(
  'office:home',
  'office-waiting:page',
  'office-notices:folder',
  'office-waiting:opening',
)

const LINES = ['button', 'button', 'button'] as const

const noSession = () => null

// The page of the other role is never loaded.
const loadTeacher = async () => (await import('../teacher/home/TeacherHome.tsx')).TeacherHome
const loadDesk = async () => (await import('../admin/waiting/Desk.tsx')).Desk

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
