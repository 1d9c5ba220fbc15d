import type { LoggedAction } from '../../../contract/office-log.ts'
import { actionKey } from '../../../rules/office-actions.ts'

/** An action in the words of the language; one that has none is shown as it is. */
export function actionText(action: string, texts: Readonly<Record<string, string>>): string {
  return texts[actionKey(action)] ?? action
}

/** What something was done to, without its name: `Document 12`. */
export function kindText(
  { kind, id }: LoggedAction['subject'],
  texts: Readonly<Record<string, string>>,
): string {
  const [, language, key] = /^text (\w+) (.+)$/.exec(kind) ?? []
  if (key) return `${texts.text} ${key} (${language})`
  const word = texts[kind] ?? kind
  return id === null ? word : `${word} ${id}`
}
