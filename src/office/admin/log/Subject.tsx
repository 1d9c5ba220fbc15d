import type { LoggedAction } from '../../../contract/office-log.ts'
import { subjectText } from '../../../i18n/office-log.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { shownReference } from '../../../stores/shared/references.ts'
import { Words } from '../../kit/tables/cells.tsx'

export function Subject({ subject }: { subject: LoggedAction['subject'] }) {
  const locale = useLocale()
  const texts = useTexts('office-log:subjects')
  const { kind, id, name } = subject
  const kindName = subjectText(subject, texts, shownReference)
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
