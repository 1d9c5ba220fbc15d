import { useStore } from '@nanostores/react'
import type { TextsAt } from '../../../i18n/text-keys.ts'
import { $officeSession } from '../../../stores/office/session.ts'

interface Props {
  texts: TextsAt<'office:home'>
}

const nobody = () => null

/** What waits for who is logged in. */
export default function Home({ texts }: Props) {
  const session = useStore($officeSession, { ssr: nobody })
  return session?.role === 'ADMIN' && <p className="alert">{texts.admin}</p>
}
