import type { LoggedAction } from '../../../contract/office-log.ts'
import { inLanguage } from '../../../i18n/paths.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Words } from '../parts/cells.tsx'
import { kindText } from './words.ts'

/** What something was done to, with its name; an account leads to its page. */
export function Subject({ subject }: { subject: LoggedAction['subject'] }) {
  const locale = useLocale()
  const texts = useTexts('office-log:subjects')
  const { kind, id, name } = subject
  const what = kindText(subject, texts)
  const named = name !== null && <Words>{name}</Words>
  return (
    <>
      {kind === 'user' && named ? (
        <a href={`${inLanguage(locale, '/office/person')}?id=${id}`}>{named}</a>
      ) : (
        named
      )}{' '}
      <span className="soft small">{what}</span>
    </>
  )
}
