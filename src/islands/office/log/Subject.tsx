import type { LoggedAction } from '../../../contract/office-log.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { actionKey } from '../../../rules/office-actions.ts'
import { shownReference } from '../../../stores/shared/references.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Words } from '../parts/cells.tsx'

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

/** The name of an action in the page's language, or the action's code if it has no name. */
export function actionText(action: string, texts: Readonly<Record<string, string>>): string {
  return texts[actionKey(action)] ?? action
}

/** The kind and id of an action's subject: `Document 12`. */
export function kindText(
  { kind, id }: LoggedAction['subject'],
  texts: Readonly<Record<string, string>>,
): string {
  const [, language, key] = /^text (\w+) (.+)$/.exec(kind) ?? []
  if (key) return `${texts.text} ${key} (${language})`
  const [, reference] = /^payment (\w+)$/.exec(kind) ?? []
  if (reference) return `${texts.payment} ${shownReference(reference)}`
  const word = texts[kind] ?? kind
  return id === null ? word : `${word} ${id}`
}
