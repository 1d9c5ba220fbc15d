import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { useTexts } from '../../../islands/parts/island.tsx'
import { $mailFolder, loadMailFolder } from './notices.ts'

const unknown = () => null

/**
 * Says, on pages whose buttons send mails, that these reach nobody where the shop has no mail
 * server.
 */
export function MailNote() {
  const { text } = useTexts('office-notices:folder')
  const folder = useStore($mailFolder, { ssr: unknown })
  useEffect(() => void loadMailFolder(), [])
  if (folder === null) return null
  return <p className="alert alert--error">{fillText(text, { place: `\u2066${folder}\u2069` })}</p>
}
