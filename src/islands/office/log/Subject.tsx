import type { LoggedAction } from '../../../contract/office-log.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Words } from '../parts/cells.tsx'
import { kindText } from './words.ts'

/** The name and kind of an action's subject; accounts and conversations link to their pages. */
export function Subject({ subject }: { subject: LoggedAction['subject'] }) {
  const locale = useLocale()
  const texts = useTexts('office-log:subjects')
  const { kind, id, name } = subject
  const kindName = kindText(subject, texts)
  const address = {
    user: `${pathIn(locale, '/office/person')}?id`,
    conversation: `${pathIn(locale, '/office/conversations')}?customer`,
  }[kind]
  const nameText = name !== null && <Words>{name}</Words>
  return (
    <>
      {address && nameText ? <a href={`${address}=${id}`}>{nameText}</a> : nameText}{' '}
      <span className="soft small">{kindName}</span>
    </>
  )
}
