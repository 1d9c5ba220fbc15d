import type { LoggedAction } from '../../../contract/office-log.ts'
import { inLanguage } from '../../../i18n/paths.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Words } from '../parts/cells.tsx'
import { kindText } from './words.ts'

/** What something was done to, with its name; an account and a conversation lead to their pages. */
export function Subject({ subject }: { subject: LoggedAction['subject'] }) {
  const locale = useLocale()
  const texts = useTexts('office-log:subjects')
  const { kind, id, name } = subject
  const what = kindText(subject, texts)
  const address = {
    user: `${inLanguage(locale, '/office/person')}?id`,
    conversation: `${inLanguage(locale, '/office/conversations')}?customer`,
  }[kind]
  const named = name !== null && <Words>{name}</Words>
  return (
    <>
      {address && named ? <a href={`${address}=${id}`}>{named}</a> : named}{' '}
      <span className="soft small">{what}</span>
    </>
  )
}
