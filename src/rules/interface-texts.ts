/** Why a text cannot stand in place of a shipped one. */
export type InterfaceTextProblem = 'required' | 'maxLength' | 'html' | 'placeholder' | 'invalid'

/** Even a word of two letters may become a short sentence; longer texts may double. */
const SHORT_TEXT_MAX_LENGTH = 60

/** The most characters that may stand in place of a shipped text: what is around it has no room for more. */
export function longestInterfaceText(shipped: string): number {
  return Math.max(SHORT_TEXT_MAX_LENGTH, 2 * shipped.length)
}

/** The `{{names}}` that a text fills in, each once and sorted. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].sort()
}

/** Why a text cannot stand in place of a shipped one; null where it can. */
export function interfaceTextProblem(shipped: string, text: string): InterfaceTextProblem | null {
  if (text.trim() === '') return 'required'
  if (text.length > longestInterfaceText(shipped)) return 'maxLength'
  if (/<[a-z!/?]/i.test(text)) return 'html'
  // `$t(…)` would be read as another text's key.
  if (/\p{Cc}|\$t\(/u.test(text)) return 'invalid'
  const isFilled = placeholdersIn(text).join() === placeholdersIn(shipped).join()
  return isFilled && !/\{\{|\}\}/.test(text.replace(/\{\{\w+\}\}/g, '')) ? null : 'placeholder'
}
