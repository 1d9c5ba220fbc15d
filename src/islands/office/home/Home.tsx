import { useStore } from '@nanostores/react'
import { $officeSession } from '../../../stores/office/session.ts'
import { islandTexts } from '../../parts/island.tsx'

const { island, useTexts } = islandTexts('office:home')

const nobody = () => null

/** What waits for who is logged in. */
function Home() {
  const texts = useTexts('office:home')
  const session = useStore($officeSession, { ssr: nobody })
  return session?.role === 'ADMIN' && <p className="alert">{texts.admin}</p>
}

export default island(Home)
