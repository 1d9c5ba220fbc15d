import type { LoggedAction } from '../../../contract/office-log.ts'
import { actionKey } from '../../../rules/office-actions.ts'

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
  const word = texts[kind] ?? kind
  return id === null ? word : `${word} ${id}`
}
